// SPDX-License-Identifier: Apache-2.0
// Reads .metallib files. Facts: facts/air-and-metallib.md 1.1 to 1.4.
#include "src/shader/air/metallib.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/SHA256.h>
#include <map>
#include <set>
#include <string_view>

namespace basanite::shader::air {

namespace {

using Bytes = std::span<const uint8_t>;

constexpr size_t kHeaderBytes = 88;
constexpr uint32_t kUniversalMagic = 0xCAFEBABE; // big endian, as everything in that header
constexpr uint32_t kWrapperMagic = 0x0B17C0DE;
constexpr uint32_t kBitcodeMagic = 0xDEC04342; // 'B' 'C' 0xC0DE
constexpr size_t kWrapperBytes = 20;

template <class Integer> Integer littleAt(Bytes bytes, size_t offset) {
  uint64_t value = 0;
  for (size_t i = 0; i < sizeof(Integer); ++i) value |= uint64_t(bytes[offset + i]) << (8 * i);
  return static_cast<Integer>(value);
}

uint32_t bigAt(Bytes bytes, size_t offset) {
  return uint32_t(bytes[offset]) << 24 | uint32_t(bytes[offset + 1]) << 16 |
         uint32_t(bytes[offset + 2]) << 8 | bytes[offset + 3];
}

bool fits(uint64_t offset, uint64_t size, uint64_t whole) {
  return offset <= whole && size <= whole - offset;
}

base::Error damaged(const std::string& what) {
  return base::Error{"The library file is damaged: " + what + "."};
}

// Reads on from a place in the file; nothing is read once something was missing.
class Reader {
 public:
  Reader(Bytes file, size_t begin, size_t end) : m_file(file), m_at(begin), m_end(end) {}

  bool failed() const { return m_failed; }
  size_t at() const { return m_at; }
  size_t left() const { return m_end - m_at; }

  Bytes bytes(size_t count) {
    if (m_failed || count > left()) {
      m_failed = true;
      return {};
    }
    Bytes result = m_file.subspan(m_at, count);
    m_at += count;
    return result;
  }
  template <class Integer> Integer number() {
    Bytes raw = bytes(sizeof(Integer));
    return m_failed ? Integer(0) : littleAt<Integer>(raw, 0);
  }
  // Text up to a zero, which is read too.
  std::string text() {
    Bytes rest = m_file.subspan(m_at, left());
    auto zero = std::find(rest.begin(), rest.end(), uint8_t(0));
    if (m_failed || zero == rest.end()) {
      m_failed = true;
      return {};
    }
    Bytes raw = bytes(static_cast<size_t>(zero - rest.begin()) + 1);
    return std::string(reinterpret_cast<const char*>(raw.data()), raw.size() - 1);
  }
  Reader part(size_t count) {
    size_t begin = m_at;
    bytes(count);
    Reader inner(m_file, begin, m_failed ? begin : begin + count);
    inner.m_failed = m_failed;
    return inner;
  }

 private:
  Bytes m_file;
  size_t m_at, m_end;
  bool m_failed = false;
};

struct Section {
  uint64_t offset = 0, size = 0;
};

class ContainerReader {
 public:
  explicit ContainerReader(Bytes file) : m_file(file) {}

  base::Result<Metallib> read() {
    BASANITE_TRY_VOID(readHeader());
    BASANITE_TRY_VOID(readList());
    BASANITE_TRY_VOID(placeBitcode());
    for (size_t i = 0; i < m_library.functions.size(); ++i) {
      BASANITE_TRY_VOID(readMetadata(i, m_public, m_library.functions[i].publicOffset, "public"));
      BASANITE_TRY_VOID(readMetadata(i, m_private, m_library.functions[i].privateOffset, "private"));
    }
    return std::move(m_library);
  }

