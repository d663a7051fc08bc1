#include "percuss/integrators/hht.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "percuss/dynamics/forces.h"
#include "percuss/dynamics/saddle_point.h"
#include "percuss/integrators/one_step/contact_stage.h"
#include "percuss/integrators/one_step/finish_step.h"
#include "percuss/integrators/one_step/step_residual.h"

namespace percuss {

HhtCoefficients HhtCoefficients::derive(double alpha_f, std::optional<double> gamma,
                                        std::optional<double> beta) {
  HhtCoefficients c;
  c.alpha_f = alpha_f;
  c.gamma = gamma.value_or(0.5 + alpha_f);
  c.beta = beta.value_or(0.25 * (c.gamma + 0.5) * (c.gamma + 0.5));
  return c;
}
bool HhtCoefficients::has_second_order() const { return std::abs(gamma - 0.5 - alpha_f) < 1e-12; }

namespace {

SchemeFacts hht_facts(const HhtCoefficients& c) {
  const int order = c.has_second_order() ? 2 : 1;
  return {.smooth_order = order, .joint_order = order};
}

}  // namespace

SchemeFacts HhtOptions::facts() const {
  SchemeFacts facts = hht_facts(coefficients());
  facts.restriction = "contacts hold at velocity level, joints at position level";
  return facts;
}
SchemeFacts HhtDirectOptions::facts() const {
  SchemeFacts facts = hht_facts(coefficients());
  const HhtCoefficients c = coefficients();
  facts.impact_order = c.gamma == 1 && c.alpha_f == 0 ? 1 : 0;
  facts.restriction = "for study only: wrong restitution unless gamma is 1 and alpha_f 0";
  return facts;
}
SchemeFacts HhtPositionOptions::facts() const {
  SchemeFacts facts = hht_facts(coefficients());
  facts.impact_order = 0;
  facts.constraints = ConstraintLevel::position;
  facts.has_friction = false;
  facts.restriction = "for study only: there is no impact law";
  return facts;
}
SchemeFacts NewmarkPositionOptions::facts() const {
  return HhtPositionOptions{.alpha_f = 0, .gamma = gamma, .beta = beta}.facts();
}

namespace {

constexpr int most_newton_iterations = 100;
constexpr double motion_tolerance = 1e-12;

/// What tells the members of the family apart.
struct HhtForm {
  HhtCoefficients coefficients;
  bool impulses_are_forces = false;  ///< eqs 22-23 instead of 26-27
  ContactLevel level = ContactLevel::velocity;
  Activation activation = Activation::start_gap;
  std::optional<double> activation_tolerance = {};
};

/// docs/theory/hht.md; paper 001. With the weights c and d of (H-2):
///   v = v_p + h c2 a + cw w,      q = q_n * (x_p + h^2 d2 a + dw w)
///   M a = f(q, v, t) + G^T lambda,   g(q) = 0               for the joints
///   M w = H r + G^T Lambda,          G w = 0                jumps that contacts cause
///   0 <= u + e u_n  ⟂  r >= 0  (or gap >= 0)                for the active contacts, with friction
class Hht final : public Integrator {
 public:
  Hht(const HhtForm& form, const SolverChoice& solver) : form_(form), solver_(solver) {}

  /// a_n, a_{n-1}, and the jumps w_n, w_{n-1} where they are carried on.
  int memory_size(const System& system) const override {
    return (form_.impulses_are_forces ? 4 : 2) * system.dof_count();
  }
  std::unique_ptr<Workspace> make_workspace(const Assembly& assembly) const override;
  StepReport step(const Assembly& assembly, double h, State& state, Workspace& work) const override;

 private:
  HhtForm form_;
  SolverChoice solver_;
};

struct HhtScratch final : Workspace {
  HhtScratch(const Assembly& assembly, const SolverChoice& solver, ContactLevel level)
      : motion(assembly.system),
        jump(assembly.system),
        contacts(assembly, jump.factor(), solver, level),
        kinematics(make_kinematics(assembly.system)),
        start(make_contact_kinematics(assembly.contacts)),
        end(start) {
    const System& system = assembly.system;
    const int n = system.dof_count(), m = system.constraint_count();
    for (VectorX* x : {&a, &w, &v, &v_p, &x_p, &increment, &force, &momentum, &residual, &scale})
      x->setZero(n);
    for (VectorX* x : {&lambda, &Lambda, &multipliers, &lack}) x->setZero(m);
    for (VectorX* x : {&b, &dx, &z, &da}) x->setZero(n + m);
    q = system.initial.q;
    coupling = system.pattern;
    active.reserve(assembly.contacts.count());
    for (const Contact& contact : assembly.contacts.contacts) most_rows += contact.rows;
    most_rows = std::min(most_rows, 64);
    Y.resize(n + m, most_rows);
    Z.resize(n + m, most_rows);
    W.resize(most_rows, most_rows);
    u_free.resize(most_rows);
    rounding = force_rounding(system);
  }

