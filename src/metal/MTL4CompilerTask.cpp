// SPDX-License-Identifier: Apache-2.0
// MTL4::CompilerTask.
#include "src/metal/MTL4CompilerTask.hpp"

#include "src/metal/MTL4Compiler.hpp"

using basanite::foundation::toImpl;

namespace basanite::metal {

CompilerTask::CompilerTask(Compiler4* owner) : compiler(static_cast<foundation::Object*>(owner)) {}

void CompilerTask::setStatus(MTL4::CompilerTaskStatus status) {
  {
    std::lock_guard lock(m_mutex);
    m_status = status;
  }
  m_changed.notify_all();
}

MTL4::CompilerTaskStatus CompilerTask::status() const {
  std::lock_guard lock(m_mutex);
  return m_status;
}

void CompilerTask::waitUntilCompleted() {
  std::unique_lock lock(m_mutex);
  m_changed.wait(lock, [this] { return m_status == MTL4::CompilerTaskStatusFinished; });
}

} // namespace basanite::metal

MTL4::Compiler* MTL4::CompilerTask::compiler() const {
  return this ? reinterpret_cast<MTL4::Compiler*>(toImpl(this)->compiler.get()) : nullptr;
}
MTL4::CompilerTaskStatus MTL4::CompilerTask::status() const {
  return this ? toImpl(this)->status() : MTL4::CompilerTaskStatusNone;
}
void MTL4::CompilerTask::waitUntilCompleted() {
  if (this) toImpl(this)->waitUntilCompleted();
}