 private:
  base::Result<void> readHeader() {
    if (m_file.size() < kHeaderBytes)
      return damaged(
          fmt::format("it has {} bytes, fewer than the {} of its header", m_file.size(), kHeaderBytes));
    m_library.platform = littleAt<uint16_t>(m_file, 4);
    m_library.container = {littleAt<uint16_t>(m_file, 6), littleAt<uint16_t>(m_file, 8)};
    uint8_t kind = m_file[10];
    if (m_library.container.major < 1 || m_library.container.major > 2)
      return base::Error{
          fmt::format("The library file has the format version {}.{}; versions 1 and 2 are read.",
                      m_library.container.major, m_library.container.minor)};
    if (kind == 2)
      return base::Error{
          "The library file is a dynamic library, which cannot be loaded as a library of functions."};
    if (kind == 3) return base::Error{"The library file holds symbols only, and no function."};
    if (kind > 3) return damaged(fmt::format("its kind is {}, but kinds go up to 3", kind));
    uint64_t size = littleAt<uint64_t>(m_file, 16);
    if (size < kHeaderBytes)
      return damaged(
          fmt::format("its header says that it has {} bytes, fewer than the {} of the header itself", size,
                      kHeaderBytes));
    if (size > m_file.size())
      return damaged(
          fmt::format("its header says that it has {} bytes, but there are {}", size, m_file.size()));
    m_file = m_file.first(size);
    m_list = {littleAt<uint64_t>(m_file, 24), littleAt<uint64_t>(m_file, 32)};
    m_public = {littleAt<uint64_t>(m_file, 40), littleAt<uint64_t>(m_file, 48)};
    m_private = {littleAt<uint64_t>(m_file, 56), littleAt<uint64_t>(m_file, 64)};
    m_bitcode = {littleAt<uint64_t>(m_file, 72), littleAt<uint64_t>(m_file, 80)};
    BASANITE_TRY_VOID(check("function list", m_list));
    BASANITE_TRY_VOID(check("public metadata", m_public));
    BASANITE_TRY_VOID(check("private metadata", m_private));
    return check("bitcode", m_bitcode);
  }

  base::Result<void> check(const char* name, const Section& section) const {
    if (fits(section.offset, section.size, m_file.size())) return {};
    return damaged(fmt::format("its {} ({} bytes from byte {}) goes past its end at byte {}", name,
                               section.size, section.offset, m_file.size()));
  }

  base::Result<void> readList() {
    // Up to the end of the file: the size in the header leaves out 4 bytes.
    Reader list(m_file, m_list.offset, m_file.size());
    uint32_t count = list.number<uint32_t>();
    constexpr size_t kSmallestGroup = 8;
    if (list.failed() || count > list.left() / kSmallestGroup)
      return damaged(
          fmt::format("its function list at byte {} cannot hold {} functions", m_list.offset, count));
    std::set<std::string_view> names;
    for (uint32_t i = 0; i < count; ++i) BASANITE_TRY_VOID(readFunction(list, i, count));
    for (const MetallibFunction& function : m_library.functions)
      if (!names.insert(function.name).second)
        return damaged(fmt::format("two of its functions are named \"{}\"", function.name));
    return {};
  }

  base::Result<void> readFunction(Reader& list, uint32_t index, uint32_t count) {
    size_t begin = list.at();
    auto wrong = [&](const std::string& what) {
      return damaged(fmt::format("{} in function {} of {} (byte {})", what, index + 1, count, begin));
    };
    uint32_t size = list.number<uint32_t>();
    if (list.failed() || size < 8 || size - 4 > list.left())
      return wrong(fmt::format("a size of {} bytes", size));
    Reader group = list.part(size - 4);
    MetallibFunction function;
    bool named = false, typed = false, hashed = false, placed = false;
    uint64_t bitcodeSize = 0;
    bool sized = false;
    while (true) {
      Bytes rawTag = group.bytes(4);
      if (group.failed()) return wrong("no closing tag");
      std::string tag(rawTag.begin(), rawTag.end());
      if (tag == "ENDT") break;
      Reader payload = group.part(group.number<uint16_t>());
      if (group.failed()) return wrong(fmt::format("a tag {} that is too long", printable(tag)));
      if (tag == "NAME") {
        function.name = payload.text();
        named = !payload.failed() && !function.name.empty();
      } else if (tag == "TYPE") {
        uint8_t kind = payload.number<uint8_t>();
        if (kind > static_cast<uint8_t>(MetallibKind::object))
          return wrong(fmt::format("an unknown kind {}", kind));
        function.kind = static_cast<MetallibKind>(kind);
        typed = !payload.failed();
      } else if (tag == "HASH") {
        Bytes hash = payload.bytes(function.hash.size());
        std::copy(hash.begin(), hash.end(), function.hash.begin());
        hashed = !payload.failed();
      } else if (tag == "MDSZ") {
        bitcodeSize = payload.number<uint64_t>();
        sized = !payload.failed();
      } else if (tag == "OFFT") {
        function.publicOffset = payload.number<uint64_t>();
        function.privateOffset = payload.number<uint64_t>();
        function.bitcodeOffset = payload.number<uint64_t>();
        placed = !payload.failed();
      } else if (tag == "VERS") {
        function.air = {payload.number<uint16_t>(), payload.number<uint16_t>()};
        function.language = {payload.number<uint16_t>(), payload.number<uint16_t>()};
      }
      if (payload.failed()) return wrong(fmt::format("a tag {} that is too short", printable(tag)));
    }
    if (!named) return wrong("no name");
    if (!typed) return wrong("no kind");
    if (!hashed) return wrong("no hash");
    if (!placed) return wrong("no offsets");
    for (auto [offset, section] : {std::pair(&function.publicOffset, &m_public),
                                   {&function.privateOffset, &m_private},
                                   {&function.bitcodeOffset, &m_bitcode}}) {
      if (*offset > section->size)
        return wrong(fmt::format("an offset of {} into a section of {} bytes", *offset, section->size));
      *offset += section->offset;
    }
    m_library.functions.push_back(std::move(function));
    m_sizes.push_back(sized ? std::optional(bitcodeSize) : std::nullopt);
    return {};
  }