  SaddlePoint motion;     ///< [M + h c2 C + h^2 d2 K, G^T; G, -eps]
  SaddlePoint jump;       ///< [M, G^T; G, -eps]
  SparseMatrix coupling;  ///< M + cw C + dw K
  double factorised_step = std::numeric_limits<double>::quiet_NaN();
  ActiveContacts active;
  ContactStage contacts;
  Kinematics kinematics;
  ContactKinematics start, end;
  VectorX a, w, v, v_p, x_p, increment, q, force, momentum, residual, scale;
  VectorX lambda, Lambda, multipliers, lack;
  VectorX b, dx, z, da;
  int most_rows = 0;
  MatrixX Y, Z;  ///< columns: the jump and the acceleration that a unit of a reaction causes
  MatrixX W;
  VectorX u_free;
  double activation_tolerance = 0;
  double rounding = 0;  ///< of the forces [N]
};

std::unique_ptr<Workspace> Hht::make_workspace(const Assembly& assembly) const {
  auto work = std::make_unique<HhtScratch>(assembly, solver_, form_.level);
  work->activation_tolerance = activation_tolerance(assembly.system, form_.activation_tolerance);
  return work;
}

/// One step. The members are the equations, in the order in which an iteration needs them.
class HhtStep {
 public:
  HhtStep(const Assembly& assembly, const HhtForm& form, double h, const State& state, HhtScratch& scratch,
          StepReport& report)
      : assembly_(assembly),
        system_(assembly.system),
        form_(form),
        h_(h),
        n_(system_.dof_count()),
        m_(system_.constraint_count()),
        constant_matrices_(system_.has_constant_matrices() && m_ == 0),
        state_(state),
        w_(scratch),
        report_(report) {}

  SolveStatus run() {
    predict();
    double last_error = std::numeric_limits<double>::infinity();
    for (;;) {
      evaluate();
      choose_contacts();
      if (report_.iterations > 0) {
        const double constraints = constraint_error(), motion = motion_error();
        if (!std::isfinite(constraints + motion)) return SolveStatus::not_finite;
        const bool stagnates = constraints > 0.25 * last_error;
        last_error = constraints;
        if (motion <= 1 && (constraints < 1e-14 || (stagnates && constraints < 1e-10)))
          return SolveStatus::converged;
        if (report_.iterations == most_newton_iterations) return SolveStatus::iteration_limit;
      }
      if (!factorise()) return SolveStatus::singular;
      if (const SolveStatus status = iterate(); status != SolveStatus::converged) return status;
      ++report_.iterations;
    }
  }

 private:
  /// What is known before a and w are (H-2).
  void predict() {
    const auto [alpha, gamma, beta] = form_.coefficients;
    const double c0 = alpha * (1 - gamma), c1 = (1 - alpha) * (1 - gamma) + alpha * gamma;
    const double d0 = alpha * (0.5 - beta), d1 = (1 - alpha) * (0.5 - beta) + alpha * beta;
    c2_ = (1 - alpha) * gamma;
    d2_ = (1 - alpha) * beta;
    cw_ = form_.impulses_are_forces ? c2_ : 1.0;
    dw_ = form_.impulses_are_forces ? h_ * d2_ : 0.5 * h_;
    const auto a_n = state_.memory.head(n_), a_before = state_.memory.segment(n_, n_);
    w_.v_p = state_.v + h_ * (c0 * a_before + c1 * a_n);
    w_.x_p = h_ * state_.v + h_ * h_ * (d0 * a_before + d1 * a_n);
    if (form_.impulses_are_forces) {
      const auto w_n = state_.memory.segment(2 * n_, n_), w_before = state_.memory.tail(n_);
      w_.v_p += c0 * w_before + c1 * w_n;
      w_.x_p += h_ * (d0 * w_before + d1 * w_n);
    }
    w_.a = a_n;
    w_.w.setZero();
    w_.lambda.setZero();
    w_.Lambda.setZero();
    w_.active.index.clear();
    w_.active.u_before.clear();
    w_.kinematics.angles = state_.angles;
    if (!assembly_.contacts.is_constant) update(system_, state_.q, state_.v, state_.time, w_.kinematics);
    evaluate_contacts(system_, assembly_.contacts, state_.q, w_.kinematics, w_.start);
    if (form_.level == ContactLevel::velocity)
      activate(assembly_.contacts, w_.start, state_.v, h_, form_.activation, w_.activation_tolerance,
               w_.active);
  }

