// SPDX-License-Identifier: Apache-2.0
// NS::URL's object.
#pragma once

#include "src/foundation/object.hpp"

#include <Foundation/NSURL.hpp>

namespace basanite::foundation {

// Immutable once initialised.
class Url final : public Object {
 public:
  // Only while nobody else has the object: between alloc and init. A relative path starts at the working
  // directory.
  void setFilePath(std::string_view path);
  // False when the text is no URL.
  bool setText(std::string_view text);

  const std::string& text() const { return m_text; }
  bool isFile() const { return m_isFile; }
  // The decoded path of a file URL.
  const std::string& filePath() const { return m_filePath; }

  const char* className() const override { return "NSURL"; }
  uint64_t hash() const override { return std::hash<std::string>{}(m_text); }
  bool isEqual(const Object* other) const override;
  std::string description() const override { return m_text; }
  Object* copy() const override { return retainedSelf(); }

 private:
  std::string m_text;
  std::string m_filePath;
  bool m_isFile = false;
};

NS::URL* makeAutoreleasedFileUrl(std::string_view path);
// The path of a file URL; "" for null and for other URLs. Valid while the URL lives.
std::string_view filePathOf(const NS::URL* url);

} // namespace basanite::foundation

BASANITE_BRIDGE(NS::URL, basanite::foundation::Url)
