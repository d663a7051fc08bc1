#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace percuss {

/// Length of the UTF-8 character at this place, 0 if it is none.
std::size_t utf8_length(std::string_view text, std::size_t at);

/// The first control character (C0, DEL or C1) from `from` on that is not one of `allowed`; npos if there is
/// none. Terminals and other programs take control characters for commands.
std::size_t find_control(std::string_view text, std::string_view allowed = "", std::size_t from = 0);

/// A text of unknown origin as it may be shown: control characters but those of `kept`, and bytes that are no
/// UTF-8, become \n, \t, \xHH or \uHHHH.
std::string printable(std::string_view text, std::string_view kept = "");

}  // namespace percuss
