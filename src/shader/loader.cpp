// SPDX-License-Identifier: Apache-2.0
// Opens libbasanite_compiler on first use; part of the runtime library, links no LLVM.
#include "src/shader/compiler.hpp"

#include "src/base/env.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <mutex>
#include <string_view>

namespace basanite::shader {

namespace {

constexpr const char* kLibraryName = "libbasanite_compiler.so";

std::string directoryOfThisLibrary() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<void*>(&loadCompiler), &info) || !info.dli_fname) return {};
  std::string path = info.dli_fname;
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

base::Result<Compiler*> openCompiler() {
  std::vector<std::string> candidates;
  if (auto named = base::envText("BASANITE_COMPILER")) {
    candidates = {*named};
  } else {
    // Beside the runtime library, or in lib/ beside the bin/ of a program that has this code linked in: under AddressSanitizer,
    // whose dlopen stands between, the program's own RUNPATH does not count.
    std::string here = directoryOfThisLibrary();
    candidates = {here + kLibraryName, here + "../lib/" + kLibraryName, kLibraryName};
  }
  std::string tried;
  for (const std::string& path : candidates) {
    // RTLD_DEEPBIND would break sanitizers; LOCAL keeps LLVM's symbols out of the app (a Mesa driver may load its own LLVM).
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
      tried += fmt::format("{}{}", tried.empty() ? "" : "; ", dlerror());
      continue;
    }
    auto entry = reinterpret_cast<Compiler* (*)()>(dlsym(handle, "basanite_compiler_instance"));
    // The two hand C++ objects to each other, so they must be made from the same headers.
    auto interface = reinterpret_cast<const char* (*)()>(dlsym(handle, "basanite_compiler_interface"));
    if (entry && interface && std::string_view(interface()) == BASANITE_COMPILER_INTERFACE) return entry();
    tried += fmt::format("{}{} {}", tried.empty() ? "" : "; ", path,
                         entry ? "is of another build of Basanite" : "has no basanite_compiler_instance");
  }
  return base::Error{fmt::format("The shader compiler library could not be loaded: {}.", tried)};
}

} // namespace

base::Result<Compiler*> loadCompiler() {
  static std::once_flag once;
  static base::Result<Compiler*>* result = nullptr;
  std::call_once(once, [] { result = new base::Result<Compiler*>(openCompiler()); });
  return *result;
}

} // namespace basanite::shader
