// SPDX-License-Identifier: Apache-2.0
// NS::Enumerator and NS::FastEnumeration.
#include "src/foundation/collections.hpp"

#include <iterator>

namespace basanite::foundation {

std::vector<Retained<Object>> Enumerator::rest() {
  std::vector<Retained<Object>> result(m_elements.begin() + static_cast<std::ptrdiff_t>(m_next),
                                       m_elements.end());
  m_next = m_elements.size();
  return result;
}

} // namespace basanite::foundation

using basanite::foundation::Enumerator;
using basanite::foundation::Object;
using basanite::foundation::toPublicAutoreleased;

namespace {
::Enumerator* enumeratorAt(const void* address) {
  return static_cast<::Enumerator*>(const_cast<void*>(address));
}
} // namespace

void* basanite_enumerator_next(const void* enumerator) {
  return enumerator ? enumeratorAt(enumerator)->next() : nullptr;
}

void* basanite_enumerator_all(const void* enumerator) {
  if (!enumerator) return nullptr;
  auto* array = new basanite::foundation::Array;
  array->elements = enumeratorAt(enumerator)->rest();
  return toPublicAutoreleased(array);
}

NS::UInteger NS::FastEnumeration::countByEnumerating(NS::FastEnumerationState* pState, NS::Object** pBuffer,
                                                     NS::UInteger len) {
  static unsigned long neverMutated = 0;
  auto* enumerator = dynamic_cast<::Enumerator*>(basanite::foundation::objectOf(this));
  if (!enumerator || !pState || !pBuffer) return 0;
  NS::UInteger count = 0;
  while (count < len) {
    ::Object* object = enumerator->next();
    if (!object) break;
    pBuffer[count++] = reinterpret_cast<NS::Object*>(object);
  }
  pState->state = 1;
  pState->itemsPtr = pBuffer;
  pState->mutationsPtr = &neverMutated;
  return count;
}
