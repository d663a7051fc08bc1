#include "percuss/math/expression_lexer.h"

#include <array>
#include <charconv>
#include <system_error>

#include <fmt/format.h>

#include "percuss/math/expression.h"
#include "percuss/math/expression_names.h"
#include "percuss/math/shorten.h"

namespace percuss {
namespace {

// Not those of <cctype>: the meaning of a scene must not depend on the locale.
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

[[noreturn]] void fail_at_character(char c, std::size_t position) {
  if (c == '=') throw ExpressionError("unexpected character '='; to compare, write ==", position);
  if (c > ' ' && c <= '~') throw ExpressionError(fmt::format("unexpected character '{}'", c), position);
  throw ExpressionError(fmt::format("unexpected character (byte 0x{:02X})",
                                    static_cast<unsigned>(static_cast<unsigned char>(c))),
                        position);
}

}  // namespace

Token ExpressionLexer::next() {
  while (position_ < text_.size() && is_space(text_[position_])) ++position_;
  if (position_ == text_.size()) return take(TokenKind::end, 0);
  const char c = text_[position_];
  const bool digit_follows = position_ + 1 < text_.size() && is_digit(text_[position_ + 1]);
  if (is_digit(c) || (c == '.' && digit_follows)) return number();
  if (is_letter(c)) return name();
  if (c == '\'' || c == '"') return quoted();
  return symbol();
}

Token ExpressionLexer::take(TokenKind kind, std::size_t length) {
  const Token token{.kind = kind, .text = text_.substr(position_, length), .position = position_};
  position_ += length;
  return token;
}

Token ExpressionLexer::number() {
  const char* const begin = text_.data() + position_;
  double value = 0;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
  Token token = take(TokenKind::number, static_cast<std::size_t>(end - begin));
  if (error != std::errc{}) {
    throw ExpressionError(fmt::format("the number {} is out of range", shorten(token.text)), token.position);
  }
  token.number = value;
  return token;
}

std::size_t ExpressionLexer::end_of_word(std::size_t start) const {
  std::size_t end = start;
  while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
  return end;
}

Token ExpressionLexer::name() { return take(TokenKind::name, end_of_word(position_) - position_); }

void ExpressionLexer::fail_if_not_finite() const {
  const std::string_view word = text_.substr(position_, end_of_word(position_ + 1) - position_);
  if (word[0] != '.' || !is_not_finite_word(word.substr(1))) return;
  throw ExpressionError(fmt::format("a number must be finite, not {}", word), position_);
}

Token ExpressionLexer::quoted() {
  const std::size_t start = position_;
  const std::size_t end = text_.find(text_[start], start + 1);
  if (end == std::string_view::npos) {
    throw ExpressionError(fmt::format("missing closing quote {}", text_[start]), start);
  }
  position_ = end + 1;
  return {.kind = TokenKind::quoted, .text = text_.substr(start + 1, end - start - 1), .position = start};
}

Token ExpressionLexer::symbol() {
  // Longer symbols first.
  constexpr std::array<std::string_view, 15> symbols{"**", "<=", ">=", "==", "!=", "<", ">", "+",
                                                     "-",  "*",  "/",  "^",  "(",  ")", ","};
  for (const std::string_view symbol : symbols) {
    if (!text_.substr(position_).starts_with(symbol)) continue;
    Token token = take(TokenKind::symbol, symbol.size());
    if (symbol == "**") token.text = "^";
    return token;
  }
  fail_if_not_finite();
  fail_at_character(text_[position_], position_);
}

}  // namespace percuss
