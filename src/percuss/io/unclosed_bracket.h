#pragma once

#include <optional>
#include <string_view>

namespace percuss {

struct UnclosedBracket {
  char bracket;      ///< [ or {
  int line, column;  ///< of the bracket, from 1
};

/// The bracket to blame in a text that is no YAML: the first that is never closed, or one that is closed by
/// the wrong kind. It knows as much of YAML as a message needs: comments, quotes and block texts.
std::optional<UnclosedBracket> find_unclosed_bracket(std::string_view text);

}  // namespace percuss
