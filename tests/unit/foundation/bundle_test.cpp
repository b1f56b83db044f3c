// SPDX-License-Identifier: Apache-2.0
// NS::Bundle and NS::Date.
#include <Foundation/Foundation.hpp>
#include <filesystem>
#include <gtest/gtest.h>

namespace {

class Bundle : public testing::Test {
 protected:
  ~Bundle() override { m_pool->release(); }

  static NS::String* utf8(const char* text) { return NS::String::string(text, NS::UTF8StringEncoding); }

 private:
  NS::AutoreleasePool* m_pool = NS::AutoreleasePool::alloc()->init();
};

TEST_F(Bundle, MainIsTheFolderOfTheExecutable) {
  const std::filesystem::path executable = std::filesystem::read_symlink("/proc/self/exe");
  NS::Bundle* bundle = NS::Bundle::mainBundle();
  EXPECT_EQ(bundle, NS::Bundle::mainBundle());
  EXPECT_EQ(bundle->bundlePath()->utf8String(), executable.parent_path().string());
  EXPECT_EQ(bundle->resourcePath()->utf8String(), executable.parent_path().string());
  EXPECT_EQ(bundle->executablePath()->utf8String(), executable.string());
  EXPECT_EQ(bundle->bundleURL()->fileSystemRepresentation(), executable.parent_path().string());
  EXPECT_EQ(bundle->resourceURL()->fileSystemRepresentation(), executable.parent_path().string());
  NS::String* name = utf8(executable.filename().c_str());
  EXPECT_EQ(bundle->pathForAuxiliaryExecutable(name)->utf8String(), executable.string());
  EXPECT_EQ(bundle->URLForAuxiliaryExecutable(name)->fileSystemRepresentation(), executable.string());
  EXPECT_EQ(bundle->pathForAuxiliaryExecutable(utf8("no such program")), nullptr);
}

TEST_F(Bundle, OtherFoldersMustExist) {
  EXPECT_STREQ(NS::Bundle::bundle(utf8("/usr/"))->bundlePath()->utf8String(), "/usr");
  EXPECT_EQ(NS::Bundle::bundle(utf8("/usr"))->executablePath(), nullptr);
  EXPECT_EQ(NS::Bundle::bundle(utf8("/no such folder")), nullptr);
  EXPECT_EQ(NS::Bundle::bundle(static_cast<NS::String*>(nullptr)), nullptr);
  EXPECT_STREQ(NS::Bundle::bundle(NS::URL::fileURLWithPath(utf8("/usr")))->bundlePath()->utf8String(),
               "/usr");
}

TEST_F(Bundle, DatesAreObjects) {
  NS::Date* date = NS::Date::dateWithTimeIntervalSinceNow(-1.0);
  EXPECT_TRUE(date->isEqual(date));
  EXPECT_FALSE(date->isEqual(NS::Date::dateWithTimeIntervalSinceNow(100.0)));
  EXPECT_EQ(std::string(date->description()->utf8String()).size(),
            std::string("2026-01-31 12:00:00 +0000").size());
}

} // namespace
