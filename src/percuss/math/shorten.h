#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace percuss {

/// What a user wrote, as a message quotes it: at most 60 bytes, not ending within a UTF-8 character.
inline std::string shorten(std::string_view text) {
  constexpr std::size_t longest = 60;
  if (text.size() <= longest) return std::string(text);
  std::size_t end = longest - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "...";
}

}  // namespace percuss
