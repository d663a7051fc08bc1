#include "percuss/integrators/event/runge_kutta.h"

#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

namespace percuss {
namespace {

constexpr int max_steps = 1'000'000;

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

void check(int flag, const char* what) {
  if (flag < 0) throw std::logic_error(std::string("SUNDIALS refuses ") + what);
}

const double* values(N_Vector x) { return N_VGetArrayPointer(x); }

int call_rate(double t, N_Vector y, N_Vector f, void* user) {
  return static_cast<SmoothEquations*>(user)->rate(t, values(y), N_VGetArrayPointer(f)) ? 0 : 1;
}
int call_events(double t, N_Vector y, double* out, void* user) {
  return static_cast<SmoothEquations*>(user)->events(t, values(y), out) ? 0 : 1;
}
int call_weights(N_Vector y, N_Vector weight, void* user) {
  static_cast<SmoothEquations*>(user)->weights(values(y), N_VGetArrayPointer(weight));
  return 0;
}
void keep_silent(int, const char*, const char*, char*, void*) {}

}  // namespace

struct RungeKutta::Memory {
  SUNContext context = nullptr;
  N_Vector y = nullptr;
  void* solver = nullptr;
  std::vector<int> found, falling;
  std::vector<double> nothing;  ///< y before the first start

  ~Memory() {
    if (solver) ERKStepFree(&solver);
    if (y) N_VDestroy(y);
    if (context) SUNContext_Free(&context);
  }
};

RungeKutta::RungeKutta(int size, int event_count) : memory_(std::make_unique<Memory>()) {
  Memory& m = *memory_;
  check(SUNContext_Create(nullptr, &m.context), "a context");
  m.nothing.assign(static_cast<size_t>(size), 0.0);
  m.y = N_VMake_Serial(size, m.nothing.data(), m.context);
  if (!m.y) throw std::bad_alloc();
  m.found.assign(static_cast<size_t>(event_count), 0);
  m.falling.assign(static_cast<size_t>(event_count), -1);
  m.solver = ERKStepCreate(call_rate, 0.0, m.y, m.context);
  if (!m.solver) throw std::bad_alloc();
  check(ERKStepSetErrHandlerFn(m.solver, keep_silent, nullptr), "an error handler");
  ARKodeButcherTable table = verner_table();
  if (!table) throw std::bad_alloc();
  check(ERKStepSetTable(m.solver, table), "the method");  // it keeps a copy
  ARKodeButcherTable_Free(table);
  check(ERKStepWFtolerances(m.solver, call_weights), "tolerances");
  if (event_count > 0) {
    check(ERKStepRootInit(m.solver, event_count, call_events), "events");
    check(ERKStepSetRootDirection(m.solver, m.falling.data()), "directions of events");
  }
}

RungeKutta::~RungeKutta() = default;

const int* RungeKutta::found() const { return memory_->found.data(); }

SmoothEnd RungeKutta::integrate(SmoothEquations& equations, double end, double first_step, double* y,
                                double& t) {
  Memory& m = *memory_;
  N_VSetArrayPointer(y, m.y);
  t = 0;
  check(ERKStepReInit(m.solver, call_rate, 0.0, m.y), "a new start");
  check(ERKStepSetUserData(m.solver, &equations), "the equations");
  check(ERKStepSetInitStep(m.solver, first_step), "the first step");
  check(ERKStepSetStopTime(m.solver, end), "the end");
  for (steps_ = 0; steps_ < max_steps;) {
    const int flag = ERKStepEvolve(m.solver, end, m.y, &t, ARK_ONE_STEP);
    ++steps_;
    if (flag == ARK_RHSFUNC_FAIL || flag == ARK_FIRST_RHSFUNC_ERR || flag == ARK_REPTD_RHSFUNC_ERR ||
        flag == ARK_UNREC_RHSFUNC_ERR || flag == ARK_RTFUNC_FAIL)
      return SmoothEnd::no_rate;
    if (flag < 0) return SmoothEnd::no_step;
    ERKStepGetCurrentStep(m.solver, &next_step_);
    if (flag == ARK_ROOT_RETURN) {
      ERKStepGetRootInfo(m.solver, m.found.data());
      return SmoothEnd::event;
    }
    if (flag == ARK_TSTOP_RETURN || t >= end) {
      t = end;
      return SmoothEnd::reached;
    }
    if (!equations.goes_on(t, y)) return SmoothEnd::left;
  }
  return SmoothEnd::work;
}

}  // namespace percuss
