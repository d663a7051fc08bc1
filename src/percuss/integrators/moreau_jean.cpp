#include "percuss/integrators/moreau_jean.h"

#include <cmath>
#include <limits>

#include "percuss/dynamics/forces.h"
#include "percuss/integrators/one_step/contact_stage.h"

namespace percuss {
namespace {

/// docs/theory/moreau.md (M-1) to (M-9):
///   M (v_{n+1} - v_n) = h f(q_{n+theta}, v_{n+theta}, t_{n+theta}) + H r
///   q_{n+1} = q_n + h v_{n+theta},   x_{n+theta} = theta x_{n+1} + (1 - theta) x_n
///   0 <= u_{n+1} + e u_n  ⟂  r >= 0   for the active contacts
class MoreauJean final : public Integrator {
 public:
  MoreauJean(const MoreauJeanOptions& options, const SolverChoice& solver)
      : options_(options), solver_(solver) {}

  SchemeFacts facts() const override {
    return {
        .name = MoreauJeanOptions::scheme, .smooth_order = options_.theta == 0.5 ? 2 : 1, .impact_order = 1};
  }
  std::unique_ptr<Workspace> make_workspace(const Assembly& assembly) const override;
  StepReport step(const Assembly& assembly, double h, State& state, Workspace& work) const override;

 private:
  MoreauJeanOptions options_;
  SolverChoice solver_;
};

struct Scratch final : Workspace {
  SparseMatrix matrix;  ///< M + h theta C + h^2 theta^2 K
  SparseLdlt factor;
  double factorised_step = std::numeric_limits<double>::quiet_NaN();
  VectorX v, v_theta, q_theta, force, b, z, dv;
  ActiveContacts active;
  std::unique_ptr<ContactStage> contacts;
  PhaseClock clock;
  double activation_tolerance = 0;
  double spring_rounding = 0;  ///< of the spring forces [N]

  /// Rounding of M (v - v_n), below which no residual can fall [N s].
  double momentum_rounding(const System& system, const State& state) const {
    return 4 * std::numeric_limits<double>::epsilon() *
           system.mass.cwiseProduct(v.cwiseAbs().cwiseMax(state.v.cwiseAbs())).maxCoeff();
  }
};

/// |b + H r| in the largest-entry norm, with the reactions of the last contact solve.
double residual_norm(const ContactSet& contacts, const ActiveContacts& active, const Solution& solution,
                     VectorX& b) {
  for (size_t row = 0; row < active.index.size(); ++row) {
    const Contact& contact = contacts.contacts[active.index[row]];
    for (int i = 0; i < contact.count; ++i) b[contact.dof[i]] += contact.normal[i] * solution.r[row];
  }
  return b.lpNorm<Eigen::Infinity>();
}

std::unique_ptr<Workspace> MoreauJean::make_workspace(const Assembly& assembly) const {
  auto work = std::make_unique<Scratch>();
  const System& system = assembly.system;
  const int n = system.dof_count();
  work->matrix = system.pattern;
  work->factor.analyse(work->matrix);
  for (VectorX* x : {&work->v, &work->v_theta, &work->q_theta, &work->force, &work->b, &work->z, &work->dv})
    x->setZero(n);
  work->active.reserve(assembly.contacts.count());
  work->contacts = std::make_unique<ContactStage>(assembly, work->factor, solver_);
  work->activation_tolerance = activation_tolerance(system, options_.activation_tolerance);
  for (const auto& spring : system.distance_springs)
    work->spring_rounding = std::max(
        work->spring_rounding, 16 * std::numeric_limits<double>::epsilon() * spring.stiffness * system.size);
  return work;
}

StepReport MoreauJean::step(const Assembly& assembly, double h, State& state, Workspace& workspace) const {
  auto& w = static_cast<Scratch&>(workspace);
  const System& system = assembly.system;
  const double theta = options_.theta;
  const double t_theta = state.time + theta * h;
  const bool linear = system.has_constant_matrices();
  StepReport report;
  w.clock.start(w.measure_time);

  activate(assembly.contacts, state, h, options_.activation, w.activation_tolerance, w.active);
  report.active_contacts = static_cast<int>(w.active.index.size());
  w.clock.mark(report.seconds.contacts);

  w.v = state.v;
  const Solution* solution = nullptr;
  for (;;) {
    // Newton on (M-1) in v_{n+1}, started at v_n; exact after one iteration where f is linear.
    w.v_theta = theta * w.v + (1 - theta) * state.v;
    w.q_theta = state.q + theta * h * w.v_theta;
    evaluate_force(system, w.q_theta, w.v_theta, t_theta, w.force);
    w.b = h * w.force - system.mass.cwiseProduct(w.v - state.v);
    if (!linear && report.iterations > 0) {
      const double scale =
          h * w.force.lpNorm<Eigen::Infinity>() + (w.b - h * w.force).lpNorm<Eigen::Infinity>();
      w.dv = w.b;
      const double residual = solution ? residual_norm(assembly.contacts, w.active, *solution, w.dv)
                                       : w.dv.lpNorm<Eigen::Infinity>();
      if (!std::isfinite(residual)) return report.status = SolveStatus::not_finite, report;
      const double rounding = h * w.spring_rounding + w.momentum_rounding(system, state);
      if (residual <= options_.newton_tolerance * scale + rounding) break;
      if (report.iterations == options_.newton_iterations)
        return report.status = SolveStatus::iteration_limit, report;
    }
    if (!linear || w.factorised_step != h) {
      assemble_iteration_matrix(system, w.q_theta, w.v_theta, h * theta, h * h * theta * theta, w.matrix);
      w.factorised_step = std::numeric_limits<double>::quiet_NaN();
      if (!w.factor.factorise(w.matrix)) return report.status = SolveStatus::singular, report;
      w.factorised_step = h;
      ++report.factorisations;
    }
    w.factor.forward(w.b, w.z);
    w.clock.mark(report.seconds.forces);
    if (report.active_contacts > 0) {
      solution = &w.contacts->solve(assembly.contacts, w.factor, w.active, w.v, w.z, w.clock, report.seconds);
      report.residual = solution->residual.relative;
      if (solution->status != SolveStatus::converged) return report.status = solution->status, report;
    }
    w.factor.backward(w.z, w.dv);
    w.v += w.dv;
    ++report.iterations;
    if (linear) break;
  }
  if (!std::isfinite(w.v.sum())) return report.status = SolveStatus::not_finite, report;

  w.v_theta = theta * w.v + (1 - theta) * state.v;
  state.q += h * w.v_theta;
  state.v = w.v;
  state.time += h;
  ++state.step;
  w.contacts->store(assembly.contacts, w.active, state);
  w.clock.mark(report.seconds.forces);
  return report;
}

}  // namespace

std::unique_ptr<Integrator> make_moreau_jean(const MoreauJeanOptions& options, const SolverChoice& solver) {
  return std::make_unique<MoreauJean>(options, solver);
}

}  // namespace percuss
