// SPDX-License-Identifier: Apache-2.0
// NS::ProcessInfo.
#include <Foundation/Foundation.hpp>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

TEST(ProcessInfo, TellsAboutThisProcess) {
  auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  NS::ProcessInfo* info = NS::ProcessInfo::processInfo();
  EXPECT_EQ(info, NS::ProcessInfo::processInfo());
  EXPECT_EQ(info->processIdentifier(), getpid());
  EXPECT_GE(info->arguments()->count(), 1u);
  EXPECT_NE(std::string(info->arguments()->object<NS::String>(0)->utf8String()).find("foundation_tests"),
            std::string::npos);
  EXPECT_STREQ(info->processName()->utf8String(), "foundation_tests");
  info->setProcessName(MTLSTR("renamed"));
  EXPECT_STREQ(info->processName()->utf8String(), "renamed");
  info->setProcessName(MTLSTR("foundation_tests"));
  setenv("BASANITE_TEST_VARIABLE", "a=b", 1);
  EXPECT_STREQ(info->environment()->object<NS::String>(MTLSTR("BASANITE_TEST_VARIABLE"))->utf8String(),
               "a=b");
  EXPECT_NE(std::string(info->globallyUniqueString()->utf8String()),
            info->globallyUniqueString()->utf8String());
}

TEST(ProcessInfo, TellsAboutTheHost) {
  auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  NS::ProcessInfo* info = NS::ProcessInfo::processInfo();
  EXPECT_GE(info->processorCount(), info->activeProcessorCount());
  EXPECT_GE(info->activeProcessorCount(), 1u);
  EXPECT_GT(info->physicalMemory(), 1ull << 20);
  EXPECT_GT(info->systemUptime(), 0.0);
  EXPECT_GT(info->hostName()->length(), 0u);
  EXPECT_FALSE(info->isiOSAppOnMac());
  EXPECT_FALSE(info->isMacCatalystApp());
}