  /// Forces, joints and contacts at the present end of the step; residual = f + G^T lambda - M a.
  void evaluate() {
    w_.v = w_.v_p + h_ * c2_ * w_.a + cw_ * w_.w;
    w_.increment = w_.x_p + h_ * h_ * d2_ * w_.a + dw_ * w_.w;
    w_.q = state_.q;
    retract(system_, w_.increment, w_.q);
    const double t = state_.time + h_;
    if (system_.needs_placements() || !assembly_.contacts.is_constant)
      update(system_, w_.q, w_.v, t, w_.kinematics);
    evaluate_force(system_, w_.q, w_.v, t, w_.kinematics, w_.force);
    multiply_mass(system_, w_.q, w_.a, w_.kinematics, w_.momentum);
    w_.residual = w_.force - w_.momentum;
    if (m_ > 0) {
      constraint_jacobian(system_, w_.kinematics, w_.motion.constraint_jacobian());
      constraint_values(system_, w_.kinematics, t, w_.lack);
      w_.lack = -w_.lack;
      add_transposed(system_.joints, w_.motion.constraint_jacobian(), w_.lambda, w_.residual);
    }
    evaluate_contacts(system_, assembly_.contacts, w_.q, w_.kinematics, w_.end);
  }

  /// At position level every contact that was closed in an iteration takes part from then on.
  void choose_contacts() {
    if (form_.level == ContactLevel::velocity) return;
    auto& index = w_.active.index;
    for (int c = 0; c < assembly_.contacts.count(); ++c)
      if (assembly_.contacts.contacts[c].has_gap() && w_.end.gap[c] <= 0 &&
          std::find(index.begin(), index.end(), c) == index.end()) {
        index.push_back(c);
        for (int row = 0; row < 3; ++row)
          w_.active.u_before.push_back(
              row == 0 ? relative_velocity(assembly_.contacts, w_.start, c, 0, state_.v) : 0.0);
      }
  }

  double motion_error() {
    const double scale = w_.force.norm() + w_.momentum.norm();
    constexpr double smallest = std::numeric_limits<double>::min();
    const double error = w_.residual.norm() / (motion_tolerance * scale + w_.rounding + smallest);
    if (w_.active.index.empty()) return error;
    // M w = H r + G^T Lambda with the normals of the present end.
    multiply_mass(system_, w_.q, w_.w, w_.kinematics, w_.increment);
    const double size = w_.increment.norm();
    w_.increment = -w_.increment;
    add_reactions(assembly_.contacts, w_.end, w_.active, form_.level, w_.contacts.solution().r, w_.increment);
    if (m_ > 0) add_transposed(system_.joints, w_.motion.constraint_jacobian(), w_.Lambda, w_.increment);
    return std::max(error, w_.increment.norm() / (1e-10 * size + smallest));
  }

  /// Joints at position level, contacts at theirs, relative to what cancels in them.
  double constraint_error() {
    double error = m_ > 0 ? w_.lack.lpNorm<Eigen::Infinity>() / system_.size : 0.0;
    if (form_.level == ContactLevel::velocity)
      return std::max(error, contact_lack(assembly_.contacts, w_.end, w_.active, w_.contacts, w_.v));
    for (int c = 0; c < assembly_.contacts.count(); ++c) {
      const auto place = std::find(w_.active.index.begin(), w_.active.index.end(), c);
      const auto row = static_cast<size_t>(place - w_.active.index.begin());
      const auto& u = w_.contacts.solution().u;
      const bool solved = place != w_.active.index.end() && row < u.size();
      const double gap = w_.end.gap[c];
      error = std::max(error, (solved ? std::abs(gap - u[row]) : std::max(-gap, 0.0)) / system_.size);
    }
    return error;
  }

