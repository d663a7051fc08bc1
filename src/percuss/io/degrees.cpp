#include "percuss/io/degrees.h"

namespace percuss {
namespace {

constexpr std::string_view degree_suffix = "deg";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether the last word begins as a number does: `30` of `t + 30`, but not `x1`.
bool ends_with_number(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && (is_letter(text[begin - 1]) || is_digit(text[begin - 1]) || text[begin - 1] == '.'))
    --begin;
  return begin < text.size() && !is_letter(text[begin]);
}

}  // namespace

std::string angle_formula(const std::string& text) {
  const auto end = text.find_last_not_of(" \t") + 1;
  if (end <= degree_suffix.size() ||
      text.compare(end - degree_suffix.size(), degree_suffix.size(), degree_suffix) != 0)
    return text;
  const std::string before = text.substr(0, end - degree_suffix.size());
  const auto last = before.find_last_not_of(" \t");
  if (last == before.npos) return text;
  const bool is_apart = last + 1 < before.size();
  const bool is_value = is_letter(before[last]) || is_digit(before[last]) || before[last] == '.';
  if (before[last] != ')' && !(is_apart ? is_value : ends_with_number(before))) return text;
  return "(" + before + ")*deg";
}

}  // namespace percuss
