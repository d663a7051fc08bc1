#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace percuss {

enum class TokenKind : std::uint8_t { end, number, name, quoted, symbol };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;     ///< without the quotes, if quoted
  std::size_t position = 0;  ///< column of the first character, from 0
  double number = 0;

  /// Symbols, and the words `and`, `or`, `not`.
  bool is(std::string_view symbol) const {
    return (kind == TokenKind::symbol || kind == TokenKind::name) && text == symbol;
  }
};

/// Cuts the text of an expression into tokens.
class ExpressionLexer {
 public:
  explicit ExpressionLexer(std::string_view text) : text_(text) {}

  /// Throws ExpressionError. After the last token it returns TokenKind::end for ever.
  Token next();

 private:
  Token number();
  Token name();
  Token quoted();
  Token symbol();
  Token take(TokenKind kind, std::size_t length);
  std::size_t end_of_word(std::size_t start) const;
  void fail_if_not_finite() const;  ///< explains the `.nan` and `.inf` of YAML

  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace percuss
