// SPDX-License-Identifier: Apache-2.0
// MTL::VisibleFunctionTableDescriptor and MTL::VisibleFunctionTable.
#include "src/metal/MTLVisibleFunctionTable.hpp"

#include "src/metal/validation.hpp"

#include <map>
#include <utility>

using basanite::foundation::toImpl;

namespace basanite::metal {

namespace {

// More than any program has functions.
constexpr NS::UInteger kMostFunctions = NS::UInteger(1) << 24;

// All live tables by what argument tables hold of them.
struct Registry {
  std::mutex mutex;
  std::map<std::pair<const Device*, uint64_t>, const VisibleFunctionTable*> tables; // guarded by mutex
};
Registry& registry() {
  static auto* all = new Registry; // tables may outlive static objects
  return *all;
}

} // namespace

base::Result<foundation::Retained<VisibleFunctionTable>>
VisibleFunctionTable::create(Device* device, const std::shared_ptr<const StageLinks>& links,
                             std::string_view pipeline, const VisibleFunctionTableDescriptor* descriptor) {
  if (!descriptor) return base::Error{"The function table's descriptor is null."};
  if (!links)
    return base::Error{fmt::format(
        "The pipeline \"{}\" has no such stage, so there is no table of its functions.", pipeline)};
  const NS::UInteger count = descriptor->functionCount;
  if (count > kMostFunctions)
    return base::Error{
        fmt::format("A function table of {} entries was asked for; {} are possible.", count, kMostFunctions)};
  BASANITE_TRY(auto buffer, vulkan::Buffer::create(device->backend, (count + 1) * sizeof(uint64_t),
                                                   vulkan::MemoryKind::shared, "function table"));
  return foundation::Retained<VisibleFunctionTable>::adopt(
      new VisibleFunctionTable(device, std::move(buffer), *links, pipeline, count));
}

VisibleFunctionTable::VisibleFunctionTable(Device* owner, base::Ref<vulkan::Buffer> buffer,
                                           const StageLinks& links, std::string_view pipeline,
                                           NS::UInteger count)
    : Resource(owner, MTL::ResourceStorageModeShared), m_backend(std::move(buffer)), m_family(links.family),
      m_pipeline(pipeline), m_entries(count) {
  words()[0] = count;
  std::lock_guard lock(registry().mutex);
  registry().tables[{owner, address()}] = this;
}

VisibleFunctionTable::~VisibleFunctionTable() {
  std::lock_guard lock(registry().mutex);
  registry().tables.erase({device.get(), address()});
}

void VisibleFunctionTable::set(const FunctionHandle* function, NS::UInteger index) {
  std::lock_guard lock(m_mutex);
  if (index >= m_entries.size()) {
    reportMisuse("VisibleFunctionTable: index {} is past the {} entries of the table \"{}\".", index,
                 m_entries.size(), foundation::textOf(label.get()));
    return;
  }
  if (function && function->links->family != m_family) {
    reportMisuse("VisibleFunctionTable: the handle of the function \"{}\" for index {} is of another "
                 "pipeline or stage than the table, "
                 "which belongs to \"{}\".",
                 function->function().shownName(), index, m_pipeline);
    return;
  }
  words()[index + 1] = function ? function->number : 0;
  m_entries[index] =
      function ? Entry{std::string(function->function().shownName()), function->function().info.signature}
               : Entry{};
}

std::string VisibleFunctionTable::objection(uint64_t family, const std::string& signature) const {
  if (family != m_family)
    return fmt::format("holds functions of another pipeline or stage, \"{}\"", m_pipeline);
  if (signature.empty()) return {};
  std::lock_guard lock(m_mutex);
  for (size_t i = 0; i < m_entries.size(); ++i)
    if (!m_entries[i].signature.empty() && m_entries[i].signature != signature)
      return fmt::format("has at index {} the function \"{}\", which is {}, where {} is called", i,
                         m_entries[i].name, m_entries[i].signature, signature);
  return {};
}

bool withFunctionTable(const Device* device, uint64_t address,
                       const std::function<void(const VisibleFunctionTable&)>& use) {
  std::lock_guard lock(registry().mutex);
  auto found = registry().tables.find({device, address});
  if (found == registry().tables.end()) return false;
  use(*found->second);
  return true;
}

} // namespace basanite::metal

BASANITE_ALLOC_INIT(MTL::VisibleFunctionTableDescriptor)
BASANITE_VALUE(MTL::VisibleFunctionTableDescriptor, NS::UInteger, functionCount, setFunctionCount)
MTL::VisibleFunctionTableDescriptor* MTL::VisibleFunctionTableDescriptor::visibleFunctionTableDescriptor() {
  return basanite::foundation::toPublicAutoreleased(new basanite::metal::VisibleFunctionTableDescriptor);
}

MTL::ResourceID MTL::VisibleFunctionTable::gpuResourceID() const {
  return MTL::ResourceID{this ? toImpl(this)->address() : 0};
}
void MTL::VisibleFunctionTable::setFunction(const MTL::FunctionHandle* function, NS::UInteger index) {
  if (!this) return;
  toImpl(this)->set(function ? toImpl(function) : nullptr, index);
}
// A null array empties the range.
void MTL::VisibleFunctionTable::setFunctions(const MTL::FunctionHandle* const functions[], NS::Range range) {
  if (!this) return;
  for (NS::UInteger i = 0; i < range.length; ++i)
    setFunction(functions ? functions[i] : nullptr, range.location + i);
}
