// SPDX-License-Identifier: Apache-2.0
// The string constants of Foundation.
#include "src/foundation/string.hpp"

#include <Foundation/Foundation.hpp>

namespace NS {

BASANITE_STRING_CONSTANT(NotificationName, BundleDidLoadNotification, "NSBundleDidLoadNotification")
BASANITE_STRING_CONSTANT(NotificationName, BundleResourceRequestLowDiskSpaceNotification,
                         "NSBundleResourceRequestLowDiskSpaceNotification")

BASANITE_STRING_CONSTANT(ErrorDomain, CocoaErrorDomain, "NSCocoaErrorDomain")
BASANITE_STRING_CONSTANT(ErrorDomain, POSIXErrorDomain, "NSPOSIXErrorDomain")
BASANITE_STRING_CONSTANT(ErrorDomain, OSStatusErrorDomain, "NSOSStatusErrorDomain")
BASANITE_STRING_CONSTANT(ErrorDomain, MachErrorDomain, "NSMachErrorDomain")

BASANITE_STRING_CONSTANT(ErrorUserInfoKey, UnderlyingErrorKey, "NSUnderlyingError")
BASANITE_STRING_CONSTANT(ErrorUserInfoKey, LocalizedDescriptionKey, "NSLocalizedDescription")
BASANITE_STRING_CONSTANT(ErrorUserInfoKey, LocalizedFailureReasonErrorKey, "NSLocalizedFailureReason")
BASANITE_STRING_CONSTANT(ErrorUserInfoKey, LocalizedRecoverySuggestionErrorKey,
                         "NSLocalizedRecoverySuggestion")
BASANITE_STRING_CONSTANT(ErrorUserInfoKey, LocalizedRecoveryOptionsErrorKey, "NSLocalizedRecoveryOptions")
BASANITE_STRING_CONSTANT(ErrorUserInfoKey, LocalizedFailureErrorKey, "NSLocalizedFailure")
BASANITE_STRING_CONSTANT(ErrorUserInfoKey, RecoveryAttempterErrorKey, "NSRecoveryAttempter")
BASANITE_STRING_CONSTANT(ErrorUserInfoKey, HelpAnchorErrorKey, "NSHelpAnchor")
BASANITE_STRING_CONSTANT(ErrorUserInfoKey, DebugDescriptionErrorKey, "NSDebugDescription")
BASANITE_STRING_CONSTANT(ErrorUserInfoKey, StringEncodingErrorKey, "NSStringEncoding")
BASANITE_STRING_CONSTANT(ErrorUserInfoKey, URLErrorKey, "NSURL")
BASANITE_STRING_CONSTANT(ErrorUserInfoKey, FilePathErrorKey, "NSFilePath")

} // namespace NS
