#include "percuss/io/printable.h"

#include <fmt/format.h>

namespace percuss {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

/// The lowest and highest second byte of a character: those outside would spell it in a second way, or none.
bool is_second(unsigned first, unsigned second) {
  const unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  return low <= second && second <= high;
}

bool is_control(std::string_view text, std::size_t at, std::size_t length) {
  const unsigned first = byte_at(text, at);
  return length == 1 ? first < 0x20 || first == 0x7f
                     : length == 2 && first == 0xc2 && byte_at(text, at + 1) < 0xa0;
}

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const unsigned first = byte_at(text, at);
  const std::size_t length = first < 0x80                     ? 1
                             : first >= 0xc2 && first <= 0xdf ? 2
                             : first >> 4 == 0xe              ? 3
                             : first >= 0xf0 && first <= 0xf4 ? 4
                                                              : 0;
  if (length == 0 || at + length > text.size()) return 0;
  if (length > 1 && !is_second(first, byte_at(text, at + 1))) return 0;
  for (std::size_t i = at + 2; i < at + length; ++i)
    if (byte_at(text, i) >> 6 != 0x2) return 0;
  return length;
}

std::size_t find_control(std::string_view text, std::string_view allowed, std::size_t from) {
  for (std::size_t at = from; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length > 0 && is_control(text, at, length) && allowed.find(text[at]) == allowed.npos) return at;
    at += length > 0 ? length : 1;
  }
  return text.npos;
}

std::string printable(std::string_view text, std::string_view kept) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    const char c = text[at];
    if (length == 0)
      shown += fmt::format("\\x{:02x}", byte_at(text, at));
    else if (!is_control(text, at, length) || kept.find(c) != kept.npos)
      shown += text.substr(at, length);
    else if (c == '\n' || c == '\t')
      shown += c == '\n' ? "\\n" : "\\t";
    else
      shown += length == 1 ? fmt::format("\\x{:02x}", byte_at(text, at))
                           : fmt::format("\\u{:04x}", byte_at(text, at + 1));
    at += length > 0 ? length : 1;
  }
  return shown;
}

}  // namespace percuss
