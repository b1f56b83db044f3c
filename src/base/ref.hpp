// SPDX-License-Identifier: Apache-2.0
// Our own reference count, apart from the app's retain/release: Ref<T> over an intrusive atomic counter.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace basanite::base {

// Base of every internally shared object. Starts with one reference, owned by the Ref that adopts it.
// Thread-safe counting; the last release deletes on the releasing thread.
class RefCounted {
 public:
  RefCounted() = default;
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;

  void addRef() const { m_refs.fetch_add(1, std::memory_order_relaxed); }
  void dropRef() const {
    if (m_refs.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 protected:
  virtual ~RefCounted() = default;

 private:
  mutable std::atomic<uint32_t> m_refs{1};
};

template <class T> class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  explicit Ref(T* object) : m_object(object) {
    if (m_object) m_object->addRef();
  }
  Ref(const Ref& other) : Ref(other.m_object) {}
  Ref(Ref&& other) noexcept : m_object(std::exchange(other.m_object, nullptr)) {}
  template <class U> Ref(const Ref<U>& other) : Ref(static_cast<T*>(other.get())) {}
  template <class U> Ref(Ref<U>&& other) noexcept : m_object(other.detach()) {}
  ~Ref() {
    if (m_object) m_object->dropRef();
  }
  Ref& operator=(Ref other) noexcept {
    std::swap(m_object, other.m_object);
    return *this;
  }

  // Takes over the reference that a new object is born with.
  static Ref adopt(T* object) {
    Ref ref;
    ref.m_object = object;
    return ref;
  }
  T* detach() { return std::exchange(m_object, nullptr); }

  T* get() const { return m_object; }
  T* operator->() const { return m_object; }
  T& operator*() const { return *m_object; }
  explicit operator bool() const { return m_object != nullptr; }
  bool operator==(const Ref& other) const { return m_object == other.m_object; }

 private:
  T* m_object = nullptr;
};

template <class T, class... Args> Ref<T> makeRef(Args&&... args) {
  return Ref<T>::adopt(new T(std::forward<Args>(args)...));
}

} // namespace basanite::base
