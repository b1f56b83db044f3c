// SPDX-License-Identifier: Apache-2.0
// How descriptor classes are written: holders for object properties, a copyable base, and the getter/setter
// macros.
//
// A descriptor's internal class is PropertyBag<Self, Fields, Base>: Fields is a plain struct with one member
// a property and the defaults as initialisers; copying a bag copies Fields, and each holder below says what
// that means for it.
#pragma once

#include "src/foundation/object.hpp"

#include <array>
#include <type_traits>
#include <utility>
#include <vector>

namespace basanite::metal {

// Every public pointer is the address of an internal object, so holders need no bridge.
using foundation::objectOf;

// An autoreleased array of objects that are not null.
template <class Public> NS::Array* autoreleasedArray(const std::vector<Public*>& elements) {
  NS::Array* array = foundation::makeArrayOf(elements);
  objectOf(array)->autorelease();
  return array;
}

// A retained object; a copy of the bag shares it.
template <class Public> class Strong {
 public:
  Public* get() const { return reinterpret_cast<Public*>(m_object.get()); }
  void set(const Public* object) { m_object = foundation::Retained<foundation::Object>(objectOf(object)); }

 private:
  foundation::Retained<foundation::Object> m_object;
};

// An object that is copied when it is set and again when the bag is copied.
template <class Public> class Copied {
 public:
  Copied() = default;
  Copied(const Copied& other) { set(other.get()); }
  Copied& operator=(const Copied& other) {
    if (this != &other) set(other.get());
    return *this;
  }
  Public* get() const { return reinterpret_cast<Public*>(m_object.get()); }
  void set(const Public* object) {
    m_object = object ? foundation::Retained<foundation::Object>::adopt(objectOf(object)->copy())
                      : foundation::Retained<foundation::Object>();
  }

 private:
  foundation::Retained<foundation::Object> m_object;
};

// Like Copied, but never null: made with its defaults on first access and again after being set to null.
template <class Impl> class Made {
 public:
  using Public = typename foundation::PublicOf<Impl>::Type;
  Made() = default;
  Made(const Made& other) { assign(other); }
  Made& operator=(const Made& other) {
    if (this != &other) assign(other);
    return *this;
  }
  Impl* impl() const {
    if (!m_object) m_object = foundation::Retained<Impl>::adopt(new Impl);
    return m_object.get();
  }
  Public* get() const { return foundation::toPublic(impl()); }
  void set(const Public* object) {
    m_object = object ? foundation::Retained<Impl>::adopt(static_cast<Impl*>(objectOf(object)->copy()))
                      : foundation::Retained<Impl>();
  }
  // Null while nobody has asked for it: then it stands for the defaults.
  const Impl* ifMade() const { return m_object.get(); }

 private:
  void assign(const Made& other) {
    set(other.m_object ? foundation::toPublic(other.m_object.get()) : nullptr);
  }
  mutable foundation::Retained<Impl> m_object;
};

// Base of descriptor classes. Self must be default-constructible; Base is foundation::Object or another bag.
// Not thread-safe, as on Apple's: one thread at a time.
template <class Self, class Fields, class Base = foundation::Object>
class PropertyBag : public Base, public Fields {
 public:
  foundation::Object* copy() const override {
    auto* result = new Self;
    result->assignFrom(*this);
    return result;
  }
  void assignFrom(const PropertyBag& other) {
    if constexpr (!std::is_same_v<Base, foundation::Object>) Base::assignFrom(other);
    static_cast<Fields&>(*this) = static_cast<const Fields&>(other);
  }
  void resetFields() { static_cast<Fields&>(*this) = Fields{}; }
};

// A fixed-length array object whose elements are made on first access; copying it copies the elements.
template <class Self, class Element, size_t kCount> class DescriptorArray : public foundation::Object {
 public:
  using PublicElement = typename foundation::PublicOf<Element>::Type;
  static constexpr size_t kLength = kCount;

  // Null for an index past the end.
  PublicElement* object(size_t index) const { return index < kCount ? m_elements[index].get() : nullptr; }
  void setObject(const PublicElement* element, size_t index) {
    if (index < kCount) m_elements[index].set(element);
  }
  const Element* ifMade(size_t index) const { return m_elements[index].ifMade(); }
  void reset() { m_elements = {}; }

  foundation::Object* copy() const override {
    auto* result = new Self;
    result->m_elements = m_elements;
    return result;
  }

 protected:
  std::array<Made<Element>, kCount> m_elements;
};

} // namespace basanite::metal

// alloc() hands out an object with its defaults in place, so init() has nothing left to do.
#define BASANITE_ALLOC_INIT(Public)                                                                          \
  Public* Public::alloc() {                                                                                  \
    return basanite::foundation::toPublic(new basanite::foundation::Bridge<Public>::Impl);                   \
  }                                                                                                          \
  Public* Public::init() { return this; }

// A property held by value in the Fields member `member`. As in Objective-C, a null `this` reads as zero and
// ignores writes (the module is built so that the compiler keeps the checks).
#define BASANITE_VALUE_GETTER(Public, Type, getter, member)                                                  \
  Type Public::getter() const { return this ? basanite::foundation::toImpl(this)->member : Type{}; }
#define BASANITE_VALUE_AS(Public, Type, getter, setter, member)                                              \
  BASANITE_VALUE_GETTER(Public, Type, getter, member)                                                        \
  void Public::setter(Type value) {                                                                          \
    if (this) basanite::foundation::toImpl(this)->member = value;                                            \
  }
#define BASANITE_VALUE(Public, Type, getter, setter) BASANITE_VALUE_AS(Public, Type, getter, setter, getter)

// A property that is an object, held by one of the holders above.
#define BASANITE_OBJECT_GETTER(Public, Type, getter)                                                         \
  Type* Public::getter() const { return this ? basanite::foundation::toImpl(this)->getter.get() : nullptr; }
#define BASANITE_OBJECT(Public, Type, getter, setter)                                                        \
  BASANITE_OBJECT_GETTER(Public, Type, getter)                                                               \
  void Public::setter(const Type* value) {                                                                   \
    if (this) basanite::foundation::toImpl(this)->getter.set(value);                                         \
  }
