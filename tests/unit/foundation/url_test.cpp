// SPDX-License-Identifier: Apache-2.0
// NS::URL.
#include <Foundation/Foundation.hpp>
#include <filesystem>
#include <gtest/gtest.h>

namespace {

class Url : public testing::Test {
 protected:
  ~Url() override { m_pool->release(); }

  static NS::String* utf8(const char* text) { return NS::String::string(text, NS::UTF8StringEncoding); }

 private:
  NS::AutoreleasePool* m_pool = NS::AutoreleasePool::alloc()->init();
};

TEST_F(Url, FilePathsComeBack) {
  NS::URL* url = NS::URL::fileURLWithPath(utf8("/tmp/a b/ä.metal"));
  EXPECT_STREQ(url->fileSystemRepresentation(), "/tmp/a b/ä.metal");
  EXPECT_STREQ(url->description()->utf8String(), "file:///tmp/a%20b/%C3%A4.metal");
  auto owned = NS::TransferPtr(NS::URL::alloc()->initFileURLWithPath(utf8("/x/../y")));
  EXPECT_STREQ(owned->fileSystemRepresentation(), "/y");
}

TEST_F(Url, RelativePathsStartAtTheWorkingDirectory) {
  const std::string expected = (std::filesystem::current_path() / "shader.metal").string();
  EXPECT_EQ(NS::URL::fileURLWithPath(utf8("shader.metal"))->fileSystemRepresentation(), expected);
}

TEST_F(Url, TextIsDecoded) {
  auto url = NS::TransferPtr(NS::URL::alloc()->init(utf8("file:///tmp/a%20b?query")));
  EXPECT_STREQ(url->fileSystemRepresentation(), "/tmp/a b");
  EXPECT_TRUE(url->isEqual(url.get()));
}

TEST_F(Url, OtherSchemesHaveNoFile) {
  auto url = NS::TransferPtr(NS::URL::alloc()->init(utf8("https://example.org/x")));
  EXPECT_EQ(url->fileSystemRepresentation(), nullptr);
}

TEST_F(Url, RefusesWhatIsNoUrl) {
  EXPECT_EQ(NS::URL::alloc()->init(utf8("not a url")), nullptr);
  EXPECT_EQ(NS::URL::alloc()->init(utf8("")), nullptr);
  EXPECT_EQ(NS::URL::fileURLWithPath(nullptr), nullptr);
  EXPECT_EQ(NS::URL::alloc()->initFileURLWithPath(nullptr), nullptr);
}

} // namespace
