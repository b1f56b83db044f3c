# SPDX-License-Identifier: Apache-2.0
"""The parts of include/ that a table cannot say: foreign types, reference counting, SharedPtr, inline bodies."""

# Bodies of what the headers themselves implement, by signature.
INLINE_BODIES = {
    "NS::Referencing::retain()": "basanite_retain(this);\n    return reinterpret_cast<_Class*>(this);",
    "NS::Referencing::release()": "basanite_release(this);",
    "NS::Referencing::autorelease()": "basanite_autorelease(this);\n    return reinterpret_cast<_Class*>(this);",
    "NS::Referencing::retainCount() const": "return basanite_retain_count(this);",
    "NS::Copying::copy() const": "return static_cast<_Class*>(basanite_copy(this));",
    "NS::Locking::lock()": "basanite_lock(this);",
    "NS::Locking::unlock()": "basanite_unlock(this);",
    "NS::Object::init()": "return static_cast<_Class*>(this)->init();",
    "NS::Object::alloc(char const*)": "return _Class::alloc();",
    "NS::Object::alloc(void const*)": "return _Class::alloc();",
    "NS::Object::bridgingCast(void const*)": "return (_Dst)pObj;",
    "NS::Enumerator::nextObject()": "return static_cast<_ObjectType*>(basanite_enumerator_next(this));",
    "NS::Enumerator::allObjects()": "return static_cast<NS::Array*>(basanite_enumerator_all(this));",
    "NS::Array::object(unsigned long) const":
        "return static_cast<_Object*>(basanite_array_object(this, index));",
    "NS::Dictionary::object(NS::Object const*) const":
        "return static_cast<_Object*>(basanite_dictionary_object(this, pKey));",
    "NS::Dictionary::keyEnumerator() const":
        "return static_cast<NS::Enumerator<_KeyType>*>(basanite_dictionary_keys(this));",
    "NS::MakeConstantString(char const (&)[_StringLen])":
        "return static_cast<const NS::String*>(basanite_constant_string(str, _StringLen - 1));",
}

# Templates over the Objective-C runtime, which is not there: declared, never available.
RUNTIME_ONLY = {
    "NS::Object::doesRequireMsgSendStret()",
    "NS::Object::methodSignatureForSelector(void const*, objc_selector*)",
    "NS::Object::respondsToSelector(void const*, objc_selector*)",
    "NS::Object::sendMessage(void const*, objc_selector*, _Args...)",
    "NS::Object::sendMessageSafe(void const*, objc_selector*, _Args...)",
}

# Structs whose constructors do not take the fields one by one, so they cannot be aggregates: all their constructors.
# The other structs are aggregates in C++20 and have constructors in C++17.
STRUCT_CONSTRUCTORS = {
    "MTL::Region": [
        "Region() = default;",
        "constexpr Region(NS::UInteger x, NS::UInteger width) : origin{x, 0, 0}, size{width, 1, 1} {}",
        "constexpr Region(NS::UInteger x, NS::UInteger y, NS::UInteger width, NS::UInteger height)"
        " : origin{x, y, 0}, size{width, height, 1} {}",
        "constexpr Region(NS::UInteger x, NS::UInteger y, NS::UInteger z, NS::UInteger width, NS::UInteger height,"
        " NS::UInteger depth) : origin{x, y, z}, size{width, height, depth} {}",
        "constexpr Region(const MTL::Origin& regionOrigin, const MTL::Size& regionSize)"
        " : origin(regionOrigin), size(regionSize) {}",
    ],
    "MTL::PackedFloat3": [
        "constexpr PackedFloat3() : elements{0.0f, 0.0f, 0.0f} {}",
        "constexpr PackedFloat3(float x, float y, float z) : elements{x, y, z} {}",
    ],
    "MTL::PackedFloatQuaternion": [
        "constexpr PackedFloatQuaternion() : elements{0.0f, 0.0f, 0.0f, 0.0f} {}",
        "constexpr PackedFloatQuaternion(float x, float y, float z, float w) : elements{x, y, z, w} {}",
    ],
    "MTL::PackedFloat4x3": [
        "constexpr PackedFloat4x3() : columns{} {}",
        "constexpr PackedFloat4x3(const MTL::PackedFloat3& col0, const MTL::PackedFloat3& col1,"
        " const MTL::PackedFloat3& col2, const MTL::PackedFloat3& col3) : columns{col0, col1, col2, col3} {}",
    ],
    "MTL::AxisAlignedBoundingBox": [
        "constexpr AxisAlignedBoundingBox()"
        " : min(__builtin_inff(), __builtin_inff(), __builtin_inff()),"
        " max(-__builtin_inff(), -__builtin_inff(), -__builtin_inff()) {}",
        "constexpr AxisAlignedBoundingBox(MTL::PackedFloat3 p) : min(p), max(p) {}",
        "constexpr AxisAlignedBoundingBox(MTL::PackedFloat3 min, MTL::PackedFloat3 max) : min(min), max(max) {}",
    ],
}

