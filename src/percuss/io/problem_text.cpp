#include "percuss/io/problem_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "percuss/io/contact_problem.h"
#include "percuss/io/disk_file.h"
#include "percuss/io/fclib.h"
#include "percuss/io/io_error.h"
#include "percuss/nonsmooth/solvers.h"

namespace percuss {
namespace {

/// Gives the numbers of a text one after the other.
class NumberText {
 public:
  explicit NumberText(const std::string& path) : path_(path), text_(read_whole_file(path)) {}

  /// The next number; `what` says what it stands for.
  template <class Number>
  Number next(const std::string& what) {
    const std::string_view word = next_word(what);
    std::string_view digits = word;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    Number value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size())
      fail(fmt::format("'{}' is not {} ({})", shortened(word),
                       std::is_integral_v<Number> ? "an integer" : "a number", what));
    return value;
  }
  double next_finite(const std::string& what) {
    const auto value = next<double>(what);
    if (!std::isfinite(value)) fail(fmt::format("{} is {}; it must be finite", what, value));
    return value;
  }
  int next_equal(int wanted, const std::string& what) {
    const int value = next<int>(what);
    if (value != wanted) fail(fmt::format("{} is {}; it must be {}", what, value, wanted));
    return value;
  }

  std::size_t characters_left() const { return text_.size() - at_; }
  [[noreturn]] void fail(const std::string& reason) const {
    throw IoError::cannot("read", path_, fmt::format("line {}: {}", line_, reason));
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  static std::string shortened(std::string_view word) {
    std::string printable(word.substr(0, 20));
    for (char& c : printable)
      if (c < ' ' || c > '~') c = '?';
    return printable;
  }

  std::string_view next_word(const std::string& what) {
    for (; at_ < text_.size() && is_space(text_[at_]); ++at_) line_ += text_[at_] == '\n';
    if (at_ == text_.size()) fail(fmt::format("the file ends where {} is expected", what));
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
    return std::string_view(text_).substr(begin, at_ - begin);
  }

  std::string path_, text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

LocalProblem read_problem_text(const std::string& path) {
  NumberText text(path);
  const int n = text.next<int>("the number of rows");
  if (n < 1) text.fail(fmt::format("the number of rows is {}; it must be positive", n));
  text.next_equal(0, "the storage of the matrix (0: dense)");
  for (const char* what : {"the number of rows of the matrix", "the number of its columns",
                           "the number of rows of the dense matrix", "the number of its columns"})
    text.next_equal(n, what);
  const double numbers = static_cast<double>(n) * n + n;
  if (2 * numbers > static_cast<double>(text.characters_left()) + 1)
    text.fail(fmt::format("a problem of {} rows has {:.0f} numbers, more than there can be in this file", n,
                          numbers));

  std::vector<double> columns(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      columns[static_cast<std::size_t>(j) * n + i] = text.next_finite("an entry of the matrix");
  LocalProblem problem;
  for (int i = 0; i < n; ++i) {
    problem.u_free.push_back(text.next_finite("an entry of the vector"));
    problem.cones.push_back({ConeKind::nonnegative});
  }
  problem.W.add_cones(problem.cones);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double entry = columns[static_cast<std::size_t>(j) * n + i];
      const double transposed = columns[static_cast<std::size_t>(i) * n + j];
      if (i == j || entry != 0.0 || transposed != 0.0) *problem.W.append(j) = entry;
    }
    problem.W.end_cone();
  }
  return problem;
}

void write_problem_text(const std::string& path, const LocalProblem& problem) {
  if (!problem.has_only(ConeKind::nonnegative))
    throw IoError::cannot("write", path, "the text form holds only contacts without friction");
  const int n = problem.size();
  std::vector<double> columns(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    problem.W.for_each_in_row(
        i, [&](int j, double entry) { columns[static_cast<std::size_t>(j) * n + i] = entry; });
  std::string text = fmt::format("{0}\n0\n{0}\n{0}\n{0} {0}\n", n);
  for (auto column = columns.begin(); column != columns.end(); column += n)
    fmt::format_to(std::back_inserter(text), "{}\n", fmt::join(column, column + n, " "));
  fmt::format_to(std::back_inserter(text), "{}\n", fmt::join(problem.u_free, " "));
  const auto disk = DiskFile::create(path);
  disk->write(0, text.data(), text.size());
  disk->sync();
  disk->publish();
  disk->throw_if_failed();
}

namespace {

/// Some collections give every file the same ending.
bool begins_like_hdf5(const std::string& path) {
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  char begin[signature.size()];
  const auto disk = DiskFile::open(path);
  const auto length = disk->read(0, begin, sizeof begin);
  return std::string_view(begin, length) == signature;
}

}  // namespace

ContactProblem read_contact_problem(const std::string& path) {
  if (!path.ends_with(".dat") || begins_like_hdf5(path)) return read_fclib(path);
  ContactProblem content;
  content.problem = read_problem_text(path);
  return content;
}

}  // namespace percuss
