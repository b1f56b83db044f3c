// SPDX-License-Identifier: Apache-2.0
// NS::Object.
#include "src/foundation/object.hpp"

#include <Foundation/NSObject.hpp>

using basanite::foundation::makeAutoreleasedString;
using basanite::foundation::objectOf;

NS::String* NS::Object::description() const {
  auto* object = objectOf(this);
  return object ? makeAutoreleasedString(object->description()) : nullptr;
}

NS::String* NS::Object::debugDescription() const { return description(); }

NS::UInteger NS::Object::hash() const {
  auto* object = objectOf(this);
  return object ? object->hash() : 0;
}

bool NS::Object::isEqual(const NS::Object* pObject) const {
  auto* object = objectOf(this);
  return object && pObject && object->isEqual(objectOf(pObject));
}
