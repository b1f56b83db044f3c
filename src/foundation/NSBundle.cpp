// SPDX-License-Identifier: Apache-2.0
// NS::Bundle: a folder. A program's main bundle is the folder of its executable, with its resources beside
// it.
#include "src/foundation/collections.hpp"
#include "src/foundation/string.hpp"
#include "src/foundation/url.hpp"

#include <Foundation/NSBundle.hpp>
#include <filesystem>

namespace basanite::foundation {

namespace {

namespace fs = std::filesystem;

fs::path executableOfThisProcess() {
  std::error_code failed;
  return fs::read_symlink("/proc/self/exe", failed);
}

} // namespace

// Immutable once initialised.
class Bundle final : public Object {
 public:
  // Only while nobody else has the object. False when the folder does not exist.
  bool setFolder(const fs::path& folder) {
    std::error_code failed;
    if (folder.empty() || !fs::is_directory(folder, failed)) return false;
    m_folder = fs::absolute(folder, failed).lexically_normal();
    if (!m_folder.has_filename()) m_folder = m_folder.parent_path();
    return true;
  }
  void setExecutable(const fs::path& executable) { m_executable = executable; }

  const fs::path& folder() const { return m_folder; }
  const fs::path& executable() const { return m_executable; }

  const char* className() const override { return "NSBundle"; }
  std::string description() const override { return "NSBundle <" + m_folder.string() + ">"; }

 private:
  fs::path m_folder;
  fs::path m_executable;
};

} // namespace basanite::foundation

BASANITE_BRIDGE(NS::Bundle, basanite::foundation::Bundle)

using basanite::foundation::filePathOf;
using basanite::foundation::makeAutoreleasedFileUrl;
using basanite::foundation::makeAutoreleasedString;
using basanite::foundation::textOf;
using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace {

NS::Bundle* initWithFolder(NS::Bundle* bundle, const std::filesystem::path& folder) {
  auto* impl = toImpl(bundle);
  if (!impl) return nullptr;
  if (impl->setFolder(folder)) return bundle;
  impl->release();
  return nullptr;
}

NS::Bundle* autoreleased(NS::Bundle* bundle) {
  if (bundle) toImpl(bundle)->autorelease();
  return bundle;
}

NS::String* pathString(const std::filesystem::path& path) {
  return path.empty() ? nullptr : makeAutoreleasedString(path.string());
}

NS::URL* pathUrl(const std::filesystem::path& path) {
  return path.empty() ? nullptr : makeAutoreleasedFileUrl(path.string());
}

std::filesystem::path folderOf(const NS::Bundle* bundle) {
  auto* impl = toImpl(bundle);
  return impl ? impl->folder() : std::filesystem::path();
}

std::filesystem::path executableOf(const NS::Bundle* bundle) {
  auto* impl = toImpl(bundle);
  return impl ? impl->executable() : std::filesystem::path();
}

std::filesystem::path auxiliaryExecutable(const NS::Bundle* bundle, const NS::String* name) {
  if (!toImpl(bundle) || textOf(name).empty()) return {};
  std::error_code failed;
  const std::filesystem::path path = folderOf(bundle) / textOf(name);
  return std::filesystem::is_regular_file(path, failed) ? path : std::filesystem::path();
}

} // namespace

NS::Bundle* NS::Bundle::mainBundle() {
  static NS::Bundle* const bundle = [] {
    auto* impl = new basanite::foundation::Bundle;
    const std::filesystem::path executable = basanite::foundation::executableOfThisProcess();
    impl->setFolder(executable.parent_path());
    impl->setExecutable(executable);
    impl->makeImmortal();
    return toPublic(impl);
  }();
  return bundle;
}

NS::Bundle* NS::Bundle::alloc() { return toPublic(new basanite::foundation::Bundle); }
NS::Bundle* NS::Bundle::init(const NS::String* pPath) { return initWithFolder(this, textOf(pPath)); }
NS::Bundle* NS::Bundle::init(const NS::URL* pURL) { return initWithFolder(this, filePathOf(pURL)); }
NS::Bundle* NS::Bundle::bundle(const NS::String* pPath) { return autoreleased(alloc()->init(pPath)); }
NS::Bundle* NS::Bundle::bundle(const NS::URL* pURL) { return autoreleased(alloc()->init(pURL)); }

NS::String* NS::Bundle::bundlePath() const { return pathString(folderOf(this)); }
NS::URL* NS::Bundle::bundleURL() const { return pathUrl(folderOf(this)); }
NS::String* NS::Bundle::resourcePath() const { return bundlePath(); }
NS::URL* NS::Bundle::resourceURL() const { return bundleURL(); }
NS::String* NS::Bundle::executablePath() const { return pathString(executableOf(this)); }
NS::URL* NS::Bundle::executableURL() const { return pathUrl(executableOf(this)); }

NS::String* NS::Bundle::pathForAuxiliaryExecutable(const NS::String* pExecutableName) const {
  return pathString(auxiliaryExecutable(this, pExecutableName));
}

NS::URL* NS::Bundle::URLForAuxiliaryExecutable(const NS::String* pExecutableName) const {
  return pathUrl(auxiliaryExecutable(this, pExecutableName));
}
