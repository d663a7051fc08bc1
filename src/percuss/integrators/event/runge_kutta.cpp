#include "percuss/integrators/event/runge_kutta.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <vector>

#include <arkode/arkode_erkstep.h>

#include "percuss/integrators/event/sundials_method.h"

namespace percuss {
namespace {

constexpr int max_tries = 30;  ///< of a step

constexpr double no_weight = 1e-100;  ///< of sums: they follow from the states

/// Verner's method of order 6 with one of order 5 for the error (DVERK), and a ninth stage at the new point:
/// SUNDIALS 6.4 takes the last stage of a step for the first one of the next wherever c = 1 there, which
/// without it would not be true and leaves order 3.
ARKodeButcherTable verner_table() {
  constexpr int stages = 9;
  double c[stages] = {0, 1. / 6, 4. / 15, 2. / 3, 5. / 6, 1, 1. / 15, 1, 1};
  double A[stages][stages] = {
      {},
      {1. / 6},
      {4. / 75, 16. / 75},
      {5. / 6, -8. / 3, 5. / 2},
      {-165. / 64, 55. / 6, -425. / 64, 85. / 96},
      {12. / 5, -8, 4015. / 612, -11. / 36, 88. / 255},
      {-8263. / 15000, 124. / 75, -643. / 680, -81. / 250, 2484. / 10625},
      {3501. / 1720, -300. / 43, 297275. / 52632, -319. / 2322, 24068. / 84065, 0, 3850. / 26703},
      {3. / 40, 0, 875. / 2244, 23. / 72, 264. / 1955, 0, 125. / 11592, 43. / 616}};
  double b_fifth[stages] = {13. / 160, 0, 2375. / 5984, 5. / 16, 12. / 85, 3. / 44};
  return ARKodeButcherTable_Create(stages, 6, 5, c, A[0], A[stages - 1], b_fifth);
}

/// States and sums are integrated alike.
class RungeKutta final : public SundialsMethod {
 public:
  explicit RungeKutta(const SmoothSize& size);
  ~RungeKutta() override;

 private:
  void start(double end, double first_step, double* y) override;
  Outcome step(double end, double& t, int* found, double& next_step) override;
  static int call_rate(double t, N_Vector y, N_Vector f, void* user);
  static int call_weights(N_Vector y, N_Vector weight, void* user);
  void make_solver();

  ARKodeButcherTable table_ = nullptr;
  N_Vector y_ = nullptr;
  void* solver_ = nullptr;
};

int RungeKutta::call_rate(double t, N_Vector y, N_Vector f, void* user) {
  auto& method = static_cast<RungeKutta&>(self(user));
  return method.equations_->rate(t, values(y), true, N_VGetArrayPointer(f)) ? 0 : 1;
}

/// The norm of ARKODE is over the whole of y.
int RungeKutta::call_weights(N_Vector y, N_Vector weight, void* user) {
  auto& method = static_cast<RungeKutta&>(self(user));
  const int states = method.size_.states, all = states + method.size_.sums;
  double* w = N_VGetArrayPointer(weight);
  method.equations_->weights(values(y), std::sqrt(static_cast<double>(all) / states), w);
  std::fill(w + states, w + all, no_weight);
  return 0;
}

RungeKutta::RungeKutta(const SmoothSize& size) : SundialsMethod(size), table_(verner_table()) {
  if (!table_) throw std::bad_alloc();
  std::vector<double> nothing(static_cast<size_t>(size.states + size.sums), 0.0);
  y_ = make_vector(nothing.data(), size.states + size.sums);
}

RungeKutta::~RungeKutta() {
  ERKStepFree(&solver_);
  N_VDestroy(y_);
  ARKodeButcherTable_Free(table_);
}

/// Each start has an integrator of its own. ERKStepReInit of SUNDIALS 6.4 keeps what an earlier zero left:
/// that there was one, so that every later step looks for it again, and which functions were zero and are not
/// watched. What a step does would depend on what happened before a checkpoint.
void RungeKutta::make_solver() {
  ERKStepFree(&solver_);
  solver_ = ERKStepCreate(call_rate, 0.0, y_, context_);
  if (!solver_) throw std::bad_alloc();
  check(ERKStepSetErrHandlerFn(solver_, keep_silent, nullptr), "an error handler");
  check(ERKStepSetUserData(solver_, this), "the equations");
  // At the end of a slow slide forces jump: steps shrink by many powers of ten at once.
  check(ERKStepSetMaxErrTestFails(solver_, max_tries), "tries");
  check(ERKStepSetTable(solver_, table_), "the method");  // it keeps a copy
  check(ERKStepWFtolerances(solver_, call_weights), "tolerances");
  if (size_.events == 0) return;
  check(ERKStepRootInit(solver_, size_.events, call_events), "events");
  check(ERKStepSetRootDirection(solver_, falling_.data()), "directions of events");
}

void RungeKutta::start(double end, double first_step, double* y) {
  N_VSetArrayPointer(y, y_);
  make_solver();
  check(ERKStepSetInitStep(solver_, first_step), "the first step");
  check(ERKStepSetStopTime(solver_, end), "the end");
}

SundialsMethod::Outcome RungeKutta::step(double end, double& t, int* found, double& next_step) {
  const int flag = ERKStepEvolve(solver_, end, y_, &t, ARK_ONE_STEP);
  if (flag == ARK_RHSFUNC_FAIL || flag == ARK_FIRST_RHSFUNC_ERR || flag == ARK_REPTD_RHSFUNC_ERR ||
      flag == ARK_UNREC_RHSFUNC_ERR || flag == ARK_RTFUNC_FAIL)
    return Outcome::no_rate;
  if (flag < 0) return Outcome::no_step;
  ERKStepGetCurrentStep(solver_, &next_step);
  if (flag == ARK_ROOT_RETURN) ERKStepGetRootInfo(solver_, found);
  return flag == ARK_ROOT_RETURN ? Outcome::event : flag == ARK_TSTOP_RETURN ? Outcome::end : Outcome::step;
}

}  // namespace

std::unique_ptr<SmoothMethod> make_runge_kutta(const SmoothSize& size) {
  return std::make_unique<RungeKutta>(size);
}

}  // namespace percuss
