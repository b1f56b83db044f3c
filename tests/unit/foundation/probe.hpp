// SPDX-License-Identifier: Apache-2.0
// An object that counts itself and records the order of destruction.
#pragma once

#include "src/foundation/object.hpp"

#include <Foundation/Foundation.hpp>
#include <atomic>
#include <vector>

class Probe final : public basanite::foundation::Object {
 public:
  explicit Probe(int id = 0, std::vector<int>* deaths = nullptr) : m_id(id), m_deaths(deaths) { ++alive(); }

  static std::atomic<int>& alive() {
    static std::atomic<int> count{0};
    return count;
  }
  NS::Object* asPublic() { return reinterpret_cast<NS::Object*>(this); }
  static NS::Object* make(int id = 0, std::vector<int>* deaths = nullptr) {
    return (new Probe(id, deaths))->asPublic();
  }

  const char* className() const override { return "Probe"; }

 private:
  ~Probe() override {
    --alive();
    if (m_deaths) m_deaths->push_back(m_id);
  }

  int m_id;
  std::vector<int>* m_deaths;
};
