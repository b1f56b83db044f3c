// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTLVisibleFunctionTable.hpp. A table is a buffer: its length, then the numbers of
// functions (src/base/shader_abi.hpp). Its resource ID is the buffer's address.
#pragma once

#include "src/metal/MTLFunctionHandle.hpp"
#include "src/metal/MTLResource.hpp"
#include "src/vulkan/buffer.hpp"

#include <Metal/MTLVisibleFunctionTable.hpp>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace basanite::metal {

struct VisibleFunctionTableDescriptorFields {
  NS::UInteger functionCount = 0;
};
class VisibleFunctionTableDescriptor final
    : public PropertyBag<VisibleFunctionTableDescriptor, VisibleFunctionTableDescriptorFields> {
 public:
  const char* className() const override { return "MTLVisibleFunctionTableDescriptor"; }
};

// Thread-safe. As on Apple's, a table must not be changed while the GPU reads it.
class VisibleFunctionTable final : public Resource {
 public:
  // All entries are null. `descriptor` may be null, which is an error. Error: more entries than fit; out of
  // memory.
  static base::Result<foundation::Retained<VisibleFunctionTable>>
  create(Device* device, const std::shared_ptr<const StageLinks>& links, std::string_view pipeline,
         const VisibleFunctionTableDescriptor* descriptor);
  ~VisibleFunctionTable() override;

  const char* className() const override { return "MTLVisibleFunctionTable"; }
  uint64_t allocatedSize() const override { return m_backend->allocatedSize(); }
  void labelChanged(std::string_view text) override { m_backend->setLabel(text); }

  // A null handle empties the entry. An index past the end or a handle of another pipeline is reported, and
  // nothing changes.
  void set(const FunctionHandle* function, NS::UInteger index);
  uint64_t address() const { return m_backend->gpuAddress(); }

  // Why a call of functions of `signature` by a stage of that family cannot go through the table: a
  // sentence's end. Empty: it can.
  std::string objection(uint64_t family, const std::string& signature) const;

 private:
  VisibleFunctionTable(Device* owner, base::Ref<vulkan::Buffer> buffer, const StageLinks& links,
                       std::string_view pipeline, NS::UInteger count);
  uint64_t* words() const { return static_cast<uint64_t*>(m_backend->contents()); }

  base::Ref<vulkan::Buffer> m_backend;
  const uint64_t m_family;
  const std::string m_pipeline; // for messages
  mutable std::mutex m_mutex;
  struct Entry {
    std::string name, signature; // empty: null, or not known
  };
  std::vector<Entry> m_entries; // guarded by m_mutex
};

// The table with this resource ID, which nobody may release during the call of `use`; false when there is
// none.
bool withFunctionTable(const Device* device, uint64_t address,
                       const std::function<void(const VisibleFunctionTable&)>& use);

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::VisibleFunctionTableDescriptor, basanite::metal::VisibleFunctionTableDescriptor)
BASANITE_BRIDGE(MTL::VisibleFunctionTable, basanite::metal::VisibleFunctionTable)
