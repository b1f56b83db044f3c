// SPDX-License-Identifier: Apache-2.0
// NS::Dictionary.
#include "src/foundation/collections.hpp"

#include <algorithm>

namespace basanite::foundation {

bool Dictionary::isEqual(const Object* other) const {
  const auto* dictionary = dynamic_cast<const Dictionary*>(other);
  if (!dictionary || dictionary->entries.size() != entries.size()) return false;
  return std::all_of(entries.begin(), entries.end(), [&](const auto& entry) {
    const auto found = dictionary->entries.find(entry.first);
    return found != dictionary->entries.end() && EqualObjects()(found->second, entry.second);
  });
}

std::string Dictionary::description() const {
  // Sorted, so that the same dictionary always reads the same.
  std::vector<std::string> lines;
  for (const auto& [key, value] : entries) lines.push_back(key->description() + " = " + value->description());
  std::sort(lines.begin(), lines.end());
  std::string text = "{";
  for (const std::string& line : lines) text += (text.size() > 1 ? "; " : "") + line;
  return text + "}";
}

} // namespace basanite::foundation

using basanite::foundation::Enumerator;
using basanite::foundation::Object;
using basanite::foundation::objectOf;
using basanite::foundation::retainAll;
using basanite::foundation::Retained;
using basanite::foundation::toImpl;
using basanite::foundation::toPublic;
using basanite::foundation::toPublicAutoreleased;

void* basanite_dictionary_object(const void* dictionary, const void* key) {
  auto* impl = toImpl(static_cast<const NS::Dictionary*>(dictionary));
  if (!impl || !key) return nullptr;
  const auto found = impl->entries.find(Retained<::Object>(objectOf(static_cast<const NS::Object*>(key))));
  return found == impl->entries.end() ? nullptr : found->second.get();
}

void* basanite_dictionary_keys(const void* dictionary) {
  auto* impl = toImpl(static_cast<const NS::Dictionary*>(dictionary));
  if (!impl) return nullptr;
  std::vector<Retained<::Object>> keys;
  for (const auto& entry : impl->entries) keys.push_back(entry.first);
  return toPublicAutoreleased(new ::Enumerator(std::move(keys)));
}

NS::Dictionary* NS::Dictionary::alloc() { return toPublic(new basanite::foundation::Dictionary); }

NS::Dictionary* NS::Dictionary::init() { return this; }

NS::Dictionary* NS::Dictionary::init(const NS::Object* const* pObjects, const NS::Object* const* pKeys,
                                     NS::UInteger count) {
  auto* dictionary = toImpl(this);
  if (!dictionary) return nullptr;
  std::vector<Retained<::Object>> objects;
  std::vector<Retained<::Object>> keys;
  if (!retainAll(pObjects, count, dictionary->className(), &objects) ||
      !retainAll(pKeys, count, dictionary->className(), &keys)) {
    dictionary->release();
    return nullptr;
  }
  for (NS::UInteger i = 0; i < count; ++i) dictionary->entries.emplace(keys[i], objects[i]);
  return this;
}

NS::Dictionary* NS::Dictionary::dictionary() {
  return toPublicAutoreleased(new basanite::foundation::Dictionary);
}

NS::Dictionary* NS::Dictionary::dictionary(const NS::Object* pObject, const NS::Object* pKey) {
  return dictionary(&pObject, &pKey, 1);
}

NS::Dictionary* NS::Dictionary::dictionary(const NS::Object* const* pObjects, const NS::Object* const* pKeys,
                                           NS::UInteger count) {
  NS::Dictionary* dictionary = alloc()->init(pObjects, pKeys, count);
  if (dictionary) objectOf(dictionary)->autorelease();
  return dictionary;
}

NS::UInteger NS::Dictionary::count() const {
  auto* dictionary = toImpl(this);
  return dictionary ? dictionary->entries.size() : 0;
}
