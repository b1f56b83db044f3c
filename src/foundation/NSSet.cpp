// SPDX-License-Identifier: Apache-2.0
// NS::Set.
#include "src/foundation/collections.hpp"

#include <algorithm>

namespace basanite::foundation {

bool Set::isEqual(const Object* other) const {
  const auto* set = dynamic_cast<const Set*>(other);
  return set && set->elements.size() == elements.size() &&
         std::all_of(elements.begin(), elements.end(),
                     [&](const auto& element) { return set->elements.contains(element); });
}

std::string Set::description() const {
  std::vector<std::string> lines;
  for (const auto& element : elements) lines.push_back(element->description());
  std::sort(lines.begin(), lines.end());
  std::string text = "{(";
  for (const std::string& line : lines) text += (text.size() > 2 ? ", " : "") + line;
  return text + ")}";
}

} // namespace basanite::foundation

using basanite::foundation::Enumerator;
using basanite::foundation::Object;
using basanite::foundation::retainAll;
using basanite::foundation::Retained;
using basanite::foundation::toImpl;
using basanite::foundation::toPublic;
using basanite::foundation::toPublicAutoreleased;

NS::Set* NS::Set::alloc() { return toPublic(new basanite::foundation::Set); }

NS::Set* NS::Set::init() { return this; }

NS::Set* NS::Set::init(const NS::Object* const* pObjects, NS::UInteger count) {
  auto* set = toImpl(this);
  if (!set) return nullptr;
  std::vector<Retained<::Object>> elements;
  if (!retainAll(pObjects, count, set->className(), &elements)) {
    set->release();
    return nullptr;
  }
  set->elements.insert(elements.begin(), elements.end());
  return this;
}

NS::UInteger NS::Set::count() const {
  auto* set = toImpl(this);
  return set ? set->elements.size() : 0;
}

NS::Enumerator<NS::Object>* NS::Set::objectEnumerator() const {
  auto* set = toImpl(this);
  if (!set) return nullptr;
  return toPublicAutoreleased(new ::Enumerator({set->elements.begin(), set->elements.end()}));
}
