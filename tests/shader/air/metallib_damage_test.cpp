// SPDX-License-Identifier: Apache-2.0
// Damaged containers: one sentence, never a crash, never a function that is not what was written.
#include "tests/shader/air/metallib_fixture.hpp"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/SHA256.h>
#include <random>

namespace basanite::shader::air::test {
namespace {

void setNumber(std::vector<uint8_t>& bytes, size_t offset, size_t size, uint64_t value) {
  for (size_t i = 0; i < size && offset + i < bytes.size(); ++i)
    bytes[offset + i] = static_cast<uint8_t>(value >> (8 * i));
}

size_t placeOf(const std::vector<uint8_t>& bytes, std::string_view text) {
  auto found = std::search(bytes.begin(), bytes.end(), text.begin(), text.end());
  return static_cast<size_t>(found - bytes.begin());
}

bool isOneSentence(const std::string& message) {
  return message.size() > 20 && message.back() == '.' && message.find('\n') == std::string::npos;
}

// A file that reads all the same (its damage lies where nothing is checked) must give functions that stand
// whole in it.
void expectSound(const std::vector<uint8_t>& file) {
  auto library = readMetallib(file);
  if (!library) {
    EXPECT_TRUE(isOneSentence(library.error().message)) << library.error().message;
    return;
  }
  for (const MetallibFunction& function : library->functions) {
    ASSERT_GE(function.bitcode.data(), file.data());
    ASSERT_LE(function.bitcode.data() + function.bitcode.size(), file.data() + file.size());
    ASSERT_FALSE(function.name.empty());
  }
}

TEST(MetallibDamage, EveryTruncation) {
  std::vector<uint8_t> file = written(someEntries());
  for (size_t size = 0; size < file.size(); ++size) {
    std::vector<uint8_t> part(file.begin(), file.begin() + long(size));
    EXPECT_TRUE(isOneSentence(readError(part))) << size;
    // The same with a header that agrees.
    if (size < 88) continue;
    setNumber(part, 16, 8, size);
    EXPECT_TRUE(isOneSentence(readError(part))) << size;
  }
}

TEST(MetallibDamage, EveryByteOfTheBitcodeIsHashed) {
  std::vector<uint8_t> file = written(someEntries());
  auto library = readMetallib(file);
  ASSERT_TRUE(library);
  size_t begin = library->functions[0].bitcodeOffset;
  for (size_t at = begin; at < file.size(); ++at) {
    std::vector<uint8_t> broken = file;
    broken[at] ^= 0x10;
    EXPECT_NE(readError(broken).find("the bitcode of function"), std::string::npos) << at;
  }
}

TEST(MetallibDamage, EveryByteTakesEveryTurn) {
  std::vector<uint8_t> file = written(someEntries());
  for (size_t at = 0; at < file.size(); ++at)
    for (uint8_t value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      std::vector<uint8_t> broken = file;
      broken[at] = value;
      expectSound(broken);
    }
}

// 20,000 files, the same in every run.
TEST(MetallibDamage, ManyMutations) {
  std::vector<uint8_t> file = written(someEntries());
  std::mt19937 random(20261130);
  auto below = [&](size_t limit) { return std::uniform_int_distribution<size_t>(0, limit - 1)(random); };
  constexpr uint64_t kExtremes[] = {
      0, 1, 7, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff, 0x7fffffffffffffff, 0xffffffffffffffff};
  size_t errors = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<uint8_t> broken = file;
    for (size_t change = 0; change <= below(3); ++change) {
      size_t at = below(broken.size());
      switch (below(6)) {
      case 0:
        broken[at] ^= uint8_t(1) << below(8);
        break;
      case 1:
        broken[at] = static_cast<uint8_t>(random());
        break;
      case 2:
        setNumber(broken, at, size_t(1) << below(4), kExtremes[below(std::size(kExtremes))]);
        break;
      case 3:
        broken.resize(at + 1);
        break;
      case 4:
        broken.erase(broken.begin() + long(at),
                     broken.begin() + long(std::min(broken.size(), at + 1 + below(40))));
        break;
      case 5:
        broken.insert(broken.begin() + long(at), file.begin() + long(below(file.size() / 2)), file.end());
        break;
      }
      if (broken.empty()) broken.push_back(0);
    }
    errors += !readMetallib(broken).ok();
    expectSound(broken);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(errors, 15000u);
}

TEST(MetallibDamage, SaysWhatAndWhere) {
  const std::vector<uint8_t> file = written(someEntries());
  auto with = [&](size_t offset, size_t size, uint64_t value) {
    std::vector<uint8_t> broken = file;
    setNumber(broken, offset, size, value);
    return readError(broken);
  };
  EXPECT_EQ(readError(std::span(file).first(50)),
            "The library file is damaged: it has 50 bytes, fewer than the 88 of its header.");
  EXPECT_EQ(with(16, 8, 1000000),
            "The library file is damaged: its header says that it has 1000000 bytes, but there are " +
                std::to_string(file.size()) + ".");
  EXPECT_EQ(with(80, 8, 5000), "The library file is damaged: its bitcode (5000 bytes from byte " +
                                   std::to_string(readMetallib(file)->functions[0].bitcodeOffset) +
                                   ") goes past its end at byte " + std::to_string(file.size()) + ".");
  EXPECT_EQ(with(88, 4, 100000),
            "The library file is damaged: its function list at byte 88 cannot hold 100000 functions.");
  EXPECT_EQ(with(92, 4, 3), "The library file is damaged: a size of 3 bytes in function 1 of 3 (byte 92).");
  EXPECT_EQ(with(placeOf(file, "TYPE") + 6, 1, 9),
            "The library file is damaged: an unknown kind 9 in function 1 of 3 (byte 92).");
  EXPECT_EQ(with(placeOf(file, "HASH") + 6, 1, 0),
            "The library file is damaged: the bitcode of function \"corner\" (128 bytes from byte " +
                std::to_string(readMetallib(file)->functions[0].bitcodeOffset) +
                ") does not have the hash that the file gives for it.");
}

// Where the payload of a function's tag lies.
size_t payloadOf(const std::vector<uint8_t>& file, std::string_view tag, size_t function) {
  auto at = file.begin();
  for (size_t i = 0; i <= function; ++i) at = std::search(at + (i > 0), file.end(), tag.begin(), tag.end());
  return static_cast<size_t>(at - file.begin()) + 6;
}
// Of the tag OFFT: public metadata, private metadata, bitcode.
constexpr size_t kPublic = 0, kBitcode = 16;

TEST(MetallibDamage, FunctionsMayShareBitcodeWhole) {
  std::vector<MetallibEntry> entries = someEntries();
  entries[2].bitcode = entries[0].bitcode;
  std::vector<uint8_t> file = written(entries);
  setNumber(file, payloadOf(file, "OFFT", 2) + kBitcode, 8, 0);
  auto library = readMetallib(file);
  ASSERT_TRUE(library) << library.error().message;
  EXPECT_EQ(library->functions[2].bitcode.data(), library->functions[0].bitcode.data());
  EXPECT_EQ(library->functions[2].bitcode.size(), library->functions[0].bitcode.size());
  // Each with the hash that it gives.
  file[payloadOf(file, "HASH", 2)] ^= 1;
  EXPECT_NE(readError(file).find("\"twice<float>\" (128 bytes from byte "), std::string::npos);
}

TEST(MetallibDamage, BitcodeMayNotOverlap) {
  std::vector<MetallibEntry> entries = someEntries();
  const uint8_t kMagic[] = {'B', 'C', 0xC0, 0xDE};
  // At byte 80 of the 128 that it has wrapped.
  std::copy(std::begin(kMagic), std::end(kMagic), entries[0].bitcode.begin() + 60);
  std::vector<uint8_t> file = written(entries);
  size_t begin = readMetallib(file)->functions[0].bitcodeOffset;
  auto overlap = [&](size_t function, uint64_t offset, uint64_t size) {
    std::vector<uint8_t> broken = file;
    setNumber(broken, payloadOf(file, "OFFT", function) + kBitcode, 8, offset);
    setNumber(broken, payloadOf(file, "MDSZ", function), 8, size);
    return readError(broken);
  };
  auto sentence = [&](const char* name, uint64_t offset, uint64_t size, const char* other) {
    return "The library file is damaged: the bitcode of function \"" + std::string(name) + "\" (" +
           std::to_string(size) + " bytes from byte " + std::to_string(begin + offset) +
           ") overlaps that of function \"" + other + "\".";
  };
  EXPECT_EQ(overlap(1, 80, 40), sentence("shade", 80, 40, "corner"));
  EXPECT_EQ(overlap(1, 80, 100), sentence("shade", 80, 100, "corner"));
  EXPECT_EQ(overlap(1, 0, 124), sentence("shade", 0, 124, "corner"));
  // The later one is the first that is read.
  std::swap(entries[0], entries[1]);
  file = written(entries);
  size_t shade = static_cast<size_t>(readMetallib(file)->functions[0].bitcode.size());
  setNumber(file, payloadOf(file, "OFFT", 0) + kBitcode, 8, shade + 80);
  setNumber(file, payloadOf(file, "MDSZ", 0), 8, 40);
  std::vector<uint8_t> inner(file.begin() + long(begin + shade + 80),
                             file.begin() + long(begin + shade + 120));
  std::array<uint8_t, 32> hash = llvm::SHA256::hash(llvm::ArrayRef<uint8_t>(inner.data(), inner.size()));
  std::copy(hash.begin(), hash.end(), file.begin() + long(payloadOf(file, "HASH", 0)));
  EXPECT_EQ(readError(file), sentence("corner", shade, 128, "shade"));
}

// Else a small file would be many times its size in memory.
TEST(MetallibDamage, SharedMetadataIsLimited) {
  std::vector<MetallibEntry> entries(400, someEntries()[1]);
  for (size_t i = 0; i < entries.size(); ++i) entries[i].name += std::to_string(i);
  entries[0].vertexAttributes.assign(2000, {"a", 0, 5});
  std::vector<uint8_t> file = written(entries);
  ASSERT_TRUE(readMetallib(file));
  size_t first = payloadOf(file, "OFFT", 0);
  for (size_t i = 0, at = first; i < entries.size(); ++i, at = payloadOf(file, "OFFT", i))
    std::copy_n(file.begin() + long(first + kPublic), 8, file.begin() + long(at + kPublic));
  EXPECT_NE(readError(file).find("more metadata of this and earlier functions than the " +
                                 std::to_string(file.size()) + " bytes of the file"),
            std::string::npos)
      << readError(file);
}

TEST(MetallibDamage, TwoFunctionsOfOneName) {
  std::vector<MetallibEntry> entries = someEntries();
  entries[2].name = entries[0].name;
  EXPECT_EQ(readError(written(entries)),
            "The library file is damaged: two of its functions are named \"corner\".");
}

} // namespace
} // namespace basanite::shader::air::test