# Default member initialisers. A buffer range made of an address alone reaches to the end of its buffer.
FIELD_DEFAULTS = {
    "MTL4::BufferRange": {"bufferAddress": "0", "length": "bufferAddress != 0 ? ~uint64_t(0) : 0"},
    "MTL::TextureSwizzleChannels": {
        "red": "MTL::TextureSwizzleRed",
        "green": "MTL::TextureSwizzleGreen",
        "blue": "MTL::TextureSwizzleBlue",
        "alpha": "MTL::TextureSwizzleAlpha",
    },
}

# Bodies of the structs' other methods, by "Struct::method(parameters)".
STRUCT_BODIES = {
    "NS::Range::Equal(NS::Range const&) const": "return location == range.location && length == range.length;",
    "NS::Range::LocationInRange(unsigned long) const": "return loc >= location && loc - location < length;",
    "NS::Range::Max() const": "return location + length;",
    "NS::Range::Make(unsigned long, unsigned long)": "return NS::Range{loc, len};",
    "MTL::Region::Make1D(unsigned long, unsigned long)": "return MTL::Region(x, width);",
    "MTL::Region::Make2D(unsigned long, unsigned long, unsigned long, unsigned long)":
        "return MTL::Region(x, y, width, height);",
    "MTL::Region::Make3D(unsigned long, unsigned long, unsigned long, unsigned long, unsigned long, unsigned long)":
        "return MTL::Region(x, y, z, width, height, depth);",
    "MTL::TextureSwizzleChannels::Default()": "return MTL::TextureSwizzleChannels{};",
    "MTL::PackedFloat3::operator[](int)": "return reinterpret_cast<float*>(this)[idx];",
    "MTL::PackedFloat3::operator[](int) const": "return elements[idx];",
    "MTL::PackedFloatQuaternion::operator[](int)": "return reinterpret_cast<float*>(this)[idx];",
    "MTL::PackedFloatQuaternion::operator[](int) const": "return reinterpret_cast<const float*>(this)[idx];",
    "MTL::PackedFloat4x3::operator[](int)": "return columns[idx];",
    "MTL::PackedFloat4x3::operator[](int) const": "return columns[idx];",
}

NS_DEFINES = """\
// Marks what the library exports.
#define BASANITE_EXPORT __attribute__((visibility("default")))

// Using a declaration that is not implemented yet is an error that names it. The library's own build defines
// BASANITE_BUILDING, so that a definition can be written before the headers are generated again.
#if defined(BASANITE_BUILDING)
#define BASANITE_UNAVAILABLE(name)
#define BASANITE_RUNTIME_ONLY(name)
#define BASANITE_DEPRECATED
#else
#define BASANITE_UNAVAILABLE(name) __attribute__((unavailable(name " is not implemented in Basanite yet")))
#define BASANITE_RUNTIME_ONLY(name) __attribute__((unavailable(name " needs the Objective-C runtime")))
#define BASANITE_DEPRECATED [[deprecated]]
#endif

#define BASANITE_PACKED __attribute__((packed))

// Aggregates can be initialised with parentheses from C++20 on; before, the structs carry constructors instead.
#if defined(__cpp_aggregate_paren_init) && __cpp_aggregate_paren_init >= 201902L
#define BASANITE_AGGREGATES 1
#else
#define BASANITE_AGGREGATES 0
#endif
"""

