// SPDX-License-Identifier: Apache-2.0
// Prints the AIR text of a Metal source file: a tool for writing expectations.
#include "src/shader/frontend/frontend.hpp"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>

int main(int count, char** arguments) {
  if (count < 2) return 2;
  std::ifstream file(arguments[1]);
  std::stringstream text;
  text << file.rdbuf();
  basanite::shader::SourceOptions options;
  options.name = arguments[1];
  auto begin = std::chrono::steady_clock::now();
  auto program = basanite::shader::frontend::compileSource(text.str(), options);
  double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  if (!program) {
    std::fprintf(stderr, "%s", program.error().message.c_str());
    return 1;
  }
  std::fprintf(stderr, "%s%.1f ms\n", program->warnings.c_str(), ms);
  llvm::LLVMContext context;
  llvm::StringRef bytes(reinterpret_cast<const char*>(program->air.data()), program->air.size());
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, "air"), context);
  if (!module) return 1;
  (*module)->print(llvm::outs(), nullptr);
}
