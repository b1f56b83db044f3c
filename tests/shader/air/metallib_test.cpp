// SPDX-License-Identifier: Apache-2.0
// What the container holds comes back, and its bytes are where facts/air-and-metallib.md puts them.
#include "tests/shader/air/metallib_fixture.hpp"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/SHA256.h>

namespace basanite::shader::air::test {
namespace {

uint64_t numberAt(std::span<const uint8_t> bytes, size_t offset, size_t size) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; ++i) value |= uint64_t(bytes[offset + i]) << (8 * i);
  return value;
}

TEST(Metallib, ReadsWhatWasWritten) {
  std::vector<MetallibEntry> entries = someEntries();
  std::vector<uint8_t> file = written(entries);
  auto library = readMetallib(file);
  ASSERT_TRUE(library) << library.error().message;
  EXPECT_EQ(library->container.major, 2);
  EXPECT_EQ(library->container.minor, 9);
  ASSERT_EQ(library->functions.size(), entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    const MetallibFunction& function = library->functions[i];
    const MetallibEntry& entry = entries[i];
    EXPECT_EQ(function.name, entry.name);
    EXPECT_EQ(function.kind, entry.kind);
    EXPECT_EQ(function.air.major, entry.air.major);
    EXPECT_EQ(function.air.minor, entry.air.minor);
    EXPECT_EQ(function.language.major, entry.language.major);
    EXPECT_EQ(function.language.minor, entry.language.minor);
    EXPECT_EQ(function.bitcode.data(), file.data() + function.bitcodeOffset);
    ASSERT_EQ(function.vertexAttributes.size(), entry.vertexAttributes.size());
    for (size_t k = 0; k < entry.vertexAttributes.size(); ++k) {
      EXPECT_EQ(function.vertexAttributes[k].name, entry.vertexAttributes[k].name);
      EXPECT_EQ(function.vertexAttributes[k].index, entry.vertexAttributes[k].index);
      EXPECT_EQ(function.vertexAttributes[k].type, entry.vertexAttributes[k].type);
    }
  }
}

// For other readers: ours takes them from the bitcode.
TEST(Metallib, ListsFunctionConstants) {
  std::vector<uint8_t> file = written(someEntries());
  auto begin = file.begin() + long(numberAt(file, 40, 8));
  auto end = begin + long(numberAt(file, 48, 8));
  const uint8_t kRows[] = {'C', 'N', 'S', 'T', 19, 0,   2,   0, 's', 'c', 'a', 'l', 'e',
                           0,   3,   7,   0,   1,  'o', 'n', 0, 53,  44,  1,   0};
  EXPECT_NE(std::search(begin, end, std::begin(kRows), std::end(kRows)), end);
}

// Bitcode stands in the wrapper of Darwin's tools, padded to 16 bytes, and is hashed so.
TEST(Metallib, WrapsBitcode) {
  std::vector<MetallibEntry> entries = someEntries();
  std::vector<uint8_t> file = written(entries);
  auto library = readMetallib(file);
  ASSERT_TRUE(library);
  for (size_t i = 0; i < entries.size(); ++i) {
    std::span<const uint8_t> blob = library->functions[i].bitcode;
    EXPECT_EQ(blob.size() % 16, 0u);
    EXPECT_EQ(numberAt(blob, 0, 4), 0x0B17C0DEu);
    EXPECT_EQ(numberAt(blob, 4, 4), 0u);
    EXPECT_EQ(numberAt(blob, 8, 4), 20u);
    EXPECT_EQ(numberAt(blob, 12, 4), entries[i].bitcode.size());
    EXPECT_EQ(numberAt(blob, 16, 4), 0xFFFFFFFFu);
    EXPECT_TRUE(std::equal(entries[i].bitcode.begin(), entries[i].bitcode.end(), blob.begin() + 20));
    EXPECT_EQ(llvm::SHA256::hash(llvm::ArrayRef<uint8_t>(blob.data(), blob.size())),
              library->functions[i].hash);
  }
}

