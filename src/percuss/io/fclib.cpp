#include "percuss/io/fclib.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "percuss/io/fclib_matrix.h"
#include "percuss/io/io_error.h"
#include "percuss/nonsmooth/sparse_blocks.h"

namespace percuss {
namespace {

constexpr const char* fclib_advice = "a contact problem is an HDF5 file (.hdf5, .h5) or a text (.dat)";

/// The rows of a problem: those of the contacts, then the equalities.
struct FclibRows {
  int contacts = 0, dimension = 3, equalities = 0;

  int of_contacts() const { return contacts * dimension; }
  int all() const { return of_contacts() + equalities; }
};

void add_shifted(Triplets& target, const Triplets& entries, int row, int column) {
  for (const auto& entry : entries)
    target.emplace_back(entry.row() + row, entry.col() + column, entry.value());
}

class FclibReader {
 public:
  explicit FclibReader(const Hdf5Reader& file) : file_(file), data_(file) {}

  ContactProblem read() {
    const bool local = file_.contains("/fclib_local"), global = file_.contains("/fclib_global");
    if (local == global)
      data_.fail(local ? "it holds both /fclib_local and /fclib_global"
                       : "it holds no contact problem: there is neither /fclib_local nor /fclib_global");
    group_ = local ? "/fclib_local" : "/fclib_global";
    ContactProblem content;
    read_cones();
    if (local)
      content.problem = read_local();
    else
      content.problem = read_global();
    read_info(content);
    if (file_.contains("/solution")) content.solution = read_solution("/solution");
    read_guesses(content);
    return content;
  }

 private:
  void read_cones() {
    rows_.dimension = data_.integer(group_ + "/spacedim");
    if (rows_.dimension != 2 && rows_.dimension != 3)
      data_.fail(fmt::format("{}/spacedim is {}; it must be 2 or 3", group_, rows_.dimension));
    const auto mu = data_.numbers(group_ + "/vectors/mu");
    require_few("mu", mu.size());
    rows_.contacts = static_cast<int>(mu.size());
    for (int c = 0; c < rows_.contacts; ++c) {
      if (mu[c] < 0) data_.fail(fmt::format("{}/vectors/mu[{}] is {}; it must be >= 0", group_, c, mu[c]));
      cones_.push_back({rows_.dimension == 3 ? ConeKind::coulomb : ConeKind::planar_coulomb, mu[c]});
    }
  }

  /// Numbers of rows must stay far below where they overflow.
  void require_few(const std::string& name, std::size_t count) const {
    constexpr std::size_t most = 100'000'000;
    if (count > most)
      data_.fail(
          fmt::format("{}/vectors/{} has {} entries; at most {} are allowed", group_, name, count, most));
  }

  std::vector<double> read_vector(const std::string& name, int count, const std::string& counted) const {
    return data_.numbers(group_ + "/vectors/" + name, static_cast<std::size_t>(count), counted);
  }
  std::vector<double> read_contact_vector(const std::string& name) const {
    return read_vector(name, rows_.of_contacts(), fmt::format("{} per entry of mu", rows_.dimension));
  }

  /// Appends what the file says about the equalities in `name` to the vector of all rows.
  void add_equalities(const std::string& name, std::vector<double>& all) {
    const auto values = data_.numbers(group_ + "/vectors/" + name);
    require_few(name, values.size());
    rows_.equalities = static_cast<int>(values.size());
    all.insert(all.end(), values.begin(), values.end());
    cones_.resize(cones_.size() + values.size(), {ConeKind::equality});
  }

  LocalProblem read_local() {
    LocalProblem problem;
    problem.u_free = read_contact_vector("q");
    const int n = rows_.of_contacts();
    Triplets entries = data_.matrix(group_ + "/W", n, n);
    if (file_.contains(group_ + "/V")) {  // 0 = V^T r + R l + s
      add_equalities("s", problem.u_free);
      const int k = rows_.equalities;
      for (const auto& entry : data_.matrix(group_ + "/V", n, k)) {
        entries.emplace_back(entry.row(), n + entry.col(), entry.value());
        entries.emplace_back(n + entry.col(), entry.row(), entry.value());
      }
      if (file_.contains(group_ + "/R")) add_shifted(entries, data_.matrix(group_ + "/R", k, k), n, n);
    }
    Eigen::SparseMatrix<double> sums(rows_.all(), rows_.all());
    sums.setFromTriplets(entries.begin(), entries.end());
    problem.W = to_blocks(sums, cones_);
    problem.cones = cones_;
    return problem;
  }

