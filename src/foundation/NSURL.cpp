// SPDX-License-Identifier: Apache-2.0
// NS::URL.
#include "src/foundation/url.hpp"

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

namespace basanite::foundation {

namespace {

// Unreserved characters of RFC 3986 and what may stand in a path as it is.
bool staysInPath(unsigned char c) {
  return std::isalnum(c) ||
         std::string_view("-._~/!$&'()*+,;=:@").find(static_cast<char>(c)) != std::string_view::npos;
}

std::string percentEncoded(std::string_view path) {
  std::string text;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (staysInPath(byte))
      text.push_back(c);
    else
      text += fmt::format("%{:02X}", byte);
  }
  return text;
}

std::string percentDecoded(std::string_view text) {
  std::string path;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool isEscape = text[i] == '%' && i + 2 < text.size() &&
                          std::isxdigit(static_cast<unsigned char>(text[i + 1])) &&
                          std::isxdigit(static_cast<unsigned char>(text[i + 2]));
    if (!isEscape) {
      path.push_back(text[i]);
      continue;
    }
    path.push_back(static_cast<char>(std::strtol(std::string(text.substr(i + 1, 2)).c_str(), nullptr, 16)));
    i += 2;
  }
  return path;
}

} // namespace

void Url::setFilePath(std::string_view path) {
  std::error_code failed;
  std::filesystem::path absolute = std::filesystem::absolute(std::filesystem::path(path), failed);
  m_filePath = (failed ? std::filesystem::path(path) : absolute.lexically_normal()).string();
  m_text = "file://" + percentEncoded(m_filePath);
  m_isFile = true;
}

bool Url::setText(std::string_view text) {
  constexpr std::string_view kFileScheme = "file://";
  if (text.empty() || text.find_first_of(" <>\"{}|\\^`\n\t") != std::string_view::npos) return false;
  m_text = text;
  m_isFile = text.substr(0, kFileScheme.size()) == kFileScheme;
  if (m_isFile) {
    const size_t path = text.find('/', kFileScheme.size());
    m_filePath = path == std::string_view::npos
                     ? "/"
                     : percentDecoded(text.substr(path, text.find_first_of("?#", path) - path));
  }
  return true;
}

bool Url::isEqual(const Object* other) const {
  const auto* url = dynamic_cast<const Url*>(other);
  return url && url->m_text == m_text;
}

NS::URL* makeAutoreleasedFileUrl(std::string_view path) {
  auto* url = new Url;
  url->setFilePath(path);
  return toPublicAutoreleased(url);
}

std::string_view filePathOf(const NS::URL* url) {
  return url ? std::string_view(toImpl(url)->filePath()) : std::string_view();
}

} // namespace basanite::foundation

using basanite::foundation::textOf;
using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

NS::URL* NS::URL::alloc() { return toPublic(new basanite::foundation::Url); }

NS::URL* NS::URL::init() { return this; }

NS::URL* NS::URL::init(const NS::String* pString) {
  auto* url = toImpl(this);
  if (!url) return nullptr;
  if (!url->setText(textOf(pString))) {
    url->release();
    return nullptr;
  }
  return this;
}

NS::URL* NS::URL::initFileURLWithPath(const NS::String* pPath) {
  auto* url = toImpl(this);
  if (!url) return nullptr;
  if (!pPath) {
    url->release();
    return nullptr;
  }
  url->setFilePath(textOf(pPath));
  return this;
}

NS::URL* NS::URL::fileURLWithPath(const NS::String* pPath) {
  return pPath ? basanite::foundation::makeAutoreleasedFileUrl(textOf(pPath)) : nullptr;
}

const char* NS::URL::fileSystemRepresentation() const {
  auto* url = toImpl(this);
  return url && url->isFile() ? url->filePath().c_str() : nullptr;
}
