// SPDX-License-Identifier: Apache-2.0
// Files written plain and compressed, onto a full disk, into folders that are none.
#include "src/timing/output_file.hpp"

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <unistd.h>

#include <gtest/gtest.h>
#include <zlib.h>

namespace basanite::timing {
namespace {

std::string unzipped(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  std::string bytes;
  char block[4096];
  for (int count; (count = gzread(file, block, sizeof(block))) > 0;)
    bytes.append(block, static_cast<size_t>(count));
  EXPECT_EQ(gzclose(file), Z_OK);
  return bytes;
}

std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

class OutputFileTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(m_path); }
  std::string m_path =
      (std::filesystem::temp_directory_path() / ("output_file_test_" + std::to_string(getpid()))).string();
};

TEST_F(OutputFileTest, plainFilesHoldTheBytes) {
  ASSERT_TRUE(writeFile(m_path, std::string("a\0b", 3)).ok());
  EXPECT_EQ(contents(m_path), std::string("a\0b", 3));
  ASSERT_TRUE(writeFile(m_path, "").ok());
  EXPECT_EQ(contents(m_path), "");
}

TEST_F(OutputFileTest, compressedFilesUnpackToTheBytes) {
  auto file = OutputFile::create(m_path, OutputFile::Form::gzip);
  ASSERT_TRUE(file.ok());
  std::string all;
  for (int i = 0; i < 50'000; ++i) {
    const std::string line = "line " + std::to_string(i) + "\n";
    file->write(line);
    all += line;
  }
  ASSERT_TRUE(file->finish().ok());
  EXPECT_EQ(contents(m_path).substr(0, 2), "\x1f\x8b");
  EXPECT_LT(std::filesystem::file_size(m_path), all.size() / 3);
  EXPECT_EQ(unzipped(m_path), all);
}

TEST_F(OutputFileTest, aFolderThatIsNotThereIsASentence) {
  auto file = OutputFile::create("/nowhere/at/all", OutputFile::Form::plain);
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().message, "The file /nowhere/at/all cannot be written: No such file or directory.");
}

TEST_F(OutputFileTest, aFullDiskIsASentence) {
  for (auto form : {OutputFile::Form::plain, OutputFile::Form::gzip}) {
    std::filesystem::create_symlink("/dev/full", m_path);
    auto file = OutputFile::create(m_path, form);
    ASSERT_TRUE(file.ok());
    std::mt19937 random(1);
    std::string noise(1 << 20, ' ');
    for (char& c : noise) c = static_cast<char>(random());
    file->write(noise);
    const auto done = file->finish();
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().message,
              "The file " + m_path + " could not be written to its end: No space left on device.");
    EXPECT_FALSE(std::filesystem::is_symlink(m_path));
  }
}

TEST_F(OutputFileTest, aFileThatIsNotFinishedIsRemoved) {
  {
    auto file = OutputFile::create(m_path, OutputFile::Form::plain);
    ASSERT_TRUE(file.ok());
    file->write("half");
  }
  EXPECT_FALSE(std::filesystem::exists(m_path));
}

TEST_F(OutputFileTest, textIsCompressedInMemory) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i * 7919);
  for (const std::string& bytes : {text, std::string(), std::string("x")}) {
    ASSERT_TRUE(writeFile(m_path, gzipped(bytes)).ok());
    EXPECT_EQ(unzipped(m_path), bytes);
  }
}

TEST_F(OutputFileTest, base64IsThatOfTheStandard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

} // namespace
} // namespace basanite::timing
