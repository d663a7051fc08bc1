#include "matrix/page.h"

#include <cmath>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "matrix/known_failures.h"

namespace percuss::matrix {
namespace {

constexpr const char* begin_marker = "<!-- matrix: written by `build/release/bin/matrix --write` -->";
constexpr const char* end_marker = "<!-- end of matrix -->";

/// Messages below a table, with a letter each. Those that differ in names and numbers only count as one.
class Messages {
 public:
  std::string letter(const std::string& message) {
    static const std::regex names("'[^']*'"), numbers("[-0-9.e]+");
    const std::string pattern = std::regex_replace(std::regex_replace(message, names, "'…'"), numbers, "#");
    for (size_t i = 0; i < patterns_.size(); ++i)
      if (patterns_[i] == pattern) return letter_of(i);
    patterns_.push_back(pattern);
    examples_.push_back(message);
    return letter_of(patterns_.size() - 1);
  }
  std::string text() const {
    std::string text;
    for (size_t i = 0; i < examples_.size(); ++i)
      text += fmt::format("- {}: {}\n", letter_of(i), examples_[i]);
    return text;
  }

 private:
  static std::string letter_of(size_t i) { return fmt::format("[{}]", static_cast<char>('a' + i)); }
  std::vector<std::string> patterns_, examples_;
};

std::string cell_text(const Cell& cell, Messages& messages) {
  switch (cell.verdict) {
    case Verdict::agrees:
      return cell.order > 0 && cell.finer_error > 1e-8 ? fmt::format("{:.0e}, {:.1f}", cell.error, cell.order)
                                                       : fmt::format("{:.0e}", cell.error);
    case Verdict::differs: return fmt::format("**differs**, {:.0e}", cell.error);
    case Verdict::reference: return "reference";
    case Verdict::fails: return "**fails** " + messages.letter(cell.message);
    case Verdict::refuses: return "refuses " + messages.letter(cell.message);
  }
  return "";
}

std::string header(const std::vector<std::string>& names) {
  std::string line = "|", rule = "|";
  for (const auto& name : names) line += " " + name + " |", rule += "---|";
  return line + "\n" + rule + "\n";
}

std::string result_table(const std::vector<Row>& rows, bool variants) {
  std::vector<std::string> names = {"feature"};
  for (const auto& column : all_columns())
    if (column.is_variant == variants) names.push_back(column.label);
  std::string text = header(names);
  Messages messages;
  for (const Row& row : rows) {
    text += "| " + row.title + " |";
    for (size_t c = 0; c < row.cells.size(); ++c)
      if (all_columns()[c].is_variant == variants) text += " " + cell_text(row.cells[c], messages) + " |";
    text += "\n";
  }
  return text + "\n" + messages.text();
}

std::string kind_name(Kind kind) {
  switch (kind) {
    case Kind::smooth: return "in smooth motion";
    case Kind::joints: return "with joints";
    case Kind::contacts: return "with impacts";
    case Kind::adaptive: return "tolerance";
  }
  return "";
}

std::string feature_table(const std::vector<Row>& rows) {
  std::string text = header({"feature", "scene", "order that counts", "rate [rad/s]", "of", "T [s]", "N",
                             "bound, order 1", "bound, order 2", "reference"});
  for (const Row& row : rows) {
    const Feature& feature = row.feature;
    const double turns = feature.rate * row.duration;
    const auto bound = [&](int order) {
      return feature.kind == Kind::adaptive
                 ? "10 tolerances"
                 : fmt::format("{:.1e}", turns * std::pow(turns / row.steps, order));
    };
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", row.title, feature.name,
                        kind_name(feature.kind), feature.rate, feature.rate_is, row.duration, row.steps,
                        bound(1), bound(2), feature.exact.empty() ? "event-driven" : "closed form");
  }
  return text;
}

std::string failure_table() {
  if (known_failures().empty()) return "None.\n";
  std::string text = header({"feature", "scheme", "what", "why"});
  for (const auto& failure : known_failures())
    text += fmt::format("| {} | {} | {} | {} |\n", failure.feature, failure.column,
                        verdict_name(failure.verdict), failure.why);
  return text;
}

std::string study_table() {
  std::string text = header({"scheme for study", "restriction"});
  for (const auto& scheme : study_schemes())
    text += fmt::format("| {} | {} |\n", scheme.name, scheme.restriction);
  return text;
}

constexpr const char* introduction = R"(## Feature × scheme

Every feature of percuss in a small scene (`tests/matrix/scenes`) with every scheme. The number is the largest over the
probes of the mean distance from the reference over the N steps, as a part of the range of the reference; behind it is
the order observed between h and h/2, with contacts between h and h/4. The reference is an event-driven run with
tolerances of 10⁻¹¹ or a closed form.

A scheme agrees if its error is below ωT (ωh)^p and falls with the step at least like order 1: observed orders of 0.8,
with contacts 0.5. p is the order that `percuss integrators` promises in smooth motion, with joints or with impacts, and
ω the rate of the motion: a method of order p makes an error of about (ωh)^p in each 1/ω. The steps are such that the
bound of order 1 is at most a tenth. With contacts each error is the mean over 8 runs with N, N + 1, ... N + 7 steps (4N,
4N + 1, ...), because where in its step an impact falls is arbitrary, or over 40 where 8 do not show the order. For
event-driven the bound is 1000 times its tolerance for one step, for adaptive steps ten times their tolerance. What
neither agrees nor ends with a message differs: it would be silently wrong.

`build/release/bin/matrix --write docs/verification.md` writes this section; `--feature NAME --scheme NAME` prints one
cell. `ctest -R matrix` runs a part of it and fails where a cell differs or fails that is not in the table of known
failures, or is in it and does so no more.
)";

}  // namespace

std::string page_section(const std::vector<Row>& rows) {
  return fmt::format(
      "{}\nWith default options (error, order):\n\n{}\nWith other options:\n\n{}\nKnown failures:\n\n{}\n"
      "Schemes for study are not compared; without `allow_inconsistent: true` they are refused:\n\n{}\n"
      "The scenes and what follows from the orders:\n\n{}",
      introduction, result_table(rows, false), result_table(rows, true), failure_table(), study_table(),
      feature_table(rows));
}

void write_section(const std::string& file, const std::string& section) {
  std::ifstream in(file);
  std::stringstream content;
  content << in.rdbuf();
  const std::string text = content.str();
  const size_t begin = text.find(begin_marker), end = text.find(end_marker);
  if (begin == text.npos || end == text.npos || end < begin)
    throw std::runtime_error(fmt::format("{} must have the lines {} and {}, between which it is written",
                                         file, begin_marker, end_marker));
  std::ofstream out(file);
  out << text.substr(0, begin) << begin_marker << "\n" << section << text.substr(end);
  if (!out.flush()) throw std::runtime_error("cannot write " + file);
}

}  // namespace percuss::matrix
