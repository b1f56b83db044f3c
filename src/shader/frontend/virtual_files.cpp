// SPDX-License-Identifier: Apache-2.0
// Implementation of virtual_files.hpp, and the embedded texts of stdlib/.
#include "src/shader/frontend/virtual_files.hpp"

#include <llvm/Support/MemoryBuffer.h>

// Every file of stdlib/.
#define STANDARD_LIBRARY(X)                                                                                 \
  X(prelude) X(types) X(vec) X(swizzles) X(matrix) X(math) X(integer) X(geometric) X(pack) X(texture)       \
  X(texture_methods) X(depth_methods) X(group) X(atomic) X(utility) X(bfloat) X(refused)                    \
  X(simdgroup_matrix) X(compute) X(mesh) X(indirect) X(builtins) X(function_table) X(instances)

// Places one in read-only data between two symbols.
#define EMBED(name)                                                                                          \
  asm(".section .rodata\n.balign 16\nbasanite_stdlib_" #name "_begin:\n.incbin \"" BASANITE_STDLIB_DIR       \
      "/" #name ".h\"\n"                                                                                     \
      "basanite_stdlib_" #name "_end:\n.byte 0\n.previous\n");                                               \
  extern "C" __attribute__((visibility("hidden"))) const char basanite_stdlib_##name##_begin[];              \
  extern "C" __attribute__((visibility("hidden"))) const char basanite_stdlib_##name##_end[];

STANDARD_LIBRARY(EMBED)

// From pch_embed.cpp; absent in the tool that makes the PCH.
extern "C" __attribute__((weak)) const char basanite_stdlib_pch_begin[];
extern "C" __attribute__((weak)) const char basanite_stdlib_pch_end[];

namespace basanite::shader::frontend {

namespace {

// Every header of Metal's that a program may include: all of it is in the prelude already.
constexpr const char* kPublicHeaders[] = {"metal_stdlib",
                                          "metal_types",
                                          "metal_math",
                                          "metal_common",
                                          "metal_integer",
                                          "metal_geometric",
                                          "metal_relational",
                                          "metal_matrix",
                                          "metal_pack",
                                          "metal_texture",
                                          "metal_graphics",
                                          "metal_compute",
                                          "metal_atomic",
                                          "metal_config",
                                          "metal_mesh",
                                          "metal_limits",
                                          "metal_array",
                                          "metal_numeric",
                                          "metal_type_traits",
                                          "metal_utility",
                                          "metal_uniform",
                                          "metal_extended_vector",
                                          "metal_packed_vector",
                                          "metal_vector",
                                          "metal_assert",
                                          "metal_pixel",
                                          "metal_simdgroup",
                                          "metal_quadgroup",
                                          "metal_simdgroup_matrix",
                                          "metal_raytracing",
                                          "metal_logging",
                                          "metal_tessellation",
                                          "metal_visible_function_table",
                                          "metal_interpolate",
                                          "metal_mesh",
                                          "metal_imageblocks",
                                          "metal_command_buffer",
                                          "metal_cooperative_tensor",
                                          "simd/simd.h",
                                          "simd/types.h",
                                          "simd/vector_types.h",
                                          "simd/matrix_types.h"};

// A Mac's, as Metal programs look at them.
constexpr const char* kTargetConditionals = "#pragma once\n#define TARGET_OS_MAC 1\n#define TARGET_OS_OSX "
                                            "1\n#define TARGET_OS_IPHONE 0\n#define TARGET_OS_IOS 0\n"
                                            "#define TARGET_OS_TV 0\n#define TARGET_OS_WATCH 0\n#define "
                                            "TARGET_OS_VISION 0\n#define TARGET_OS_MACCATALYST 0\n"
                                            "#define TARGET_OS_SIMULATOR 0\n#define TARGET_CPU_ARM64 1\n";

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<size_t>(end - begin)};
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> makeBase() {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  auto add = [&](const std::string& name, std::string_view text) {
    std::string path = std::string(kStandardLibraryFolder) + "/" + name;
    memory->addFileNoOwn(path, 0, llvm::MemoryBufferRef(llvm::StringRef(text.data(), text.size()), path));
  };
#define ADD(name) add(#name ".h", between(basanite_stdlib_##name##_begin, basanite_stdlib_##name##_end));
  STANDARD_LIBRARY(ADD)
#undef ADD
  for (const char* header : kPublicHeaders) add(header, "");
  add("TargetConditionals.h", kTargetConditionals);
  if (!embeddedPch().empty()) add("prelude.pch", embeddedPch());
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  overlay->pushOverlay(memory);
  return overlay;
}

// Made once: the file system reads all of a file that it is given, to number it, and the precompiled library
// is large.
const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>& base() {
  static const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = makeBase();
  return files;
}

bool isOurs(llvm::StringRef path) { return path.starts_with(std::string(kStandardLibraryFolder) + "/"); }

class RespelledFile : public llvm::vfs::File {
 public:
  RespelledFile(llvm::vfs::Status status, const RespelledSource& source)
      : m_status(std::move(status)), m_source(source) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return m_status; }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, int64_t, bool,
                                                               bool) override {
    return llvm::MemoryBuffer::getMemBuffer(m_source.respelled(), name.str());
  }
  std::error_code close() override { return {}; }

 private:
  llvm::vfs::Status m_status;
  const RespelledSource& m_source;
};

} // namespace

std::string_view embeddedPch() {
  if (!basanite_stdlib_pch_begin) return {};
  return between(basanite_stdlib_pch_begin, basanite_stdlib_pch_end);
}

UserFileSystem::UserFileSystem(Respelling how) : ProxyFileSystem(base()), m_how(how) {}

const RespelledSource* UserFileSystem::load(const std::string& path) {
  auto known = m_sources.find(path);
  if (known != m_sources.end()) return known->second.get();
  auto buffer = getUnderlyingFS().getBufferForFile(path);
  if (!buffer) return nullptr;
  auto source = std::make_unique<RespelledSource>((*buffer)->getBuffer().str(), m_how);
  return m_sources.emplace(path, std::move(source)).first->second.get();
}

llvm::ErrorOr<llvm::vfs::Status> UserFileSystem::status(const llvm::Twine& path) {
  auto status = ProxyFileSystem::status(path);
  std::string name = path.str();
  if (!status || !status->isRegularFile() || isOurs(name)) return status;
  const RespelledSource* source = load(name);
  return source ? llvm::vfs::Status::copyWithNewSize(*status, source->respelled().size()) : status;
}

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> UserFileSystem::openFileForRead(const llvm::Twine& path) {
  std::string name = path.str();
  if (isOurs(name)) return ProxyFileSystem::openFileForRead(path);
  auto status = this->status(path);
  if (!status) return status.getError();
  const RespelledSource* source = load(name);
  if (!source) return std::make_error_code(std::errc::no_such_file_or_directory);
  return std::make_unique<RespelledFile>(*status, *source);
}

std::vector<std::string> UserFileSystem::opened() const {
  std::vector<std::string> paths;
  for (const auto& [path, source] : m_sources) paths.push_back(path);
  return paths;
}

const RespelledSource* UserFileSystem::find(const std::string& path) const {
  auto known = m_sources.find(path);
  return known == m_sources.end() ? nullptr : known->second.get();
}

} // namespace basanite::shader::frontend
