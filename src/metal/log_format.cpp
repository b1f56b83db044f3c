// SPDX-License-Identifier: Apache-2.0
// Implementation of log_format.hpp: conversions are taken apart and given to printf one component at a time.
#include "src/metal/log_format.hpp"

#include "src/base/shader_log.hpp"

#include <array>
#include <bit>
#include <cctype>
#include <cstdio>

namespace basanite::metal {

namespace {

// One conversion of a format: %[flags][width][.precision][vN][length]letter.
struct Conversion {
  std::string_view written;
  std::string shape; // "%" with flags, width and precision
  unsigned components = 1;
  char letter = 0; // 0: the format ends too early
};

// `format` begins behind its "%".
Conversion parse(std::string_view format) {
  Conversion result;
  size_t at = 0;
  auto peek = [&] { return at < format.size() ? format[at] : '\0'; };
  auto digits = [&] {
    std::string text;
    // Three digits: a width is not a way to fill the memory.
    while (std::isdigit(static_cast<unsigned char>(peek()))) {
      if (text.size() < 3) text += format[at];
      ++at;
    }
    return text;
  };
  result.shape = "%";
  while (peek() != '\0' && std::string_view("-+ #0").find(peek()) != std::string_view::npos) {
    if (result.shape.find(peek(), 1) == std::string::npos) result.shape += peek();
    ++at;
  }
  result.shape += digits();
  if (peek() == '.') {
    ++at;
    result.shape += "." + digits();
  }
  if (peek() == 'v') {
    ++at;
    std::string count = digits();
    result.components = count.empty() ? 0 : static_cast<unsigned>(std::stoul(count));
  }
  while (peek() != '\0' && std::string_view("hljztqL").find(peek()) != std::string_view::npos) ++at;
  result.letter = peek();
  result.written = format.substr(0, std::min(at + 1, format.size()));
  return result;
}

// The arguments of a line, one after the other.
class Arguments {
 public:
  explicit Arguments(std::span<const uint32_t> words) : m_words(words) {}
  uint32_t kind() const { return m_words.empty() ? 0 : m_words[0] & 0xff; }
  unsigned components() const { return m_words.empty() ? 0 : m_words[0] >> 8; }
  bool wide() const { return kind() == base::abi::kLogWide; }
  // Of a component; what is past the end of a damaged line is 0.
  uint64_t bits(unsigned component) const {
    size_t at = 1 + static_cast<size_t>(component) * (wide() ? 2 : 1);
    uint64_t low = at < m_words.size() ? m_words[at] : 0;
    return wide() && at + 1 < m_words.size() ? low | static_cast<uint64_t>(m_words[at + 1]) << 32 : low;
  }
  int64_t number(unsigned component) const {
    if (wide()) return static_cast<int64_t>(bits(component));
    auto word = static_cast<uint32_t>(bits(component));
    return kind() == base::abi::kLogSigned ? static_cast<int32_t>(word) : static_cast<int64_t>(word);
  }
  double real(unsigned component) const {
    if (kind() == base::abi::kLogFloat) return std::bit_cast<float>(static_cast<uint32_t>(bits(component)));
    return static_cast<double>(number(component));
  }
  void advance() {
    size_t length = 1 + static_cast<size_t>(components()) * (wide() ? 2 : 1);
    m_words = m_words.subspan(std::min(length, m_words.size()));
  }

 private:
  std::span<const uint32_t> m_words;
};

// Shapes are printf's own alphabet, put together above.
template <class Value> std::string print(const std::string& shape, Value value) {
  std::array<char, 2048> text{};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  int length = std::snprintf(text.data(), text.size(), shape.c_str(), value);
#pragma GCC diagnostic pop
  return std::string(text.data(),
                     std::min<size_t>(length < 0 ? 0 : static_cast<size_t>(length), text.size() - 1));
}

std::optional<std::string> convert(const Conversion& conversion, const Arguments& arguments,
                                   unsigned component,
                                   const std::function<std::optional<std::string>(uint64_t)>& textAt) {
  const bool isFloat = arguments.kind() == base::abi::kLogFloat;
  switch (conversion.letter) {
  case 'd':
  case 'i':
    if (isFloat) return std::nullopt;
    return print(conversion.shape + "lld", static_cast<long long>(arguments.number(component)));
  case 'u':
  case 'o':
  case 'x':
  case 'X':
    if (isFloat) return std::nullopt;
    return print(conversion.shape + "ll" + conversion.letter,
                 static_cast<unsigned long long>(arguments.bits(component)));
  case 'f':
  case 'F':
  case 'e':
  case 'E':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    if (!isFloat) return std::nullopt;
    return print(conversion.shape + conversion.letter, arguments.real(component));
  case 'c':
    if (isFloat) return std::nullopt;
    return print(conversion.shape + "c", static_cast<int>(arguments.number(component)));
  case 'p':
    if (isFloat) return std::nullopt;
    return print("%#llx", static_cast<unsigned long long>(arguments.bits(component)));
  case 's': {
    if (!arguments.wide()) return std::nullopt;
    auto text = textAt(arguments.bits(component));
    if (!text) return std::nullopt;
    return print(conversion.shape + "s", text->c_str());
  }
  default:
    return std::nullopt;
  }
}

} // namespace

std::string formatLogLine(std::string_view format, std::span<const uint32_t> words,
                          const std::function<std::optional<std::string>(uint64_t)>& textAt) {
  std::string line;
  Arguments arguments(words);
  while (!format.empty()) {
    size_t percent = format.find('%');
    line += format.substr(0, percent);
    if (percent == std::string_view::npos) break;
    format.remove_prefix(percent + 1);
    Conversion conversion = parse(format);
    format.remove_prefix(conversion.written.size());
    if (conversion.letter == '%') {
      line += '%';
      continue;
    }
    std::string filled;
    bool fits = arguments.kind() != 0 && conversion.components == arguments.components();
    for (unsigned i = 0; fits && i < conversion.components; ++i) {
      auto text = convert(conversion, arguments, i, textAt);
      if (!text)
        fits = false;
      else
        filled += (i ? "," : "") + *text;
    }
    if (arguments.kind() != 0) arguments.advance();
    if (fits)
      line += filled;
    else
      line += "%" + std::string(conversion.written);
  }
  return line;
}

} // namespace basanite::metal
