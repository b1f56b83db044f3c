// SPDX-License-Identifier: Apache-2.0
// NS::Error and the error domains.
#include "src/foundation/object.hpp"

#include <Foundation/Foundation.hpp>
#include <gtest/gtest.h>

namespace {

class Error : public testing::Test {
 protected:
  ~Error() override { m_pool->release(); }

  static NS::String* utf8(const char* text) { return NS::String::string(text, NS::UTF8StringEncoding); }

 private:
  NS::AutoreleasePool* m_pool = NS::AutoreleasePool::alloc()->init();
};

TEST_F(Error, KeepsDomainCodeAndInfo) {
  NS::Dictionary* info = NS::Dictionary::dictionary(utf8("it broke"), NS::LocalizedDescriptionKey);
  NS::Error* error = NS::Error::error(NS::CocoaErrorDomain, 260, info);
  EXPECT_EQ(error->code(), 260);
  EXPECT_EQ(error->domain(), NS::CocoaErrorDomain);
  EXPECT_EQ(error->userInfo(), info);
  EXPECT_STREQ(error->localizedDescription()->utf8String(), "it broke");
  EXPECT_STREQ(
      error->description()->utf8String(),
      "Error Domain=NSCocoaErrorDomain Code=260 \"it broke\" UserInfo={NSLocalizedDescription = it broke}");
}

TEST_F(Error, DescribesItselfWithoutInfo) {
  NS::Error* error = NS::Error::error(NS::POSIXErrorDomain, 2, nullptr);
  EXPECT_STREQ(error->localizedDescription()->utf8String(),
               "The operation couldn’t be completed. (NSPOSIXErrorDomain error 2.)");
  EXPECT_EQ(error->userInfo()->count(), 0u);
  EXPECT_EQ(error->localizedFailureReason(), nullptr);
  EXPECT_EQ(error->localizedRecoveryOptions(), nullptr);
}

TEST_F(Error, UsesTheFailureReason) {
  NS::Dictionary* info = NS::Dictionary::dictionary(utf8("No disk."), NS::LocalizedFailureReasonErrorKey);
  auto error = NS::TransferPtr(NS::Error::alloc()->init(NS::MachErrorDomain, 1, info));
  EXPECT_STREQ(error->localizedFailureReason()->utf8String(), "No disk.");
  EXPECT_STREQ(error->localizedDescription()->utf8String(), "The operation couldn’t be completed. No disk.");
}

TEST_F(Error, ComparesByContent) {
  NS::Error* one = NS::Error::error(NS::POSIXErrorDomain, 2, nullptr);
  EXPECT_TRUE(one->isEqual(NS::Error::error(utf8("NSPOSIXErrorDomain"), 2, nullptr)));
  EXPECT_FALSE(one->isEqual(NS::Error::error(NS::POSIXErrorDomain, 3, nullptr)));
}

TEST_F(Error, MakersOfTheFront) {
  auto error =
      NS::TransferPtr(basanite::foundation::makeError(NS::OSStatusErrorDomain, 3, "index 9 is beyond 4"));
  EXPECT_EQ(error->retainCount(), 1u);
  EXPECT_STREQ(error->localizedDescription()->utf8String(), "index 9 is beyond 4");
  NS::Error* out = nullptr;
  basanite::foundation::setError(&out, NS::OSStatusErrorDomain, 4, "text");
  ASSERT_NE(out, nullptr);
  EXPECT_EQ(out->code(), 4);
  basanite::foundation::setError(nullptr, NS::OSStatusErrorDomain, 4, "text");
}

TEST_F(Error, DomainsLiveForEver) {
  for (int i = 0; i < 3; ++i) NS::CocoaErrorDomain->release();
  EXPECT_STREQ(NS::CocoaErrorDomain->utf8String(), "NSCocoaErrorDomain");
  EXPECT_TRUE(NS::UnderlyingErrorKey->isEqualToString(utf8("NSUnderlyingError")));
}

} // namespace