TEST(Metallib, HeaderIsThatOfAMacosLibrary) {
  std::vector<uint8_t> file = written(someEntries());
  EXPECT_EQ(std::string(file.begin(), file.begin() + 4), "MTLB");
  EXPECT_EQ(numberAt(file, 4, 2), 0x8001u);
  EXPECT_EQ(file[10], 0);
  EXPECT_EQ(file[11], 0x81);
  EXPECT_EQ(numberAt(file, 12, 2), 26u);
  EXPECT_EQ(numberAt(file, 16, 8), file.size());
  EXPECT_EQ(numberAt(file, 24, 8), 88u);
  // From the count to the last group, less 4; then the closing tag of an empty extension, then the metadata.
  uint64_t listEnd = 88 + numberAt(file, 32, 8) + 4;
  EXPECT_EQ(std::string(file.begin() + long(listEnd), file.begin() + long(listEnd) + 4), "ENDT");
  EXPECT_EQ(numberAt(file, 40, 8), listEnd + 4);
  // The sections follow each other to the end.
  EXPECT_EQ(numberAt(file, 56, 8), numberAt(file, 40, 8) + numberAt(file, 48, 8));
  EXPECT_EQ(numberAt(file, 72, 8), numberAt(file, 56, 8) + numberAt(file, 64, 8));
  EXPECT_EQ(file.size(), numberAt(file, 72, 8) + numberAt(file, 80, 8));
}

TEST(Metallib, WrappedBitcodeIsWrittenAsItIs) {
  std::vector<uint8_t> first = written(someEntries());
  auto library = readMetallib(first);
  ASSERT_TRUE(library);
  std::vector<MetallibEntry> again = someEntries();
  for (size_t i = 0; i < again.size(); ++i)
    again[i].bitcode.assign(library->functions[i].bitcode.begin(), library->functions[i].bitcode.end());
  EXPECT_EQ(written(again), first);
}

TEST(Metallib, EmptyLibrary) {
  std::vector<uint8_t> file = written({});
  auto library = readMetallib(file);
  ASSERT_TRUE(library) << library.error().message;
  EXPECT_TRUE(library->functions.empty());
}

TEST(Metallib, NameTooLong) {
  std::vector<MetallibEntry> entries = someEntries();
  entries[0].name.assign(70000, 'x');
  auto file = writeMetallib(entries);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().message,
            "A function name of 70000 bytes is too long for a library file, which takes 65534.");
}

// Files of AIR 1.8 have no tag MDSZ: bitcode goes on to that of the next function.
TEST(Metallib, BitcodeWithoutASize) {
  std::vector<uint8_t> file = written(someEntries());
  for (size_t i = 88; i + 4 <= file.size(); ++i)
    if (std::equal(file.begin() + long(i), file.begin() + long(i) + 4, "MDSZ"))
      std::copy_n("XXXX", 4, file.begin() + long(i));
  auto library = readMetallib(file);
  ASSERT_TRUE(library) << library.error().message;
  EXPECT_EQ(library->functions[0].bitcode.size(), 128u);
  EXPECT_EQ(library->functions[2].bitcode.size(), 64u);
}

std::vector<uint8_t> universal(const std::vector<std::vector<uint8_t>>& slices) {
  std::vector<uint8_t> file;
  auto big = [&](uint64_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) file.push_back(static_cast<uint8_t>(value >> shift));
  };
  big(0xCAFEBABE);
  big(slices.size());
  uint64_t offset = 8 + 20 * slices.size();
  for (const std::vector<uint8_t>& slice : slices) {
    for (uint64_t value : {uint64_t(0x1000017), uint64_t(1), offset, uint64_t(slice.size()), uint64_t(0)})
      big(value);
    offset += slice.size();
  }
  for (const std::vector<uint8_t>& slice : slices) file.insert(file.end(), slice.begin(), slice.end());
  return file;
}

TEST(Metallib, FindsTheContainerInAUniversalFile) {
  std::vector<uint8_t> machineCode(200, 0xCF);
  std::vector<uint8_t> file = universal({machineCode, written(someEntries()), machineCode});
  auto library = readMetallib(file);
  ASSERT_TRUE(library) << library.error().message;
  EXPECT_EQ(library->functions.size(), 3u);
  EXPECT_EQ(readError(universal({machineCode, machineCode})),
            "The library file holds machine code of 2 GPUs and no AIR, so it cannot be used on another GPU.");
}

TEST(Metallib, OtherKindsOfLibraries) {
  std::vector<uint8_t> file = written(someEntries());
  file[10] = 2;
  EXPECT_EQ(readError(file),
            "The library file is a dynamic library, which cannot be loaded as a library of functions.");
  file[10] = 3;
  EXPECT_EQ(readError(file), "The library file holds symbols only, and no function.");
}

TEST(Metallib, OtherFiles) {
  EXPECT_EQ(readError({}), "The file is empty, so it is no Metal library.");
  std::vector<uint8_t> text = {'k', 'e'};
  EXPECT_EQ(readError(text),
            "The file is no Metal library: it begins with 6b 65, not with 4d 54 4c 42 (MTLB).");
}

} // namespace
} // namespace basanite::shader::air::test
