// SPDX-License-Identifier: Apache-2.0
// Implementation of frontend_fixture.hpp.
#include "tests/shader/frontend/frontend_fixture.hpp"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

namespace basanite::shader::frontend {

std::string airText(const Program& program) {
  llvm::LLVMContext context;
  llvm::StringRef bytes(reinterpret_cast<const char*>(program.air.data()), program.air.size());
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, "air"), context);
  if (!module) {
    llvm::consumeError(module.takeError());
    ADD_FAILURE() << "the bitcode cannot be read";
    return {};
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  (*module)->print(stream, nullptr);
  return text;
}

base::Result<Program> compile(std::string_view source, SourceOptions options) {
  return compileSource("#include <metal_stdlib>\nusing namespace metal;\n" + std::string(source), options);
}

std::string compileToAir(std::string_view source, SourceOptions options) {
  auto program = compile(source, std::move(options));
  if (!program) {
    ADD_FAILURE() << program.error().message;
    return {};
  }
  return airText(*program);
}

std::string diagnosticsOf(std::string_view source, SourceOptions options) {
  auto program = compile(source, std::move(options));
  if (program) {
    ADD_FAILURE() << "this must not compile:\n" << source;
    return {};
  }
  return program.error().message;
}

std::string functionText(const std::string& air, const std::string& name) {
  size_t at = air.find("@" + name + "(");
  while (at != std::string::npos && air.compare(air.rfind('\n', at) + 1, 6, "define") != 0) at = air.find("@" + name + "(", at + 1);
  if (at == std::string::npos) {
    ADD_FAILURE() << "no function '" << name << "' in:\n" << air;
    return {};
  }
  size_t begin = air.rfind('\n', at) + 1;
  return air.substr(begin, air.find("\n}\n", at) - begin);
}

} // namespace basanite::shader::frontend
