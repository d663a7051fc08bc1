#include <algorithm>

#include <fmt/format.h>

#include "percuss/io/fclib.h"
#include "percuss/io/fclib_matrix.h"
#include "percuss/io/io_error.h"
#include "percuss/nonsmooth/sparse_blocks.h"

namespace percuss {
namespace {

using FclibSparse = Eigen::SparseMatrix<double>;

class FclibWriter {
 public:
  FclibWriter(Hdf5Writer& file, const ContactProblem& content)
      : file_(file), content_(content), group_(content.is_global() ? "/fclib_global" : "/fclib_local") {}

  void write() {
    split_rows();
    file_.make_group(group_);
    file_.make_group(group_ + "/vectors");
    file_.make(group_ + "/spacedim", std::vector<std::int32_t>{dimension_});
    file_.make(group_ + "/vectors/mu", mu_);
    if (const auto* local = std::get_if<LocalProblem>(&content_.problem))
      write_local(*local);
    else
      write_global(std::get<GlobalProblem>(content_.problem));
    write_info();
    if (content_.solution) write_solution("/solution", *content_.solution);
    if (!content_.guesses.empty()) write_guesses();
  }

 private:
  void split_rows() {
    for (const Cone& cone : content_.cones()) {
      if (cone.kind == ConeKind::equality) {
        ++equalities_;
        continue;
      }
      const bool fits = cone.is_coulomb() && equalities_ == 0 && (mu_.empty() || cone.rows() == dimension_);
      if (!fits)
        throw IoError::cannot(
            "write", file_.path(),
            "this layout holds contacts with friction, all in space or all in the plane, and "
            "equalities behind them; other laws have no place in it");
      dimension_ = cone.rows();
      mu_.push_back(cone.bound);
    }
    contact_rows_ = static_cast<int>(mu_.size()) * dimension_;
  }

  std::vector<double> of_contacts(const std::vector<double>& all) const {
    return {all.begin(), all.begin() + contact_rows_};
  }
  std::vector<double> of_equalities(const std::vector<double>& all) const {
    return {all.begin() + contact_rows_, all.end()};
  }

  void write_local(const LocalProblem& problem) {
    const FclibSparse all = to_sparse(problem.W);
    const int n = contact_rows_, k = equalities_;
    write_matrix(file_, group_ + "/W", all.block(0, 0, n, n));
    file_.make(group_ + "/vectors/q", of_contacts(problem.u_free));
    if (k == 0) return;
    write_matrix(file_, group_ + "/V", all.block(0, n, n, k));
    write_matrix(file_, group_ + "/R", all.block(n, n, k, k));
    file_.make(group_ + "/vectors/s", of_equalities(problem.u_free));
  }

  void write_global(const GlobalProblem& problem) {
    write_matrix(file_, group_ + "/M", problem.M);
    write_matrix(file_, group_ + "/H", problem.H.leftCols(contact_rows_));
    file_.make(group_ + "/vectors/f", problem.f);
    file_.make(group_ + "/vectors/w", of_contacts(problem.w));
    if (equalities_ == 0) return;
    write_matrix(file_, group_ + "/G", problem.H.rightCols(equalities_));
    file_.make(group_ + "/vectors/b", of_equalities(problem.w));
  }

  void write_info() {
    const std::string info = group_ + "/info";
    file_.make_group(info);
    file_.make_string(info + "/title", content_.title);
    file_.make_string(info + "/description", content_.description);
    file_.make_string(info + "/math_info", content_.math_info);
    if (content_.dof_count) file_.attach(info, "numberOfDegreeOfFreedom", std::int32_t{*content_.dof_count});
  }

  void write_solution(const std::string& group, const StoredSolution& solution) {
    file_.make_group(group);
    file_.make(group + "/r", of_contacts(solution.r));
    file_.make(group + "/u", of_contacts(solution.u));
    if (equalities_ > 0) file_.make(group + "/l", of_equalities(solution.r));
    if (!solution.v.empty()) file_.make(group + "/v", solution.v);
  }

  void write_guesses() {
    file_.make_group("/guesses");
    file_.make("/guesses/number_of_guesses",
               std::vector<std::int32_t>{static_cast<std::int32_t>(content_.guesses.size())});
    for (std::size_t i = 0; i < content_.guesses.size(); ++i)
      write_solution(fmt::format("/guesses/{}", i + 1), content_.guesses[i]);
  }

  Hdf5Writer& file_;
  const ContactProblem& content_;
  std::string group_;
  int dimension_ = 3, contact_rows_ = 0, equalities_ = 0;
  std::vector<double> mu_;
};

}  // namespace

void write_fclib(const std::string& path, const ContactProblem& content) {
  const auto file = Hdf5Writer::create(path);
  FclibWriter(*file, content).write();
  file->close();
  file->publish();
}

}  // namespace percuss
