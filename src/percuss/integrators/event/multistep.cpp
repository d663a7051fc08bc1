#include "percuss/integrators/event/multistep.h"

#include <algorithm>
#include <new>
#include <vector>

#include <cvodes/cvodes.h>
#include <sunlinsol/sunlinsol_spgmr.h>

#include "percuss/integrators/event/sundials_method.h"

namespace percuss {
namespace {

constexpr int krylov_vectors = 10;

/// Sums are quadratures of CVODES, which follow when the states of a step are known: Newton's iteration would
/// leave in them what it leaves in the states, times their stiffness.
class Multistep final : public SundialsMethod {
 public:
  Multistep(const SmoothSize& size, int max_order);
  ~Multistep() override;

 private:
  void start(double end, double first_step, double* y) override;
  Outcome step(double end, double& t, int* found, double& next_step) override;

  static Multistep& method(void* user) { return static_cast<Multistep&>(self(user)); }
  static int call_rate(double t, N_Vector y, N_Vector f, void* user);
  static int call_sums(double t, N_Vector y, N_Vector f, void* user);
  static int call_weights(N_Vector y, N_Vector weight, void* user);
  static int call_factorise(double t, N_Vector y, N_Vector f, int is_usable, int* is_new, double gamma,
                            void* user);
  static int call_solve(double t, N_Vector y, N_Vector f, N_Vector r, N_Vector x, double gamma, double,
                        int side, void* user);
  static int call_product(N_Vector x, N_Vector product, double t, N_Vector y, N_Vector f, void* user,
                          N_Vector moved);
  void set_newton();
  void watch_events();

  N_Vector y_ = nullptr, sums_ = nullptr;
  SUNLinearSolver krylov_ = nullptr;
  void* solver_ = nullptr;
  std::vector<double> rate_;  ///< of states and sums
};

int Multistep::call_rate(double t, N_Vector y, N_Vector f, void* user) {
  Multistep& m = method(user);
  if (!m.equations_->rate(t, values(y), false, m.rate_.data())) return 1;
  std::copy_n(m.rate_.data(), m.size_.states, N_VGetArrayPointer(f));
  return 0;
}

int Multistep::call_sums(double t, N_Vector y, N_Vector f, void* user) {
  Multistep& m = method(user);
  if (!m.equations_->rate(t, values(y), true, m.rate_.data())) return 1;
  std::copy_n(m.rate_.data() + m.size_.states, m.size_.sums, N_VGetArrayPointer(f));
  return 0;
}

int Multistep::call_weights(N_Vector y, N_Vector weight, void* user) {
  method(user).equations_->weights(values(y), 1, N_VGetArrayPointer(weight));
  return 0;
}

int Multistep::call_factorise(double t, N_Vector y, N_Vector, int, int* is_new, double gamma, void* user) {
  *is_new = 1;
  return method(user).equations_->factorise(t, values(y), gamma) ? 0 : 1;
}

int Multistep::call_solve(double, N_Vector, N_Vector, N_Vector r, N_Vector x, double, double, int,
                          void* user) {
  method(user).equations_->solve(values(r), N_VGetArrayPointer(x));
  return 0;
}

/// df/dy x by a difference: that of CVODES moves y by one unit of the weights, which for sharp tolerances is
/// not far from rounding.  (EV-16)
int Multistep::call_product(N_Vector x, N_Vector product, double t, N_Vector y, N_Vector f, void* user,
                            N_Vector moved) {
  const double s = method(user).equations_->difference(values(x));
  N_VLinearSum(1, y, s, x, moved);
  if (const int failed = call_rate(t, moved, product, user); failed != 0) return failed;
  N_VLinearSum(1 / s, product, -1 / s, f, product);
  return 0;
}

Multistep::Multistep(const SmoothSize& size, int max_order)
    : SundialsMethod(size), rate_(static_cast<size_t>(size.states + size.sums), 0.0) {
  y_ = make_vector(rate_.data(), size.states);
  solver_ = CVodeCreate(CV_BDF, context_);
  if (!solver_) throw std::bad_alloc();
  check(CVodeInit(solver_, call_rate, 0.0, y_), "the equations");
  check(CVodeSetErrHandlerFn(solver_, keep_silent, nullptr), "an error handler");
  check(CVodeSetUserData(solver_, this), "the equations");
  check(CVodeSetMaxOrd(solver_, max_order), "the order");
  check(CVodeWFtolerances(solver_, call_weights), "tolerances");
  set_newton();
  if (size.sums > 0) {
    sums_ = make_vector(rate_.data() + size.states, size.sums);
    check(CVodeQuadInit(solver_, call_sums, sums_), "impulses");
  }
}

/// CVodeReInit of SUNDIALS 6.4 leaves functions unwatched that were zero at an earlier start; a new list of
/// them does not.
void Multistep::watch_events() {
  if (size_.events == 0) return;
  check(CVodeRootInit(solver_, 0, nullptr), "no events");
  check(CVodeRootInit(solver_, size_.events, call_events), "events");
  check(CVodeSetRootDirection(solver_, falling_.data()), "directions of events");
}

void Multistep::set_newton() {
  krylov_ = SUNLinSol_SPGMR(y_, SUN_PREC_LEFT, krylov_vectors, context_);
  if (!krylov_) throw std::bad_alloc();
  check(CVodeSetLinearSolver(solver_, krylov_, nullptr), "GMRES");
  check(CVodeSetPreconditioner(solver_, call_factorise, call_solve), "the matrix");
  check(CVodeSetJacTimes(solver_, nullptr, call_product), "products with it");
}

Multistep::~Multistep() {
  CVodeFree(&solver_);
  SUNLinSolFree(krylov_);
  if (sums_) N_VDestroy(sums_);
  N_VDestroy(y_);
}

void Multistep::start(double end, double first_step, double* y) {
  N_VSetArrayPointer(y, y_);
  check(CVodeReInit(solver_, 0.0, y_), "a new start");
  watch_events();
  if (sums_) {
    N_VSetArrayPointer(y + size_.states, sums_);
    check(CVodeQuadReInit(solver_, sums_), "impulses");
  }
  check(CVodeSetInitStep(solver_, first_step), "the first step");
  check(CVodeSetStopTime(solver_, end), "the end");
}

SundialsMethod::Outcome Multistep::step(double end, double& t, int* found, double& next_step) {
  const int flag = CVode(solver_, end, y_, &t, CV_ONE_STEP);
  const bool no_rate = (flag <= CV_RHSFUNC_FAIL && flag >= CV_RTFUNC_FAIL) ||
                       (flag <= CV_QRHSFUNC_FAIL && flag >= CV_UNREC_QRHSFUNC_ERR);
  if (no_rate) return Outcome::no_rate;
  if (flag < 0) return Outcome::no_step;
  if (sums_) CVodeGetQuad(solver_, &t, sums_);
  next_step = 0;  // a start is of order 1, whatever the step was at the end
  if (flag == CV_ROOT_RETURN) CVodeGetRootInfo(solver_, found);
  return flag == CV_ROOT_RETURN ? Outcome::event : flag == CV_TSTOP_RETURN ? Outcome::end : Outcome::step;
}

}  // namespace

std::unique_ptr<SmoothMethod> make_multistep(const SmoothSize& size, int max_order) {
  return std::make_unique<Multistep>(size, max_order);
}

}  // namespace percuss