  GlobalProblem read_global() {
    GlobalProblem problem;
    problem.f = data_.numbers(group_ + "/vectors/f");
    problem.w = read_contact_vector("w");
    require_few("f", problem.f.size());
    dofs_ = static_cast<int>(problem.f.size());
    const Triplets M = data_.matrix(group_ + "/M", dofs_, dofs_);
    Triplets H = data_.matrix(group_ + "/H", dofs_, rows_.of_contacts());
    if (file_.contains(group_ + "/G")) {  // 0 = G^T v + b
      add_equalities("b", problem.w);
      add_shifted(H, data_.matrix(group_ + "/G", dofs_, rows_.equalities), 0, rows_.of_contacts());
    }
    problem.M.resize(dofs_, dofs_);
    problem.M.setFromTriplets(M.begin(), M.end());
    check_symmetry(problem.M);
    problem.H.resize(dofs_, rows_.all());
    problem.H.setFromTriplets(H.begin(), H.end());
    problem.cones = cones_;
    return problem;
  }

  /// Only one triangle of M is used later, so the other must not say something else.
  void check_symmetry(const Eigen::SparseMatrix<double>& M) const {
    const Eigen::SparseMatrix<double> transposed = M.transpose(), difference = M - transposed;
    double largest = 0, worst = 0;
    for (int k = 0; k < M.nonZeros(); ++k) largest = std::max(largest, std::abs(M.valuePtr()[k]));
    for (int k = 0; k < difference.nonZeros(); ++k)
      worst = std::max(worst, std::abs(difference.valuePtr()[k]));
    constexpr double allowed = 1e-6;
    if (worst > allowed * largest)
      data_.fail(
          fmt::format("{}/M is unsymmetric by {:.3g}; at most {} of its largest entry {:.3g} is allowed",
                      group_, worst, allowed, largest));
  }

  void read_info(ContactProblem& content) const {
    const std::string info = group_ + "/info";
    if (!file_.contains(info)) return;
    const auto text = [&](const char* name) {
      const std::string path = info + "/" + name;
      return file_.contains(path) ? file_.read_string(path) : std::string();
    };
    content.title = text("title");
    content.description = text("description");
    content.math_info = text("math_info");
    content.dof_count = file_.integer_attribute(info, "numberOfDegreeOfFreedom");
    if (content.dof_count && *content.dof_count < 0)
      data_.fail(
          fmt::format("numberOfDegreeOfFreedom of {} is {}; it must be >= 0", info, *content.dof_count));
  }

  StoredSolution read_solution(const std::string& group) const {
    const auto count = static_cast<std::size_t>(rows_.of_contacts());
    const std::string per_contact = fmt::format("{} per contact", rows_.dimension);
    StoredSolution solution;
    solution.r = data_.numbers(group + "/r", count, per_contact);
    solution.u = data_.numbers(group + "/u", count, per_contact);
    if (rows_.equalities > 0) {
      const auto l =
          data_.numbers(group + "/l", static_cast<std::size_t>(rows_.equalities), "one per equality");
      solution.r.insert(solution.r.end(), l.begin(), l.end());
      solution.u.resize(solution.r.size(), 0.0);
    }
    if (dofs_ > 0 && file_.contains(group + "/v"))
      solution.v = data_.numbers(group + "/v", static_cast<std::size_t>(dofs_), "one per entry of f");
    return solution;
  }

  void read_guesses(ContactProblem& content) const {
    if (!file_.contains("/guesses")) return;
    const int count = data_.integer("/guesses/number_of_guesses");
    if (count < 0) data_.fail(fmt::format("/guesses/number_of_guesses is {}; it must be >= 0", count));
    for (int i = 1; i <= count; ++i) content.guesses.push_back(read_solution(fmt::format("/guesses/{}", i)));
  }

  const Hdf5Reader& file_;
  FclibData data_;
  std::string group_;
  FclibRows rows_;
  int dofs_ = 0;  ///< of a global problem
  std::vector<Cone> cones_;
};

}  // namespace

ContactProblem read_fclib(const std::string& path) {
  const auto file = Hdf5Reader::open(path, fclib_advice);
  return FclibReader(*file).read();
}

}  // namespace percuss
