#include "percuss/io/unclosed_bracket.h"

#include <vector>

namespace percuss {
namespace {

class BracketScanner {
 public:
  explicit BracketScanner(std::string_view text) : text_(text) {}

  std::optional<UnclosedBracket> run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#' && follows_space_) {
        skip_to_line_end();
      } else if ((c == '"' || c == '\'') && begins_value_) {
        skip_quoted(c);
      } else if ((c == '|' || c == '>') && begins_value_ && open_.empty()) {
        skip_block_text();
      } else if ((c == '[' || c == '{') && (begins_value_ || !open_.empty())) {
        open_.push_back({c, line_, column_});
        advance();
        begins_value_ = true;
      } else if ((c == ']' || c == '}') && !open_.empty()) {
        if (open_.back().bracket != (c == ']' ? '[' : '{')) return open_.back();
        open_.pop_back();
        advance();
      } else {
        advance();
      }
    }
    return open_.empty() ? std::nullopt : std::optional(open_.front());
  }

 private:
  /// One character further. A value begins after an indicator and space, and in brackets also without space.
  void advance() {
    const char c = text_[at_++];
    const bool is_space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (c == '\n') {
      ++line_;
      column_ = 1;
      begins_value_ = true;
      indent_ = 0;
    } else {
      if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++column_;
      if (is_space && column_ == indent_ + 2) ++indent_;
      if (!is_space) begins_value_ = is_indicator(c);
    }
    follows_space_ = is_space;
  }
  bool is_indicator(char c) const {
    if (c == ',') return !open_.empty();
    if (c != ':' && c != '-' && c != '?') return false;
    return at_ == text_.size() || text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' ||
           text_[at_] == '\t' || (c == ':' && !open_.empty());
  }
  void skip_to_line_end() {
    while (at_ < text_.size() && text_[at_] != '\n') advance();
  }
  void skip_quoted(char quote) {
    advance();
    while (at_ < text_.size() && text_[at_] != quote) {
      if (quote == '"' && text_[at_] == '\\' && at_ + 1 < text_.size()) advance();
      advance();
    }
    if (at_ < text_.size()) advance();
  }
  /// The lines that are indented more than the one of its key.
  void skip_block_text() {
    const int indent_of_key = indent_;
    do {
      skip_to_line_end();
      if (at_ < text_.size()) advance();
      while (at_ < text_.size() && text_[at_] == ' ') advance();
    } while (at_ < text_.size() && (indent_ > indent_of_key || text_[at_] == '\n'));
  }

  std::string_view text_;
  size_t at_ = 0;
  int line_ = 1, column_ = 1, indent_ = 0;
  bool begins_value_ = true, follows_space_ = true;
  std::vector<UnclosedBracket> open_;
};

}  // namespace

std::optional<UnclosedBracket> find_unclosed_bracket(std::string_view text) {
  return BracketScanner(text).run();
}

}  // namespace percuss
