// SPDX-License-Identifier: Apache-2.0
// Writes .metallib files. Facts: facts/air-and-metallib.md 1.1 to 1.4.
#include "src/shader/air/metallib.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/SHA256.h>

namespace basanite::shader::air {

namespace {

constexpr uint16_t kPlatformMacos = 0x8001;
constexpr MetallibVersion kContainer = {2, 9};
constexpr uint8_t kKindExecutable = 0;
constexpr uint8_t kSystemMacos = 0x81;
constexpr MetallibVersion kSystem = {26, 0};
constexpr uint32_t kWrapperMagic = 0x0B17C0DE;
constexpr uint32_t kWrapperBytes = 20;
constexpr uint32_t kAnyProcessor = 0xFFFFFFFF;
constexpr size_t kBitcodeAlign = 16;
constexpr uint16_t kAttributeActive = 0x8000;

class Writer {
 public:
  template <class Integer> Writer& number(Integer value) {
    std::array<uint8_t, sizeof(Integer)> little;
    for (size_t i = 0; i < little.size(); ++i) little[i] = static_cast<uint8_t>(uint64_t(value) >> (8 * i));
    return bytes(little);
  }
  Writer& text(std::string_view text) { // with the zero behind it
    m_bytes.insert(m_bytes.end(), text.begin(), text.end());
    m_bytes.push_back(0);
    return *this;
  }
  Writer& raw(std::string_view characters) {
    m_bytes.insert(m_bytes.end(), characters.begin(), characters.end());
    return *this;
  }
  Writer& bytes(std::span<const uint8_t> bytes) {
    m_bytes.resize(m_bytes.size() + bytes.size());
    std::copy(bytes.begin(), bytes.end(), m_bytes.end() - static_cast<std::ptrdiff_t>(bytes.size()));
    return *this;
  }
  Writer& tag(std::string_view name, const Writer& payload) {
    raw(name).number(static_cast<uint16_t>(payload.m_bytes.size()));
    return bytes(payload.m_bytes);
  }
  Writer& end() { return raw("ENDT"); }
  size_t size() const { return m_bytes.size(); }
  const std::vector<uint8_t>& content() const { return m_bytes; }
  std::vector<uint8_t> take() { return std::move(m_bytes); }

 private:
  std::vector<uint8_t> m_bytes;
};

std::vector<uint8_t> wrapped(const std::vector<uint8_t>& bitcode) {
  Writer writer;
  uint32_t magic = 0;
  for (size_t i = 0; i < 4 && i < bitcode.size(); ++i) magic |= uint32_t(bitcode[i]) << (8 * i);
  if (magic != kWrapperMagic) {
    writer.number(kWrapperMagic).number(uint32_t(0)).number(kWrapperBytes);
    writer.number(static_cast<uint32_t>(bitcode.size())).number(kAnyProcessor);
  }
  writer.bytes(bitcode);
  std::vector<uint8_t> blob = writer.take();
  blob.resize((blob.size() + kBitcodeAlign - 1) / kBitcodeAlign * kBitcodeAlign);
  return blob;
}

Writer publicMetadata(const MetallibEntry& entry) {
  Writer tags;
  if (!entry.constants.empty()) {
    Writer rows;
    rows.number(static_cast<uint16_t>(entry.constants.size()));
    for (const FunctionConstantInfo& constant : entry.constants)
      rows.text(constant.name)
          .number(static_cast<uint8_t>(constant.type))
          .number(static_cast<uint16_t>(constant.index))
          .number(static_cast<uint8_t>(constant.required));
    tags.tag("CNST", rows);
  }
  if (!entry.vertexAttributes.empty()) {
    Writer names, types;
    names.number(static_cast<uint16_t>(entry.vertexAttributes.size()));
    types.number(static_cast<uint16_t>(entry.vertexAttributes.size()));
    for (const VertexAttributeInfo& attribute : entry.vertexAttributes) {
      names.text(attribute.name).number(static_cast<uint16_t>((attribute.index & 0xff) | kAttributeActive));
      types.number(static_cast<uint8_t>(attribute.type));
    }
    tags.tag("VATT", names).tag("VATY", types);
  }
  tags.end();
  Writer all;
  all.number(static_cast<uint32_t>(tags.size())).bytes(tags.content());
  return all;
}

} // namespace

base::Result<std::vector<uint8_t>> writeMetallib(const std::vector<MetallibEntry>& entries) {
  constexpr size_t kLongestTag = 0xffff;
  Writer list, publicData, privateData, bitcode;
  list.number(static_cast<uint32_t>(entries.size()));
  for (const MetallibEntry& entry : entries) {
    if (entry.name.size() + 1 > kLongestTag)
      return base::Error{
          fmt::format("A function name of {} bytes is too long for a library file, which takes {}.",
                      entry.name.size(), kLongestTag - 1)};
    Writer metadata = publicMetadata(entry);
    if (metadata.size() > kLongestTag)
      return base::Error{fmt::format(
          "The vertex attributes and function constants of \"{}\" take {} bytes, more than the {} that a "
          "library file has for them.",
          entry.name, metadata.size(), kLongestTag)};
    std::vector<uint8_t> blob = wrapped(entry.bitcode);
    Writer tags;
    tags.tag("NAME", Writer().text(entry.name));
    tags.tag("TYPE", Writer().number(static_cast<uint8_t>(entry.kind)));
    tags.tag("HASH", Writer().bytes(llvm::SHA256::hash(llvm::ArrayRef<uint8_t>(blob.data(), blob.size()))));
    tags.tag("MDSZ", Writer().number(uint64_t(blob.size())));
    tags.tag("OFFT", Writer()
                         .number(uint64_t(publicData.size()))
                         .number(uint64_t(privateData.size()))
                         .number(uint64_t(bitcode.size())));
    tags.tag("VERS", Writer()
                         .number(entry.air.major)
                         .number(entry.air.minor)
                         .number(entry.language.major)
                         .number(entry.language.minor));
    tags.end();
    list.number(static_cast<uint32_t>(tags.size() + 4)).bytes(tags.content());
    publicData.bytes(metadata.content());
    privateData.number(uint32_t(4)).end();
    bitcode.bytes(blob);
  }
  // What extends the header: nothing.
  Writer extension;
  extension.end();

  constexpr uint64_t kHeaderBytes = 88;
  uint64_t publicAt = kHeaderBytes + list.size() + extension.size();
  uint64_t privateAt = publicAt + publicData.size();
  uint64_t bitcodeAt = privateAt + privateData.size();
  Writer file;
  file.raw("MTLB").number(kPlatformMacos).number(kContainer.major).number(kContainer.minor);
  file.number(kKindExecutable).number(kSystemMacos).number(kSystem.major).number(kSystem.minor);
  file.number(bitcodeAt + bitcode.size());
  // The list's size leaves out its count, as in every file that was looked at.
  file.number(kHeaderBytes).number(uint64_t(list.size() - 4));
  file.number(publicAt).number(uint64_t(publicData.size()));
  file.number(privateAt).number(uint64_t(privateData.size()));
  file.number(bitcodeAt).number(uint64_t(bitcode.size()));
  file.bytes(list.content())
      .bytes(extension.content())
      .bytes(publicData.content())
      .bytes(privateData.content());
  file.bytes(bitcode.content());
  return file.take();
}

} // namespace basanite::shader::air
