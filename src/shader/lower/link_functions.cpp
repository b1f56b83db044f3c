// SPDX-License-Identifier: Apache-2.0
// Implementation of link_functions.hpp.
#include "src/shader/lower/link_functions.hpp"

#include "src/shader/air/visible_functions.hpp"
#include "src/shader/lower/apply_function_constants.hpp"
#include "src/shader/lower/lowering.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <map>

namespace basanite::shader::lower {

namespace {

// No symbol of a program begins so.
constexpr const char* kMovingName = "basanite.moving";

class FunctionLinker {
 public:
  FunctionLinker(llvm::Module& module, const air::EntryPoint& entry, const LinkedFunctions* linked)
      : m_module(module), m_entry(entry), m_linked(linked ? *linked : kNothing) {}

  base::Result<std::vector<llvm::Function*>> run() {
    std::vector<llvm::Function*> numbered;
    for (const FunctionRef& reference : m_linked.functions) {
      BASANITE_TRY(llvm::Function * function, add(reference));
      numbered.push_back(function);
    }
    // What they call may call more.
    for (;;) {
      llvm::Function* missing = nextMissing();
      if (!missing) return numbered;
      BASANITE_TRY_VOID(define(*missing));
    }
  }

 private:
  static const LinkedFunctions kNothing;
  static const std::string& calledName(const FunctionRef& reference) {
    return reference.alias.empty() ? reference.name : reference.alias;
  }

  base::Result<llvm::Function*> add(const FunctionRef& reference) {
    if (!reference.program)
      return base::Error{fmt::format("{}: no program was given for the linked function \"{}\".",
                                     titleOf(m_entry), reference.name)};
    BASANITE_TRY(air::LoadedEntry loaded,
                 air::loadEntry(*reference.program, m_module.getContext(), Stage::visible, reference.name));
    BASANITE_TRY_VOID(applyFunctionConstants(*loaded.module, loaded.entry, reference.constants));
    BASANITE_TRY(llvm::Function * function, move(std::move(loaded), "visible." + reference.name));
    m_known.try_emplace(calledName(reference), function);
    return function;
  }

  // Into the module, where only its own callers can name it.
  base::Result<llvm::Function*> move(air::LoadedEntry loaded, const std::string& name) {
    llvm::Module& source = *loaded.module;
    for (llvm::GlobalObject& object : source.global_objects())
      if (!object.isDeclaration() && &object != loaded.entry.function)
        object.setLinkage(llvm::GlobalValue::InternalLinkage);
    loaded.entry.function->setLinkage(llvm::GlobalValue::ExternalLinkage);
    loaded.entry.function->setName(kMovingName);
    if (m_module.getDataLayoutStr().empty()) {
      m_module.setDataLayout(source.getDataLayout());
      m_module.setTargetTriple(source.getTargetTriple());
    }
    source.setDataLayout(m_module.getDataLayout());
    source.setTargetTriple(m_module.getTargetTriple());
    if (llvm::Linker::linkModules(m_module, std::move(loaded.module)))
      return base::Error{fmt::format("{}: the function \"{}\" could not be linked with it.", titleOf(m_entry),
                                     loaded.entry.name)};
    llvm::Function* function = m_module.getFunction(kMovingName);
    function->setLinkage(llvm::GlobalValue::InternalLinkage);
    function->setName(name);
    return function;
  }

  llvm::Function* nextMissing() {
    for (llvm::Function& function : m_module) {
      if (!function.isDeclaration() || function.use_empty() || function.isIntrinsic()) continue;
      llvm::StringRef name = function.getName();
      if (!name.starts_with("air.") &&
          (!name.starts_with("basanite.") || name.starts_with(air::kReferencePrefix)))
        return &function;
    }
    return nullptr;
  }

  base::Result<void> define(llvm::Function& missing) {
    llvm::StringRef name = missing.getName();
    const bool visible = name.consume_front(air::kReferencePrefix);
    BASANITE_TRY(llvm::Function * found, visible ? visibleNamed(name.str()) : exported(name.str()));
    if (found->getFunctionType() != missing.getFunctionType())
      return base::Error{
          fmt::format("{}: it calls \"{}\" with other parameters or another result than the function has.",
                      titleOf(m_entry), visible ? name.str() : llvm::demangle(name.str()))};
    missing.replaceAllUsesWith(found);
    missing.eraseFromParent();
    return {};
  }

  base::Result<llvm::Function*> visibleNamed(const std::string& name) {
    if (auto known = m_known.find(name); known != m_known.end()) return known->second;
    for (const FunctionRef& reference : m_linked.privateFunctions)
      if (calledName(reference) == name) return add(reference);
    return base::Error{fmt::format("{}: it calls the visible function \"{}\", which is not among the "
                                   "functions that the pipeline is linked "
                                   "with.",
                                   titleOf(m_entry), name)};
  }

  base::Result<llvm::Function*> exported(const std::string& symbol) {
    for (const Program* library : m_linked.libraries) {
      if (std::find(library->exports.begin(), library->exports.end(), symbol) == library->exports.end())
        continue;
      BASANITE_TRY(air::LoadedEntry loaded, air::loadExport(*library, m_module.getContext(), symbol));
      BASANITE_TRY_VOID(applyFunctionConstants(*loaded.module, loaded.entry, {}));
      return move(std::move(loaded), "library." + symbol);
    }
    return base::Error{fmt::format("{}: it calls \"{}\", which none of the {} dynamic libraries that the "
                                   "pipeline is linked with defines.",
                                   titleOf(m_entry), llvm::demangle(symbol), m_linked.libraries.size())};
  }

  llvm::Module& m_module;
  const air::EntryPoint& m_entry;
  const LinkedFunctions& m_linked;
  std::map<std::string, llvm::Function*> m_known; // visible functions by the API's name
};

const LinkedFunctions FunctionLinker::kNothing;

} // namespace

base::Result<std::vector<llvm::Function*>> linkFunctions(llvm::Module& module, const air::EntryPoint& entry,
                                                         const LinkedFunctions* linked) {
  return FunctionLinker(module, entry, linked).run();
}

} // namespace basanite::shader::lower
