#include "percuss/dynamics/chart.h"

#include <algorithm>

namespace percuss {
namespace {

constexpr int frame_size = 6;

/// (FF-4), or (FF-6) without the terms of the deformed body.
void displacement_rate(const FloatingFrame& frame, const VectorX& q, const VectorX& v,
                       const FrameMotion& motion, VectorX& rate) {
  frame.of(rate) = frame.of(v);
  frame.of(rate).noalias() -= frame.rigid.leftCols<3>() * motion.v;
  frame.of(rate).noalias() -= frame.rigid.rightCols<3>() * motion.omega;
  if (frame.is_exact) frame.add_rotated(-skew(motion.omega), q.data() + frame.first, rate);
}

}  // namespace

int frame_begin(const System& system, size_t k) {
  return system.dof_count() + frame_size * static_cast<int>(k);
}

std::vector<char> chart_rotations(const System& system) {
  std::vector<char> rotations(static_cast<size_t>(chart_size(system)), 0);
  std::copy(system.is_rotation.begin(), system.is_rotation.end(), rotations.begin());
  for (size_t k = 0; k < system.floating.size(); ++k)
    std::fill_n(rotations.begin() + frame_begin(system, k) + 3, 3, 1);
  return rotations;
}

int chart_size(const System& system) { return frame_begin(system, system.floating.size()); }

void move_by_chart(const System& system, const VectorX& from, const VectorX& x, VectorX& q) {
  q = from;
  retract_outside_frames(system, x.head(system.dof_count()), q);
  for (size_t k = 0; k < system.floating.size(); ++k) {
    const FloatingFrame& frame = system.floating[k];
    const auto own = x.segment<frame_size>(frame_begin(system, k));
    frame.of(q) += frame.of(x);
    frame.set(frame.place(q) + own.head<3>(), (frame.attitude(q) * cayley(own.tail<3>())).normalized(), q);
  }
}

void chart_rate(const System& system, const VectorX& q, const VectorX& x, const VectorX& v, VectorX& rate) {
  rate.head(system.dof_count()) = v;
  for (const int b : system.rotating_bodies) {
    const int i = system.bodies[b].dof[3];
    rate.segment<3>(i) = rotation_vector_rate(x.segment<3>(i), v.segment<3>(i));
  }
  for (size_t k = 0; k < system.floating.size(); ++k) {
    const FloatingFrame& frame = system.floating[k];
    const FrameMotion motion = frame_motion(frame, v);
    displacement_rate(frame, q, v, motion, rate);
    const int begin = frame_begin(system, k);
    const Vector3 turn = x.segment<3>(begin + 3);
    rate.segment<3>(begin) = frame.attitude(q) * motion.v;
    rate.segment<3>(begin + 3) =
        motion.omega + 0.5 * turn.cross(motion.omega) + 0.25 * turn.dot(motion.omega) * turn;
  }
}

double largest_rotation(const System& system, const VectorX& x) {
  double largest = 0;
  for (const int b : system.rotating_bodies)
    largest = std::max(largest, x.segment<3>(system.bodies[b].dof[3]).norm());
  for (size_t k = 0; k < system.floating.size(); ++k)
    largest = std::max(largest, x.segment<3>(frame_begin(system, k) + 3).norm());
  return largest;
}

}  // namespace percuss
