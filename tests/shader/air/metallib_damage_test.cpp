// SPDX-License-Identifier: Apache-2.0
// Damaged containers: one sentence, never a crash, never a function that is not what was written.
#include "tests/shader/air/metallib_fixture.hpp"

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

} // namespace
} // namespace basanite::shader::air::test
