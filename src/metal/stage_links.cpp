// SPDX-License-Identifier: Apache-2.0
// Implementation of stage_links.hpp.
#include "src/metal/stage_links.hpp"

#include "src/foundation/collections.hpp"
#include "src/metal/MTL4BinaryFunction.hpp"
#include "src/metal/MTLDynamicLibrary.hpp"

#include <Foundation/NSEnumerator.hpp>
#include <algorithm>
#include <atomic>
#include <fmt/format.h>

namespace basanite::metal {

namespace {

uint64_t nextFamily() {
  static std::atomic<uint64_t> s_family{0};
  return s_family.fetch_add(1, std::memory_order_relaxed) + 1;
}

bool same(const FoundFunction& a, const FoundFunction& b) {
  if (a.code->digest() != b.code->digest() || a.name != b.name || a.constants.size() != b.constants.size())
    return false;
  return std::equal(a.constants.begin(), a.constants.end(), b.constants.begin(),
                    [](const auto& x, const auto& y) {
                      return x.name == y.name && x.index == y.index && x.type == y.type && x.bytes == y.bytes;
                    });
}

base::Result<void> addDescribed(const NS::Array* descriptors, const char* property, std::string_view place,
                                std::vector<FoundFunction>& functions) {
  for (NS::UInteger i = 0; descriptors && i < descriptors->count(); ++i) {
    const auto* descriptor =
        dynamic_cast<const FunctionDescriptor4*>(objectOf(descriptors->object<NS::Object>(i)));
    if (!descriptor)
      return base::Error{
          fmt::format("Element {} of the {} stage's {} is an {}, not an MTL4FunctionDescriptor.", i, place,
                      property, objectOf(descriptors->object<NS::Object>(i))->className())};
    BASANITE_TRY(FoundFunction function,
                 findFunction(foundation::toPublic(descriptor), shader::Stage::visible));
    functions.push_back(std::move(function));
  }
  return {};
}

// A group says that a call goes to its functions only. The code is as right without.
base::Result<void> checkGroups(const NS::Dictionary* groups, std::string_view place,
                               const StageLinks& links) {
  if (!groups) return {};
  NS::Enumerator<NS::String>* keys = groups->keyEnumerator<NS::String>();
  while (NS::String* key = keys->nextObject()) {
    const auto* members = groups->object<NS::Object>(key);
    if (!dynamic_cast<const foundation::Array*>(objectOf(members)))
      return base::Error{fmt::format("The group \"{}\" of the {} stage is an {}, not an NSArray.",
                                     foundation::textOf(key), place, objectOf(members)->className())};
    std::vector<FoundFunction> functions;
    BASANITE_TRY_VOID(addDescribed(reinterpret_cast<const NS::Array*>(members), "groups", place, functions));
    for (const FoundFunction& function : functions)
      if (!links.numberOf(function))
        return base::Error{
            fmt::format("The group \"{}\" of the {} stage has the function \"{}\", which is not among its "
                        "functionDescriptors.",
                        foundation::textOf(key), place, function.shownName())};
  }
  return {};
}

void addLibrary(std::vector<std::shared_ptr<const LibraryCode>>& libraries,
                const std::shared_ptr<const LibraryCode>& library) {
  for (const auto& known : libraries)
    if (known->digest() == library->digest()) return;
  libraries.push_back(library);
  for (const auto& needed : library->libraries()) addLibrary(libraries, needed);
}

void addLibrariesOf(StageLinks& links, const std::vector<FoundFunction>& functions) {
  for (const FoundFunction& function : functions)
    for (const auto& library : function.code->libraries()) addLibrary(links.libraries, library);
}

base::Result<void> addBinaries(const NS::Array* functions, std::string_view place, StageLinks& links) {
  for (NS::UInteger i = 0; functions && i < functions->count(); ++i) {
    const foundation::Object* object = objectOf(functions->object<NS::Object>(i));
    if (const auto* binary = dynamic_cast<const BinaryFunction*>(object)) {
      links.functions.push_back(binary->function);
    } else if (const auto* function = dynamic_cast<const Function*>(object)) {
      BASANITE_TRY(FoundFunction found,
                   findFunction(*function->library, function->info.name, shader::Stage::visible));
      found.constants = function->constants;
      found.calledName = function->specializedName;
      links.functions.push_back(std::move(found));
    } else {
      return base::Error{fmt::format("Element {} of the {} stage's binary functions is an {}, not an "
                                     "MTL4BinaryFunction or an MTLFunction.",
                                     i, place, object->className())};
    }
  }
  addLibrariesOf(links, links.functions);
  return {};
}

} // namespace

std::optional<uint64_t> StageLinks::numberOf(std::string_view name) const {
  for (size_t i = 0; i < functions.size(); ++i)
    if (functions[i].shownName() == name) return i + 1;
  return std::nullopt;
}

std::optional<uint64_t> StageLinks::numberOf(const FoundFunction& function) const {
  for (size_t i = 0; i < functions.size(); ++i)
    if (same(functions[i], function)) return i + 1;
  return std::nullopt;
}

base::Result<std::shared_ptr<const StageLinks>> findLinks(const MTL4::StaticLinkingDescriptor* linked,
                                                          const StageDynamicLinkingDescriptor* dynamic,
                                                          std::string_view place) {
  auto links = std::make_shared<StageLinks>();
  links->family = nextFamily();
  if (linked) {
    const StaticLinkingDescriptor& d = *foundation::toImpl(linked);
    BASANITE_TRY_VOID(
        addDescribed(d.functionDescriptors.get(), "functionDescriptors", place, links->functions));
    BASANITE_TRY_VOID(addDescribed(d.privateFunctionDescriptors.get(), "privateFunctionDescriptors", place,
                                   links->privateFunctions));
    BASANITE_TRY_VOID(checkGroups(d.groups.get(), place, *links));
  }
  const NS::Array* libraries = dynamic ? dynamic->preloadedLibraries.get() : nullptr;
  for (NS::UInteger i = 0; libraries && i < libraries->count(); ++i) {
    const foundation::Object* object = objectOf(libraries->object<NS::Object>(i));
    const auto* library = dynamic_cast<const DynamicLibrary*>(object);
    if (!library)
      return base::Error{
          fmt::format("Element {} of the {} stage's preloadedLibraries is an {}, not an MTLDynamicLibrary.",
                      i, place, object->className())};
    addLibrary(links->libraries, library->code);
  }
  BASANITE_TRY_VOID(addBinaries(dynamic ? dynamic->binaryLinkedFunctions.get() : nullptr, place, *links));
  addLibrariesOf(*links, links->privateFunctions);
  return std::shared_ptr<const StageLinks>(std::move(links));
}

std::shared_ptr<const StageLinks> withLibrariesOf(const FoundFunction& function,
                                                  std::shared_ptr<const StageLinks> links) {
  if (function.code->libraries().empty()) return links;
  auto more = std::make_shared<StageLinks>(*links);
  addLibrariesOf(*more, {function});
  return more;
}

base::Result<std::shared_ptr<const StageLinks>> addLinks(const std::shared_ptr<const StageLinks>& links,
                                                         const NS::Array* functions, std::string_view place) {
  auto more = std::make_shared<StageLinks>(*links);
  BASANITE_TRY_VOID(addBinaries(functions, place, *more));
  return std::shared_ptr<const StageLinks>(std::move(more));
}

} // namespace basanite::metal
