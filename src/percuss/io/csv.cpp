#include "percuss/io/csv.h"

#include <cmath>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "percuss/math/expression.h"

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

}  // namespace

Table read_table(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    throw ExpressionError(fmt::format("cannot read the table '{}': there is no such file", file.string()));
  if (std::filesystem::file_size(file, error) > max_table_bytes)
    throw ExpressionError(
        fmt::format("the table '{}' is larger than {} bytes", file.string(), max_table_bytes));
  std::ifstream stream(file);
  if (!stream) throw ExpressionError(fmt::format("cannot read the table '{}'", file.string()));
  std::vector<double> xs, ys;
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    const auto first = line.find_first_not_of(" \t\r");
    if (first == line.npos || line[first] == '#') continue;
    double x = 0, y = 0;
    if (parse_row(line, x, y) && std::isfinite(x) && std::isfinite(y)) {
      xs.push_back(x);
      ys.push_back(y);
    } else if (!xs.empty() || number > 1) {
      throw ExpressionError(fmt::format("{}:{}: expected two finite numbers", file.string(), number));
    }
  }
  try {
    return Table(std::move(xs), std::move(ys));
  } catch (const std::invalid_argument& e) {
    throw ExpressionError(fmt::format("the table '{}': {}", file.string(), e.what()));
  }
}

}  // namespace percuss
