// SPDX-License-Identifier: Apache-2.0
// MTL::CaptureDescriptor, CaptureScope and CaptureManager: Basanite captures nothing, and says so.
#include "src/metal/MTLCaptureManager.hpp"

#include "src/base/log.hpp"
#include "src/metal/MTL4CommandQueue.hpp"
#include "src/metal/error.hpp"
#include "src/metal/validation.hpp"

using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace basanite::metal {

CaptureManager& CaptureManager::shared() {
  static auto* s_manager = new CaptureManager;
  return *s_manager;
}

namespace {

constexpr const char* kNoCapture =
    "Basanite makes no GPU captures; a capture tool for Vulkan, RenderDoc for one, sees what it does.";

MTL::CaptureScope* makeScope(Device* device, const char* of) {
  if (device) return toPublic(new CaptureScope(device));
  reportMisuse("CaptureManager::newCaptureScope: the {} is null.", of);
  return nullptr;
}

} // namespace

} // namespace basanite::metal

using namespace basanite::metal;

BASANITE_ALLOC_INIT(MTL::CaptureDescriptor)
BASANITE_OBJECT_GETTER(MTL::CaptureDescriptor, NS::Object, captureObject)
void MTL::CaptureDescriptor::setCaptureObject(NS::Object* captureObject) {
  if (this) toImpl(this)->captureObject.set(captureObject);
}
BASANITE_VALUE(MTL::CaptureDescriptor, MTL::CaptureDestination, destination, setDestination)
BASANITE_OBJECT(MTL::CaptureDescriptor, NS::URL, outputURL, setOutputURL)

void MTL::CaptureScope::beginScope() {}
void MTL::CaptureScope::endScope() {}
// Metal 3's queues, which there are none of here.
MTL::CommandQueue* MTL::CaptureScope::commandQueue() const { return nullptr; }
MTL::Device* MTL::CaptureScope::device() const {
  if (!this) return {};
  return toPublic(toImpl(this)->device.get());
}
BASANITE_OBJECT(MTL::CaptureScope, NS::String, label, setLabel)

MTL::CaptureManager* MTL::CaptureManager::alloc() {
  auto& shared = basanite::metal::CaptureManager::shared();
  shared.retain();
  return toPublic(&shared);
}
MTL::CaptureManager* MTL::CaptureManager::init() { return this; }
MTL::CaptureManager* MTL::CaptureManager::sharedCaptureManager() {
  return toPublic(&basanite::metal::CaptureManager::shared());
}
MTL::CaptureScope* MTL::CaptureManager::defaultCaptureScope() const {
  if (!this) return {};
  auto* self = toImpl(this);
  std::lock_guard lock(self->mutex);
  return toPublic(self->defaultScope.get());
}
void MTL::CaptureManager::setDefaultCaptureScope(const MTL::CaptureScope* defaultCaptureScope) {
  if (!this) return;
  auto* self = toImpl(this);
  basanite::foundation::Retained<basanite::metal::CaptureScope> scope(
      defaultCaptureScope ? toImpl(defaultCaptureScope) : nullptr);
  std::lock_guard lock(self->mutex);
  std::swap(self->defaultScope, scope);
}
bool MTL::CaptureManager::isCapturing() const { return false; }
MTL::CaptureScope* MTL::CaptureManager::newCaptureScope(const MTL4::CommandQueue* commandQueue) {
  if (!this) return {};
  return makeScope(commandQueue ? toImpl(commandQueue)->device.get() : nullptr, "command queue");
}
MTL::CaptureScope* MTL::CaptureManager::newCaptureScope(const MTL::CommandQueue*) {
  if (!this) return {};
  return makeScope(nullptr, "command queue");
}
MTL::CaptureScope* MTL::CaptureManager::newCaptureScope(const MTL::Device* device) {
  if (!this) return {};
  return makeScope(device ? toImpl(device) : nullptr, "device");
}
bool MTL::CaptureManager::startCapture(const MTL::CaptureDescriptor*, NS::Error** error) {
  setError(error, "MTLCaptureError", MTL::CaptureErrorNotSupported, std::string_view(kNoCapture));
  return false;
}
void MTL::CaptureManager::startCapture(const MTL::CaptureScope*) {
  basanite::base::logError("CaptureManager::startCapture: {}", kNoCapture);
}
void MTL::CaptureManager::startCapture(const MTL::CommandQueue*) {
  basanite::base::logError("CaptureManager::startCapture: {}", kNoCapture);
}
void MTL::CaptureManager::startCapture(const MTL::Device*) {
  basanite::base::logError("CaptureManager::startCapture: {}", kNoCapture);
}
void MTL::CaptureManager::stopCapture() {}
bool MTL::CaptureManager::supportsDestination(MTL::CaptureDestination) { return false; }