NS_PRIVATE = """\
#include <cstddef>
#include <cstdint>

// Types of other Apple headers that the API's signatures use.
struct objc_object {};
typedef struct objc_selector* SEL;
typedef double CFTimeInterval;
typedef double CGFloat;
struct CGSize {
  CGFloat width;
  CGFloat height;
};
typedef struct CGColorSpace* CGColorSpaceRef;
typedef struct __IOSurface* IOSurfaceRef;
typedef struct dispatch_data_s* dispatch_data_t;
typedef struct dispatch_queue_s* dispatch_queue_t;
typedef int kern_return_t;
typedef unsigned int task_id_token_t;

// What the inline parts of these headers call in the library. All accept null.
extern "C" {
BASANITE_EXPORT void basanite_retain(const void* object);
BASANITE_EXPORT void basanite_release(const void* object);
BASANITE_EXPORT void basanite_autorelease(const void* object);
BASANITE_EXPORT std::uintptr_t basanite_retain_count(const void* object);
BASANITE_EXPORT void* basanite_copy(const void* object); // +1
BASANITE_EXPORT void basanite_lock(const void* lock);
BASANITE_EXPORT void basanite_unlock(const void* lock);
BASANITE_EXPORT void* basanite_enumerator_next(const void* enumerator);
BASANITE_EXPORT void* basanite_enumerator_all(const void* enumerator);
BASANITE_EXPORT void* basanite_array_object(const void* array, std::uintptr_t index);
BASANITE_EXPORT void* basanite_dictionary_object(const void* dictionary, const void* key);
BASANITE_EXPORT void* basanite_dictionary_keys(const void* dictionary);
// One immortal string for each text; length in bytes.
BASANITE_EXPORT void* basanite_constant_string(const char* text, std::uintptr_t length);
}

#ifdef __BLOCKS__
#include <functional>
#include <memory>

extern "C" void* _Block_copy(const void* block);
extern "C" void _Block_release(const void* block);

namespace basanite_block {
// A copy of a block that std::function can hold; empty for a null block.
template <class _Result, class... _Args> std::function<_Result(_Args...)> hold(_Result (^block)(_Args...)) {
  if (!block) return nullptr;
  std::shared_ptr<void> copy(_Block_copy((const void*)block), [](void* held) { _Block_release(held); });
  return [copy](_Args... args) -> _Result { return ((_Result(^)(_Args...))copy.get())(args...); };
}
} // namespace basanite_block
#endif
"""

