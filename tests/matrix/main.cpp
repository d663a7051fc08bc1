#include <cstdio>
#include <exception>

#include <fmt/format.h>

#include "matrix/known_failures.h"
#include "matrix/page.h"
#include "support/effort.h"

/// Runs the features of percuss with its schemes and says where they agree with the reference.
namespace percuss::matrix {
namespace {

struct Arguments {
  bool is_short = false;
  std::string feature, scheme, page;
};

Arguments read(int count, char** texts) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string text = texts[i];
    const auto value = [&] {
      if (++i == count) throw std::runtime_error(text + " needs a value");
      return std::string(texts[i]);
    };
    if (text == "--short")
      arguments.is_short = true;
    else if (text == "--feature")
      arguments.feature = value();
    else if (text == "--scheme")
      arguments.scheme = value();
    else if (text == "--write")
      arguments.page = value();
    else
      throw std::runtime_error("usage: matrix [--short] [--feature NAME] [--scheme NAME] [--write PAGE]");
  }
  if (!arguments.page.empty() &&
      (arguments.is_short || !arguments.feature.empty() || !arguments.scheme.empty()))
    throw std::runtime_error("--write needs all features and schemes; leave the other options out");
  return arguments;
}

constexpr bool is_sanitized = testing::stride(2) == 2;

std::vector<Feature> chosen_features(const Arguments& arguments) {
  std::vector<Feature> features;
  for (const auto& feature : all_features()) {
    if (!arguments.feature.empty() && feature.name != arguments.feature) continue;
    if (arguments.is_short && feature.form < (is_sanitized ? Form::sanitized : Form::test)) continue;
    features.push_back(feature);
  }
  return features;
}

void print(const Column& column, const Cell& cell, const std::string& surprise) {
  const bool has_error = cell.verdict == Verdict::agrees || cell.verdict == Verdict::differs;
  const std::string numbers = has_error ? fmt::format("{:.1e} of {:.1e} allowed, finer {:.1e}", cell.error,
                                                      cell.bound, cell.finer_error)
                                        : cell.message;
  fmt::print("  {:<36} {:<9} {}\n", column.label, verdict_name(cell.verdict), numbers);
  if (!surprise.empty()) fmt::print("  ^ UNEXPECTED: {}\n", surprise);
  std::fflush(stdout);
}

/// The cells of a row, printed on the way; adds to `surprises`.
Row run_row(const Feature& feature, const std::string& scheme, int& surprises) {
  Reference reference(feature);
  Row row{feature, reference.title(), reference.duration(), reference.steps(), {}};
  reference.prepare();
  fmt::print("{}\n", feature.name);
  std::fflush(stdout);
  for (const auto& column : all_columns()) {
    if (!scheme.empty() && column.label != scheme) continue;
    row.cells.push_back(evaluate_isolated(reference, column));
    const std::string unexpected = surprise(feature, column, row.cells.back());
    surprises += !unexpected.empty();
    print(column, row.cells.back(), unexpected);
  }
  return row;
}

int run(const Arguments& arguments) {
  int surprises = 0;
  std::vector<Row> rows;
  for (const auto& feature : chosen_features(arguments))
    rows.push_back(run_row(feature, arguments.scheme, surprises));
  if (rows.empty()) throw std::runtime_error("there is no feature " + arguments.feature);
  if (!arguments.page.empty()) write_section(arguments.page, page_section(rows));
  fmt::print("{} unexpected\n", surprises);
  return surprises == 0 ? 0 : 1;
}

}  // namespace
}  // namespace percuss::matrix

int main(int count, char** texts) {
  try {
    return percuss::matrix::run(percuss::matrix::read(count, texts));
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 2;
  }
}
