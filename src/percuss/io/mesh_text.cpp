#include "percuss/io/mesh_text.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "percuss/io/disk_file.h"
#include "percuss/math/shorten.h"

namespace percuss {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool looks_binary(std::string_view text) {
  return std::ranges::any_of(text.substr(0, 4096), [](char c) {
    return static_cast<unsigned char>(c) < ' ' && !is_blank(c) && c != '\n' && c != '\f';
  });
}

/// Writes the exponent as C++ wants it: 1.5D-3 and 1.5-3 become 1.5e-3.
std::string with_plain_exponent(std::string_view word) {
  std::string plain;
  for (const char c : word) {
    const bool after_digit = !plain.empty() && plain.back() != 'e';
    if (c == 'd' || c == 'D' || c == 'E')
      plain += 'e';
    else if (after_digit && (c == '+' || c == '-'))
      plain += c == '+' ? "e" : "e-";
    else if (c != '+')
      plain += c;
  }
  return plain;
}

}  // namespace

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string upper_case(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return result;
}

void split(std::string_view text, char separator, std::vector<std::string_view>& words) {
  words.clear();
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    words.push_back(without_blanks(text.substr(begin, end - begin)));
    begin = end + 1;
  }
}

void split_at_blanks(std::string_view text, std::vector<std::string_view>& words) {
  words.clear();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    while (at < text.size() && !is_blank(text[at])) ++at;
    if (at > begin) words.push_back(text.substr(begin, at - begin));
    while (at < text.size() && is_blank(text[at])) ++at;
  }
}

MeshText::MeshText(const std::string& path, MeshDescription& target)
    : text_(read_whole_file(path)), target_(target) {
  target_.path = path;
  if (looks_binary(text_)) target_.fail(0, "it is not a text file");
}

bool MeshText::next_line() {
  if (at_ >= text_.size()) return false;
  begin_ = at_;
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  at_ = end + 1;
  current_ = std::string_view(text_).substr(begin_, end - begin_);
  while (!current_.empty() && is_blank(current_.back())) current_.remove_suffix(1);
  blamed_ = ++line_;
  return true;
}

std::int64_t MeshText::integer(std::string_view word, std::string_view what) const {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size())
    fail(fmt::format("'{}' is not an integer ({})", shorten(word), what));
  return value;
}

double MeshText::number(std::string_view word, std::string_view what) const {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc() && end == word.data() + word.size()) return value;
  const std::string plain = with_plain_exponent(word);
  const auto [plain_end, plain_error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (plain.empty() || plain_error != std::errc() || plain_end != plain.data() + plain.size())
    fail(fmt::format("'{}' is not a number ({})", shorten(word), what));
  return value;
}

void split_columns(std::string_view line, std::vector<std::string_view>& words) {
  for (const char separator : {';', ','})
    if (line.find(separator) != line.npos) return split(line, separator, words);
  split_at_blanks(line, words);
}

}  // namespace percuss