  bool factorise() {
    if (constant_matrices_ && w_.factorised_step == h_) return true;
    const double t = state_.time + h_;
    w_.factorised_step = std::numeric_limits<double>::quiet_NaN();
    assemble_iteration_matrix(system_, w_.q, w_.v, t, h_ * c2_, h_ * h_ * d2_, w_.kinematics,
                              w_.motion.matrix());
    if (!w_.motion.factorise()) return false;
    ++report_.factorisations;
    if (assembly_.contacts.count() > 0) {
      assemble_iteration_matrix(system_, w_.q, w_.v, t, 0, 0, w_.kinematics, w_.jump.matrix());
      w_.jump.constraint_jacobian() = w_.motion.constraint_jacobian();
      if (!w_.jump.factorise()) return false;
      assemble_iteration_matrix(system_, w_.q, w_.v, t, cw_, dw_, w_.kinematics, w_.coupling);
    }
    w_.factorised_step = h_;
    return true;
  }

  static void solve(const SaddlePoint& saddle, const VectorX& b, VectorX& z, VectorX& x) {
    saddle.factor().forward(b, z);
    saddle.factor().backward(z, x);
  }

  /// out = (cw C + dw K) y: what a jump does to the forces.
  void couple(const VectorX& y, VectorX& out) {
    w_.momentum = y.head(n_);
    multiply_mass(system_, w_.q, w_.momentum, w_.kinematics, out);
    out = w_.coupling.selfadjointView<Eigen::Lower>() * w_.momentum - out;
  }

  /// The linear equations (H-5) for the changes of a and w with the contact law between them.
  SolveStatus iterate() {
    w_.b.head(n_) = w_.residual;
    if (!w_.w.isZero(0)) {
      couple(w_.w, w_.increment);
      w_.b.head(n_) += w_.increment;
    }
    if (m_ > 0) w_.b.tail(m_) = w_.lack / (h_ * h_ * d2_);
    solve(w_.motion, w_.b, w_.z, w_.da);
    w_.clock.mark(report_.seconds.forces);
    const int rows = w_.contacts.row_count(assembly_.contacts, w_.active);
    if (rows > 0) {
      if (const SolveStatus status = solve_contacts(rows); status != SolveStatus::converged) return status;
    }
    w_.a += w_.da.head(n_);
    if (m_ > 0) w_.lambda -= w_.da.tail(m_);
    return SolveStatus::converged;
  }

  SolveStatus solve_contacts(int rows) {
    if (rows > w_.most_rows) grow(rows);
    respond_to_reactions();
    w_.clock.mark(report_.seconds.contacts);
    const SolveStatus status =
        w_.contacts.solve_dense(assembly_.contacts, w_.active, h_, state_, w_.W, w_.u_free, w_, report_);
    if (status != SolveStatus::converged) return status;
    const Eigen::Map<const VectorX> r(w_.contacts.solution().r.data(), rows);
    w_.dx.noalias() = w_.Y.leftCols(rows) * r;
    w_.w = w_.dx.head(n_);
    if (m_ > 0) w_.Lambda = -w_.dx.tail(m_);
    w_.da.noalias() += w_.Z.leftCols(rows) * r;
    return SolveStatus::converged;
  }

  void grow(int rows) {
    w_.most_rows = rows;
    w_.Y.resize(n_ + m_, rows);
    w_.Z.resize(n_ + m_, rows);
    w_.W.resize(rows, rows);
    w_.u_free.resize(rows);
  }

  /// Columns Y, Z, then W and the free velocities or gaps (H-6).
  void respond_to_reactions() {
    const ContactSet& contacts = assembly_.contacts;
    const bool gaps = form_.level == ContactLevel::position;
    const double from_w = gaps ? dw_ : cw_, from_a = gaps ? h_ * h_ * d2_ : h_ * c2_;
    int i = 0;
    for_each_row([&](const Contact& contact, int, const double* H) {
      w_.b.setZero();
      for (int k = 0; k < contact.count; ++k) w_.b[contacts.dof[contact.begin + k]] = H[k];
      solve(w_.jump, w_.b, w_.z, w_.dx);
      w_.Y.col(i) = w_.dx;
      couple(w_.dx, w_.increment);
      w_.b.setZero();
      w_.b.head(n_) = -w_.increment;
      solve(w_.motion, w_.b, w_.z, w_.dx);
      w_.Z.col(i++) = w_.dx;
    });
    const int rows = i;
    i = 0;
    for_each_row([&](const Contact& contact, int c, const double* H) {
      const int* dof = contacts.dof.data() + contact.begin;
      const int row = static_cast<int>((H - w_.end.jacobian.data() - contact.entry) / contact.count);
      double free = gaps ? w_.end.gap[c] : w_.end.motion[3 * c + row];
      for (int k = 0; k < contact.count; ++k)
        free += H[k] * (gaps ? from_a * w_.da[dof[k]] - dw_ * w_.w[dof[k]]
                             : w_.v_p[dof[k]] + from_a * (w_.a[dof[k]] + w_.da[dof[k]]));
      w_.u_free[i] = free;
      for (int j = 0; j < rows; ++j) {
        double sum = 0;
        for (int k = 0; k < contact.count; ++k)
          sum += H[k] * (from_w * w_.Y(dof[k], j) + from_a * w_.Z(dof[k], j));
        w_.W(i, j) = sum;
      }
      ++i;
    });
  }

