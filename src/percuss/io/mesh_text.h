#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "percuss/io/mesh_readers.h"

namespace percuss {

/// The lines of a mesh file, one after the other, and the words in them.
class MeshText {
 public:
  /// Throws IoError if the file cannot be read, is empty or is no text.
  MeshText(const std::string& path, MeshDescription& target);

  /// Goes to the next line, without its end and the blanks there. False at the end of the file.
  bool next_line();
  /// The next line will be the current one again.
  void step_back() { at_ = begin_, --line_; }
  void rewind() { at_ = 0, line_ = 0; }
  std::string_view line() const { return current_; }
  /// Of the current line, or of the one to blame.
  int line_number() const { return blamed_; }
  /// Errors name this line, where something began that ended in the current one.
  void blame(int line) { blamed_ = line; }

  /// `what` says what the number stands for. Numbers may be written as 1.5D-3 and, with Nastran, as 1.5-3.
  std::int64_t integer(std::string_view word, std::string_view what) const;
  double number(std::string_view word, std::string_view what) const;
  [[noreturn]] void fail(const std::string& reason, const std::string& advice = "") const {
    target_.fail(blamed_, reason, advice);
  }

 private:
  std::string text_;
  MeshDescription& target_;
  std::size_t begin_ = 0, at_ = 0;  ///< of the current and the next line
  std::string_view current_;
  int line_ = 0, blamed_ = 0;
};

std::string_view without_blanks(std::string_view text);
std::string upper_case(std::string_view text);
/// Words between separators, without blanks around them.
void split(std::string_view text, char separator, std::vector<std::string_view>& words);
/// Words between blanks.
void split_at_blanks(std::string_view text, std::vector<std::string_view>& words);
/// Words of a line of a table: between semicolons, or else commas, or else blanks.
void split_columns(std::string_view line, std::vector<std::string_view>& words);

}  // namespace percuss
