// SPDX-License-Identifier: Apache-2.0
// The object model: what stands behind every public pointer (NS::Object* and below).
//
// A public class such as MTL::Buffer has no data and no virtual functions; an MTL::Buffer* *is* the address
// of an internal object that derives from foundation::Object (first base, single inheritance all the way, so
// no pointer ever needs adjusting). toImpl / toPublic convert; BASANITE_BRIDGE says which two classes belong
// together.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace NS {
class Array;
class Data;
class Error;
class Object;
class String;
} // namespace NS

namespace basanite::foundation {

// Born with a retain count of 1, owned by whoever called alloc/new. Counting is thread-safe. The last release
// runs the destructor on the releasing thread.
class Object {
 public:
  constexpr Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  void retain() { m_retains.fetch_add(1, std::memory_order_relaxed); }
  void release();
  // Hands one reference to the calling thread's innermost pool. With no pool in place the object is made
  // immortal: it leaks, as on Apple's, and later releases cannot end it (timestamp-cases B79).
  void autorelease();
  uint32_t retainCount() const { return m_retains.load(std::memory_order_relaxed); }
  // Never dies from here on, whatever is released. For objects that the process keeps for ever.
  void makeImmortal();

  virtual const char* className() const = 0;
  virtual uint64_t hash() const { return reinterpret_cast<uintptr_t>(this) >> 4; }
  virtual bool isEqual(const Object* other) const { return this == other; }
  virtual std::string description() const; // "<className: address>" unless overridden
  // NSCopying. Returns a new object (count 1). Immutable classes return retainedSelf().
  // Only classes whose public mixin is NS::Copying are asked; the others give null and log the class.
  virtual Object* copy() const;

 protected:
  struct Immortal {};
  constexpr explicit Object(Immortal) : m_immortal(true) {}
  virtual ~Object() = default;
  Object* retainedSelf() const;

 private:
  std::atomic<uint32_t> m_retains{1};
  std::atomic<bool> m_immortal{false};
};

// Owner of one retain of an internal object.
template <class T> class Retained {
 public:
  Retained() = default;
  Retained(std::nullptr_t) {}
  explicit Retained(T* object) : m_object(object) {
    if (m_object) m_object->retain();
  }
  Retained(const Retained& other) : Retained(other.m_object) {}
  Retained(Retained&& other) noexcept : m_object(other.m_object) { other.m_object = nullptr; }
  ~Retained() {
    if (m_object) m_object->release();
  }
  Retained& operator=(Retained other) noexcept {
    T* old = m_object;
    m_object = other.m_object;
    other.m_object = old;
    return *this;
  }
  static Retained adopt(T* object) {
    Retained result;
    result.m_object = object;
    return result;
  }
  T* detach() {
    T* object = m_object;
    m_object = nullptr;
    return object;
  }
  T* get() const { return m_object; }
  T* operator->() const { return m_object; }
  T& operator*() const { return *m_object; }
  explicit operator bool() const { return m_object != nullptr; }

 private:
  T* m_object = nullptr;
};

// Bridge<Public>::Impl and PublicOf<Impl>::Type, filled by BASANITE_BRIDGE.
template <class Public> struct Bridge;
template <class Impl> struct PublicOf;

template <class Public> auto* toImpl(const Public* object) {
  using Impl = typename Bridge<std::remove_const_t<Public>>::Impl;
  return reinterpret_cast<Impl*>(const_cast<std::remove_const_t<Public>*>(object));
}
template <class Impl> auto* toPublic(const Impl* object) {
  using Public = typename PublicOf<std::remove_const_t<Impl>>::Type;
  return reinterpret_cast<Public*>(const_cast<std::remove_const_t<Impl>*>(object));
}
// For methods that return "autoreleased": hands over the +1 and gives the public pointer back.
template <class Impl> auto* toPublicAutoreleased(Impl* object) {
  object->autorelease();
  return toPublic(object);
}

// Internal makers and readers of the value classes that the whole front uses (each defined beside its class).
NS::String* makeString(std::string_view text);             // +1
NS::String* makeAutoreleasedString(std::string_view text); // autoreleased
std::string_view textOf(const NS::String* string);         // "" for nil; valid while the string lives
NS::String* makeConstantString(std::string_view text);     // immortal; the same text gives the same object

// +1. `message` becomes localizedDescription. The domain is retained (domains are immortal constants anyhow).
NS::Error* makeError(NS::String* domain, long code, std::string_view message);
// Sets *out, where out is not null, to an autoreleased error.
void setError(NS::Error** out, NS::String* domain, long code, std::string_view message);

// +1. makeData copies the bytes; adoptData takes over the vector.
NS::Data* makeData(const void* bytes, size_t sizeBytes);
NS::Data* adoptData(std::vector<std::byte> bytes);

// +1. The elements are retained and must not be null. Elements are internal objects or public pointers alike.
NS::Array* makeArray(const std::vector<Object*>& elements);
template <class Public> NS::Array* makeArrayOf(const std::vector<Public*>& elements) {
  std::vector<Object*> objects;
  for (Public* element : elements) objects.push_back(reinterpret_cast<Object*>(element));
  return makeArray(objects);
}

// Any public pointer as the internal object that it is; null stays null.
template <class Public> Object* objectOf(const Public* object) {
  return reinterpret_cast<Object*>(const_cast<Public*>(object));
}

} // namespace basanite::foundation

// At global scope: BASANITE_BRIDGE(MTL::Buffer, basanite::metal::Buffer)
#define BASANITE_BRIDGE(PublicClass, ImplClass)                                                              \
  template <> struct basanite::foundation::Bridge<PublicClass> { using Impl = ImplClass; };                  \
  template <> struct basanite::foundation::PublicOf<ImplClass> { using Type = PublicClass; };