  static std::string printable(const std::string& tag) {
    std::string text;
    for (char c : tag) text += c >= 32 && c < 127 ? c : '?';
    return text;
  }

  // Old files do not say how long a function's bitcode is: it goes on to that of the next.
  base::Result<void> placeBitcode() {
    std::vector<uint64_t> starts;
    for (const MetallibFunction& function : m_library.functions) starts.push_back(function.bitcodeOffset);
    std::sort(starts.begin(), starts.end());
    std::map<uint64_t, Blob> blobs;
    uint64_t sectionEnd = m_bitcode.offset + m_bitcode.size;
    for (size_t i = 0; i < m_library.functions.size(); ++i) {
      MetallibFunction& function = m_library.functions[i];
      auto next = std::upper_bound(starts.begin(), starts.end(), function.bitcodeOffset);
      uint64_t size =
          m_sizes[i].value_or((next == starts.end() ? sectionEnd : *next) - function.bitcodeOffset);
      auto wrong = [&](const std::string& what) {
        return damaged(fmt::format("the bitcode of function \"{}\" ({} bytes from byte {}) {}", function.name,
                                   size, function.bitcodeOffset, what));
      };
      if (size > sectionEnd - function.bitcodeOffset)
        return wrong(fmt::format("goes past the end of the bitcode at byte {}", sectionEnd));
      function.bitcode = m_file.subspan(function.bitcodeOffset, size);
      BASANITE_TRY_VOID(checkWrapper(function, wrong));
      auto [blob, added] = blobs.try_emplace(function.bitcodeOffset);
      const Blob* other = added                       ? overlapping(blobs, blob, size)
                          : blob->second.size != size ? &blob->second
                                                      : nullptr;
      if (other)
        return wrong(
            fmt::format("overlaps that of function \"{}\"", m_library.functions[other->function].name));
      if (added)
        blob->second = {i, size, llvm::SHA256::hash(llvm::ArrayRef<uint8_t>(function.bitcode.data(), size))};
      if (blob->second.hash != function.hash)
        return wrong("does not have the hash that the file gives for it");
    }
    return {};
  }

  // Bitcode that is hashed: whose it was first.
  struct Blob {
    size_t function = 0;
    uint64_t size = 0;
    std::array<uint8_t, 32> hash{};
  };
  // The neighbour, if any, that `added` would overlap with that size.
  static const Blob* overlapping(const std::map<uint64_t, Blob>& blobs,
                                 std::map<uint64_t, Blob>::const_iterator added, uint64_t size) {
    auto next = std::next(added);
    if (next != blobs.end() && next->first - added->first < size) return &next->second;
    if (added == blobs.begin()) return nullptr;
    auto previous = std::prev(added);
    return added->first - previous->first < previous->second.size ? &previous->second : nullptr;
  }

  template <class Wrong>
  static base::Result<void> checkWrapper(const MetallibFunction& function, Wrong wrong) {
    uint32_t magic = function.bitcode.size() < 4 ? 0 : littleAt<uint32_t>(function.bitcode, 0);
    if (magic == kBitcodeMagic) return {};
    if (magic != kWrapperMagic || function.bitcode.size() < kWrapperBytes) return wrong("is no LLVM bitcode");
    uint32_t offset = littleAt<uint32_t>(function.bitcode, 8),
             size = littleAt<uint32_t>(function.bitcode, 12);
    if (!fits(offset, size, function.bitcode.size()))
      return wrong(fmt::format("says of itself that it has {} bytes from byte {}", size, offset));
    return {};
  }

  base::Result<void> readMetadata(size_t index, const Section& section, uint64_t offset, const char* which) {
    MetallibFunction& function = m_library.functions[index];
    auto wrong = [&](const std::string& what) {
      return damaged(fmt::format("{} in the {} metadata of function \"{}\" (byte {})", what, which,
                                 function.name, offset));
    };
    Reader reader(m_file, offset, section.offset + section.size);
    // A function may have none: the section ends here.
    if (reader.left() == 0) return {};
    // Writers do not agree on whether the size counts itself; the closing tag ends the list.
    reader.number<uint32_t>();
    while (true) {
      Bytes rawTag = reader.bytes(4);
      if (reader.failed()) return wrong("no closing tag");
      std::string tag(rawTag.begin(), rawTag.end());
      if (tag == "ENDT") return {};
      size_t tagBytes = reader.left();
      Reader payload = reader.part(reader.number<uint16_t>());
      if (reader.failed()) return wrong(fmt::format("a tag {} that is too long", printable(tag)));
      m_metadataBytes += rawTag.size() + tagBytes - reader.left();
      if (m_metadataBytes > m_file.size())
        return wrong(fmt::format("more metadata of this and earlier functions than the {} bytes of the file",
                                 m_file.size()));
      if (tag == "VATT") readAttributeNames(payload, function);
      if (tag == "VATY") readAttributeTypes(payload, function);
      if (payload.failed()) return wrong(fmt::format("a tag {} that is too short", printable(tag)));
    }
  }