  template <class Visit>
  void for_each_row(Visit visit) {
    for (const int c : w_.active.index) {
      const Contact& contact = assembly_.contacts.contacts[c];
      const int rows = form_.level == ContactLevel::position ? 1 : contact.rows;
      for (int row = 0; row < rows; ++row)
        visit(contact, c, w_.end.jacobian.data() + contact.entry + row * contact.count);
    }
  }

  const Assembly& assembly_;
  const System& system_;
  const HhtForm& form_;
  const double h_;
  const int n_, m_;
  const bool constant_matrices_;
  const State& state_;
  HhtScratch& w_;
  StepReport& report_;
  double c2_ = 0, d2_ = 0, cw_ = 0, dw_ = 0;
};

StepReport Hht::step(const Assembly& assembly, double h, State& state, Workspace& workspace) const {
  auto& w = static_cast<HhtScratch&>(workspace);
  const int n = assembly.system.dof_count();
  StepReport report;
  w.clock.start(w.measure_time);
  if (state.step == 0) {
    state.memory.setZero();
    state.memory.head(n) = assembly.start.acceleration;  // errata: a_{-1} = a_0
    state.memory.segment(n, n) = assembly.start.acceleration;
  }
  report.status = HhtStep(assembly, form_, h, state, w, report).run();
  report.active_contacts = static_cast<int>(w.active.index.size());
  if (report.status != SolveStatus::converged) return report;
  if (!std::isfinite(w.v.sum() + w.q.sum())) {
    report.status = SolveStatus::not_finite;
    return report;
  }
  state.q = w.q;
  state.v = w.v;
  state.memory.segment(n, n) = state.memory.head(n);
  state.memory.head(n) = w.a;
  if (form_.impulses_are_forces) {
    state.memory.tail(n) = state.memory.segment(2 * n, n);
    state.memory.segment(2 * n, n) = w.w;
  }
  w.multipliers = h * w.lambda + w.Lambda;
  finish_step(assembly.system, w.kinematics, w.multipliers, h, state);
  w.contacts.store(assembly.contacts, w.active, state);
  w.clock.mark(report.seconds.forces);
  return report;
}

}  // namespace

std::unique_ptr<Integrator> make_hht(const HhtOptions& options, const SolverChoice& solver) {
  return std::make_unique<Hht>(HhtForm{.coefficients = options.coefficients(),
                                       .activation = options.activation,
                                       .activation_tolerance = options.activation_tolerance},
                               solver);
}
std::unique_ptr<Integrator> make_hht(const HhtDirectOptions& options, const SolverChoice& solver) {
  return std::make_unique<Hht>(HhtForm{.coefficients = options.coefficients(),
                                       .impulses_are_forces = true,
                                       .activation = options.activation,
                                       .activation_tolerance = options.activation_tolerance},
                               solver);
}
std::unique_ptr<Integrator> make_hht(const HhtPositionOptions& options, const SolverChoice& solver) {
  return std::make_unique<Hht>(HhtForm{.coefficients = options.coefficients(),
                                       .impulses_are_forces = true,
                                       .level = ContactLevel::position},
                               solver);
}
std::unique_ptr<Integrator> make_hht(const NewmarkPositionOptions& options, const SolverChoice& solver) {
  return std::make_unique<Hht>(HhtForm{.coefficients = options.coefficients(),
                                       .impulses_are_forces = true,
                                       .level = ContactLevel::position},
                               solver);
}

}  // namespace percuss
