#include "percuss/io/csv.h"

#include <charconv>
#include <cmath>
#include <fstream>
#include <functional>
#include <sstream>

#include <fmt/format.h>

#include "percuss/io/printable.h"
#include "percuss/math/expression.h"
#include "percuss/math/shorten.h"

namespace percuss {
namespace {

constexpr std::uintmax_t max_table_bytes = 256u << 20;

bool parse_row(std::string line, double& x, double& y) {
  for (char& c : line)
    if (c == ',' || c == ';' || c == '\t' || c == '\r') c = ' ';
  std::istringstream stream(line);
  std::string rest;
  return static_cast<bool>(stream >> x >> y) && !(stream >> rest);
}

/// Calls `take` with every line that is neither empty nor a comment, and its number.
void read_lines(const std::filesystem::path& file, const std::function<void(const std::string&, int)>& take) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    throw ExpressionError(fmt::format("cannot read the table '{}': there is no such file", file.string()));
  if (std::filesystem::file_size(file, error) > max_table_bytes)
    throw ExpressionError(
        fmt::format("the table '{}' is larger than {} bytes", file.string(), max_table_bytes));
  std::ifstream stream(file);
  if (!stream) throw ExpressionError(fmt::format("cannot read the table '{}'", file.string()));
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    const auto first = line.find_first_not_of(" \t");
    if (first != line.npos && line[first] != '#') take(line, number);
  }
}

}  // namespace

Table read_table(const std::filesystem::path& file) {
  std::vector<double> xs, ys;
  read_lines(file, [&](const std::string& line, int number) {
    double x = 0, y = 0;
    if (parse_row(line, x, y) && std::isfinite(x) && std::isfinite(y)) {
      xs.push_back(x);
      ys.push_back(y);
    } else if (!xs.empty() || number > 1) {
      throw ExpressionError(fmt::format("{}:{}: expected two finite numbers", file.string(), number));
    }
  });
  try {
    return Table(std::move(xs), std::move(ys));
  } catch (const std::invalid_argument& e) {
    throw ExpressionError(fmt::format("the table '{}': {}", file.string(), e.what()));
  }
}

std::string csv_cell(const std::string& text) {
  const std::string shown = printable(text);
  if (shown.find_first_of(",\"") == shown.npos) return shown;
  std::string quoted = "\"";
  for (const char c : shown) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::vector<std::string> split_csv(const std::string& line) {
  std::vector<std::string> cells(1);
  bool is_quoted = false, was_quoted = false;
  const auto trim = [&] {
    if (!was_quoted) cells.back().erase(cells.back().find_last_not_of(" \t") + 1);
  };
  for (const char c : line) {
    if (c == '"') {
      if (was_quoted && !is_quoted) cells.back() += c;  // the second of two
      is_quoted = !is_quoted;
      was_quoted = true;
    } else if (c == ',' && !is_quoted) {
      trim();
      cells.emplace_back();
      was_quoted = false;
    } else if (is_quoted || (c != ' ' && c != '\t') || !cells.back().empty()) {
      cells.back() += c;
    }
  }
  trim();
  return cells;
}

CsvColumns read_columns(const std::filesystem::path& file) {
  CsvColumns result;
  read_lines(file, [&](const std::string& line, int number) {
    auto cells = split_csv(line);
    if (result.names.empty()) {
      result.columns.resize(cells.size());
      result.names = std::move(cells);
      return;
    }
    if (cells.size() != result.names.size())
      throw ExpressionError(fmt::format("{}:{}: expected {} numbers, one for each column; found {}",
                                        file.string(), number, result.names.size(), cells.size()));
    for (size_t i = 0; i < cells.size(); ++i) {
      double value = 0;
      const auto [end, error] = std::from_chars(cells[i].data(), cells[i].data() + cells[i].size(), value);
      if (error != std::errc{} || end != cells[i].data() + cells[i].size() || !std::isfinite(value))
        throw ExpressionError(fmt::format("{}:{}: '{}' in the column '{}' is not a finite number",
                                          file.string(), number, shorten(cells[i]), result.names[i]));
      result.columns[i].push_back(value);
    }
  });
  return result;
}

}  // namespace percuss