  static void readAttributeNames(Reader& payload, MetallibFunction& function) {
    uint16_t count = payload.number<uint16_t>();
    for (uint16_t i = 0; i < count && !payload.failed(); ++i) {
      VertexAttributeInfo& attribute = function.vertexAttributes.emplace_back();
      attribute.name = payload.text();
      attribute.index = payload.number<uint16_t>() & 0xff; // the rest says how it is used
    }
  }
  static void readAttributeTypes(Reader& payload, MetallibFunction& function) {
    uint16_t count = payload.number<uint16_t>();
    for (uint16_t i = 0; i < count && !payload.failed(); ++i) {
      uint8_t type = payload.number<uint8_t>();
      if (i < function.vertexAttributes.size()) function.vertexAttributes[i].type = type;
    }
  }

  Bytes m_file;
  Section m_list, m_public, m_private, m_bitcode;
  Metallib m_library;
  std::vector<std::optional<uint64_t>> m_sizes; // as stated, by function
  // Read so far, of both kinds. Lists that functions share count for each, so that no small file makes much
  // of them.
  uint64_t m_metadataBytes = 0;
};

bool isContainer(Bytes bytes) {
  return bytes.size() >= 4 && std::equal(bytes.begin(), bytes.begin() + 4, "MTLB");
}

// The container among the slices of a universal file; the others are machine code.
base::Result<Bytes> sliceOf(Bytes file) {
  constexpr size_t kSliceBytes = 20;
  uint32_t count = file.size() < 8 ? 0 : bigAt(file, 4);
  if (count == 0 || count > (file.size() - 8) / kSliceBytes)
    return damaged(fmt::format("its universal header cannot hold {} slices", count));
  for (uint32_t i = 0; i < count; ++i) {
    size_t row = 8 + i * kSliceBytes;
    uint32_t offset = bigAt(file, row + 8), size = bigAt(file, row + 12);
    if (!fits(offset, size, file.size()))
      return damaged(fmt::format("slice {} of {} ({} bytes from byte {}) goes past its end at byte {}", i + 1,
                                 count, size, offset, file.size()));
    if (isContainer(file.subspan(offset, size))) return file.subspan(offset, size);
  }
  return base::Error{fmt::format(
      "The library file holds machine code of {} GPUs and no AIR, so it cannot be used on another GPU.",
      count)};
}

} // namespace

const char* aMetallibKind(MetallibKind kind) {
  constexpr const char* kNames[] = {
      "a vertex function",        "a fragment function", "a kernel function",
      "a function of no stage",   "a visible function",  "a Core Image function",
      "an intersection function", "a mesh function",     "an object function"};
  return kNames[static_cast<size_t>(kind)];
}

std::optional<Stage> stageOf(MetallibKind kind) {
  switch (kind) {
  case MetallibKind::vertex:
    return Stage::vertex;
  case MetallibKind::fragment:
    return Stage::fragment;
  case MetallibKind::kernel:
    return Stage::kernel;
  case MetallibKind::mesh:
    return Stage::mesh;
  case MetallibKind::object:
    return Stage::object;
  case MetallibKind::visible:
    return Stage::visible;
  case MetallibKind::unqualified:
  case MetallibKind::external:
  case MetallibKind::intersection:
    return std::nullopt;
  }
  return std::nullopt;
}

base::Result<Metallib> readMetallib(std::span<const uint8_t> bytes) {
  if (bytes.size() >= 4 && bigAt(bytes, 0) == kUniversalMagic) {
    BASANITE_TRY(Bytes slice, sliceOf(bytes));
    return ContainerReader(slice).read();
  }
  if (isContainer(bytes)) return ContainerReader(bytes).read();
  std::string begin;
  for (size_t i = 0; i < std::min<size_t>(bytes.size(), 4); ++i) begin += fmt::format(" {:02x}", bytes[i]);
  return base::Error{
      begin.empty()
          ? std::string("The file is empty, so it is no Metal library.")
          : fmt::format("The file is no Metal library: it begins with{}, not with 4d 54 4c 42 (MTLB).",
                        begin)};
}

} // namespace basanite::shader::air
