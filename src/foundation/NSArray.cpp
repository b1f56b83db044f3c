// SPDX-License-Identifier: Apache-2.0
// NS::Array.
#include "src/base/log.hpp"
#include "src/foundation/collections.hpp"

#include <algorithm>

namespace basanite::foundation {

bool Array::isEqual(const Object* other) const {
  const auto* array = dynamic_cast<const Array*>(other);
  return array && std::equal(elements.begin(), elements.end(), array->elements.begin(), array->elements.end(),
                             EqualObjects());
}

std::string Array::description() const {
  std::string text = "(";
  for (const auto& element : elements) {
    text += text.size() > 1 ? ", " : "";
    text += element->description();
  }
  return text + ")";
}

bool retainAll(const NS::Object* const* objects, NS::UInteger count, const char* className,
               std::vector<Retained<Object>>* result) {
  if (count > 0 && !objects) {
    base::logError("{} was asked for {} objects from a null list.", className, count);
    return false;
  }
  for (NS::UInteger i = 0; i < count; ++i) {
    if (!objects[i]) {
      base::logError("{} cannot hold null: object {} of {} is null.", className, i, count);
      return false;
    }
    result->emplace_back(objectOf(objects[i]));
  }
  return true;
}

NS::Array* makeArray(const std::vector<Object*>& elements) {
  auto* array = new Array;
  for (Object* element : elements) array->elements.emplace_back(element);
  return toPublic(array);
}

} // namespace basanite::foundation

using basanite::foundation::Enumerator;
using basanite::foundation::Object;
using basanite::foundation::objectOf;
using basanite::foundation::retainAll;
using basanite::foundation::toImpl;
using basanite::foundation::toPublic;
using basanite::foundation::toPublicAutoreleased;

void* basanite_array_object(const void* array, std::uintptr_t index) {
  auto* impl = toImpl(static_cast<const NS::Array*>(array));
  if (!impl) return nullptr;
  if (index >= impl->elements.size()) {
    basanite::base::logError("NSArray has no object {}: its count is {}.", index, impl->elements.size());
    return nullptr;
  }
  return impl->elements[index].get();
}

NS::Array* NS::Array::alloc() { return toPublic(new basanite::foundation::Array); }

NS::Array* NS::Array::init() { return this; }

NS::Array* NS::Array::init(const NS::Object* const* pObjects, NS::UInteger count) {
  auto* array = toImpl(this);
  if (!array) return nullptr;
  if (!retainAll(pObjects, count, array->className(), &array->elements)) {
    array->release();
    return nullptr;
  }
  return this;
}

NS::Array* NS::Array::array() { return toPublicAutoreleased(new basanite::foundation::Array); }

NS::Array* NS::Array::array(const NS::Object* pObject) { return array(&pObject, 1); }

NS::Array* NS::Array::array(const NS::Object* const* pObjects, NS::UInteger count) {
  NS::Array* array = alloc()->init(pObjects, count);
  if (array) objectOf(array)->autorelease();
  return array;
}

NS::UInteger NS::Array::count() const {
  auto* array = toImpl(this);
  return array ? array->elements.size() : 0;
}

NS::Enumerator<NS::Object>* NS::Array::objectEnumerator() const {
  auto* array = toImpl(this);
  return array ? toPublicAutoreleased(new ::Enumerator(array->elements)) : nullptr;
}