NS_SHARED_PTR = """\
namespace NS {

// Owner of one retain of an object.
template <class _Class> class SharedPtr {
 public:
  SharedPtr() : m_pObject(nullptr) {}
  SharedPtr(std::nullptr_t) noexcept : m_pObject(nullptr) {}
  SharedPtr(const SharedPtr<_Class>& other) noexcept : m_pObject(other.m_pObject) { basanite_retain(m_pObject); }
  SharedPtr(SharedPtr<_Class>&& other) noexcept : m_pObject(other.m_pObject) { other.m_pObject = nullptr; }
  template <class _OtherClass>
  SharedPtr(const SharedPtr<_OtherClass>& other,
            typename std::enable_if_t<std::is_convertible_v<_OtherClass*, _Class*>>* = nullptr) noexcept
      : m_pObject(other.get()) {
    basanite_retain(m_pObject);
  }
  template <class _OtherClass>
  SharedPtr(SharedPtr<_OtherClass>&& other,
            typename std::enable_if_t<std::is_convertible_v<_OtherClass*, _Class*>>* = nullptr) noexcept
      : m_pObject(other.get()) {
    other.detach();
  }
  ~SharedPtr() { basanite_release(m_pObject); }

  SharedPtr& operator=(const SharedPtr<_Class>& other) { return assign(other.m_pObject); }
  SharedPtr& operator=(SharedPtr<_Class>&& other) {
    if (this != &other) take(other);
    return *this;
  }
  template <class _OtherClass>
  typename std::enable_if_t<std::is_convertible_v<_OtherClass*, _Class*>, SharedPtr&>
  operator=(const SharedPtr<_OtherClass>& other) {
    return assign(other.get());
  }
  template <class _OtherClass>
  typename std::enable_if_t<std::is_convertible_v<_OtherClass*, _Class*>, SharedPtr&>
  operator=(SharedPtr<_OtherClass>&& other) {
    take(other);
    return *this;
  }

  _Class* get() const { return m_pObject; }
  _Class* operator->() const { return m_pObject; }
  explicit operator bool() const { return m_pObject != nullptr; }

  // Releases the object and holds nothing.
  void reset() {
    _Class* old = m_pObject;
    m_pObject = nullptr;
    basanite_release(old);
  }
  // Holds nothing, without releasing the object: its retain is the caller's from now on.
  void detach() { m_pObject = nullptr; }

  template <class _Other> friend SharedPtr<_Other> RetainPtr(_Other* pObject);
  template <class _Other> friend SharedPtr<_Other> TransferPtr(_Other* pObject);

 private:
  // The new object is retained before the old one goes: they may be the same, or one may own the other.
  SharedPtr& assign(_Class* pObject) {
    _Class* old = m_pObject;
    basanite_retain(pObject);
    m_pObject = pObject;
    basanite_release(old);
    return *this;
  }
  template <class _OtherClass> void take(SharedPtr<_OtherClass>& other) {
    _Class* old = m_pObject;
    m_pObject = other.get();
    other.detach();
    basanite_release(old);
  }

  _Class* m_pObject;
};

// A SharedPtr that adds a retain of its own.
template <class _Class> SharedPtr<_Class> RetainPtr(_Class* pObject) {
  SharedPtr<_Class> result;
  basanite_retain(pObject);
  result.m_pObject = pObject;
  return result;
}

// A SharedPtr that takes over the caller's retain, as for the results of alloc, new, copy and create.
template <class _Class> SharedPtr<_Class> TransferPtr(_Class* pObject) {
  SharedPtr<_Class> result;
  result.m_pObject = pObject;
  return result;
}

} // namespace NS

template <class _ClassLhs, class _ClassRhs>
bool operator==(const NS::SharedPtr<_ClassLhs>& lhs, const NS::SharedPtr<_ClassRhs>& rhs) {
  return lhs.get() == rhs.get();
}
template <class _ClassLhs, class _ClassRhs>
bool operator!=(const NS::SharedPtr<_ClassLhs>& lhs, const NS::SharedPtr<_ClassRhs>& rhs) {
  return lhs.get() != rhs.get();
}

template <class T> struct std::hash<NS::SharedPtr<T>> {
  size_t operator()(const NS::SharedPtr<T>& p) const { return std::hash<T*>{}(p.get()); }
};
"""

MTLSTR = """\
// A constant string that lives for ever; the same text gives the same object, looked up once at each place of use.
#define MTLSTR(literal)                                                                                      \\
  ([]() -> NS::String* {                                                                                     \\
    static NS::String* const string =                                                                        \\
        static_cast<NS::String*>(basanite_constant_string("" literal "", sizeof(literal) - 1));              \\
    return string;                                                                                           \\
  }())
"""

METALCPP_VERSION_CHECK = """\
#define METALCPP_SUPPORTS_VERSION(major, minor, patch)                                                       \\
  ((major < METALCPP_VERSION_MAJOR) || (major == METALCPP_VERSION_MAJOR && minor < METALCPP_VERSION_MINOR) || \\
   (major == METALCPP_VERSION_MAJOR && minor == METALCPP_VERSION_MINOR && patch <= METALCPP_VERSION_PATCH))
"""
