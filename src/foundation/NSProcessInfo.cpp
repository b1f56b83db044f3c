// SPDX-License-Identifier: Apache-2.0
// NS::ProcessInfo: what the operating system tells about this process and its host.
#include "src/foundation/collections.hpp"
#include "src/foundation/string.hpp"

#include <Foundation/NSProcessInfo.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <mutex>
#include <pwd.h>
#include <random>
#include <sched.h>
#include <unistd.h>

extern char** environ;

namespace basanite::foundation {

// There is one, for ever.
class ProcessInfo final : public Object {
 public:
  std::string name() {
    std::lock_guard lock(m_mutex);
    if (m_name.empty()) {
      std::error_code failed;
      m_name = std::filesystem::read_symlink("/proc/self/exe", failed).filename().string();
    }
    return m_name;
  }
  void setName(std::string_view name) {
    std::lock_guard lock(m_mutex);
    m_name = name;
  }

  const char* className() const override { return "NSProcessInfo"; }

 private:
  std::mutex m_mutex;
  std::string m_name;
};

namespace {

const passwd* account() { return getpwuid(geteuid()); }

} // namespace

} // namespace basanite::foundation

BASANITE_BRIDGE(NS::ProcessInfo, basanite::foundation::ProcessInfo)

using basanite::foundation::makeAutoreleasedString;
using basanite::foundation::objectOf;
using basanite::foundation::Retained;
using basanite::foundation::toImpl;
using basanite::foundation::toPublicAutoreleased;

NS::ProcessInfo* NS::ProcessInfo::processInfo() {
  static NS::ProcessInfo* const info = [] {
    auto* impl = new basanite::foundation::ProcessInfo;
    impl->makeImmortal();
    return basanite::foundation::toPublic(impl);
  }();
  return info;
}

NS::Array* NS::ProcessInfo::arguments() const {
  auto* array = new basanite::foundation::Array;
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string argument;
  while (std::getline(file, argument, '\0')) {
    array->elements.push_back(
        Retained<basanite::foundation::Object>::adopt(objectOf(basanite::foundation::makeString(argument))));
  }
  return toPublicAutoreleased(array);
}

NS::Dictionary* NS::ProcessInfo::environment() const {
  auto* dictionary = new basanite::foundation::Dictionary;
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string_view text(*entry);
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    using Element = Retained<basanite::foundation::Object>;
    dictionary->entries.emplace(
        Element::adopt(objectOf(basanite::foundation::makeString(text.substr(0, equals)))),
        Element::adopt(objectOf(basanite::foundation::makeString(text.substr(equals + 1)))));
  }
  return toPublicAutoreleased(dictionary);
}

NS::String* NS::ProcessInfo::hostName() const {
  char name[256] = {};
  gethostname(name, sizeof(name) - 1);
  return makeAutoreleasedString(name);
}

NS::String* NS::ProcessInfo::processName() const {
  auto* info = toImpl(this);
  return info ? makeAutoreleasedString(info->name()) : nullptr;
}

void NS::ProcessInfo::setProcessName(const NS::String* pString) {
  if (auto* info = toImpl(this)) info->setName(basanite::foundation::textOf(pString));
}

int NS::ProcessInfo::processIdentifier() const { return getpid(); }

NS::String* NS::ProcessInfo::globallyUniqueString() const {
  std::random_device random;
  return makeAutoreleasedString(
      fmt::format("{:08X}-{:08X}-{:08X}-{:08X}-{:X}", random(), random(), random(), random(), getpid()));
}

NS::String* NS::ProcessInfo::userName() const {
  const passwd* entry = basanite::foundation::account();
  return makeAutoreleasedString(entry ? entry->pw_name : "");
}

NS::String* NS::ProcessInfo::fullUserName() const {
  const passwd* entry = basanite::foundation::account();
  const std::string_view gecos = entry && entry->pw_gecos ? entry->pw_gecos : "";
  return makeAutoreleasedString(gecos.substr(0, gecos.find(',')));
}

NS::UInteger NS::ProcessInfo::processorCount() const {
  return static_cast<NS::UInteger>(sysconf(_SC_NPROCESSORS_CONF));
}

NS::UInteger NS::ProcessInfo::activeProcessorCount() const {
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof(usable), &usable) == 0)
    return static_cast<NS::UInteger>(CPU_COUNT(&usable));
  return static_cast<NS::UInteger>(sysconf(_SC_NPROCESSORS_ONLN));
}

unsigned long long NS::ProcessInfo::physicalMemory() const {
  return static_cast<unsigned long long>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<unsigned long long>(sysconf(_SC_PAGESIZE));
}

NS::TimeInterval NS::ProcessInfo::systemUptime() const {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

bool NS::ProcessInfo::isMacCatalystApp() const { return false; }

bool NS::ProcessInfo::isiOSAppOnMac() const { return false; }
