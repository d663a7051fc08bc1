#include "percuss/integrators/study/double_rotation.h"

#include <algorithm>

namespace percuss {

DoubleRotation::DoubleRotation(const Assembly& assembly, const std::vector<FrameStep>& frames)
    : frames_(&frames) {
  frame_of_dof_.assign(static_cast<size_t>(assembly.system.dof_count()), -1);
  for (size_t k = 0; k < frames.size(); ++k)
    std::fill_n(frame_of_dof_.begin() + frames[k].frame().first, frames[k].frame().size, static_cast<int>(k));
  moments_.reserve(3 * assembly.interactions.declared.contacts.size());
}

void DoubleRotation::update(const ContactList& contacts, const ContactKinematics& at,
                            const ActiveContacts& active) {
  moments_.clear();
  for (const int c : active.index) {
    const Contact& contact = contacts[c];
    const int* dof = at.dof.data() + contact.begin;
    for (int row = 0; row < contact.rows; ++row) {
      const double* H = at.jacobian.data() + contact.entry + row * contact.count;
      auto& moments = moments_.emplace_back();
      for (int i = 0; i < contact.count; ++i) {
        const int k = frame_of_dof_[static_cast<size_t>(dof[i])];
        if (k < 0) continue;
        Moment& moment = moments[moments[0].frame < 0 || moments[0].frame == k ? 0 : 1];
        moment.frame = k;
        const FloatingFrame& frame = (*frames_)[static_cast<size_t>(k)].frame();
        moment.value += H[i] * frame.rigid.row(dof[i] - frame.first).tail<3>().transpose();
      }
    }
  }
}

double DoubleRotation::added(size_t row, size_t column) const {
  double sum = 0;
  for (const Moment& own : moments_[row]) {
    if (own.frame < 0) continue;
    const FloatingFrame& frame = (*frames_)[static_cast<size_t>(own.frame)].frame();
    for (const Moment& other : moments_[column])
      if (other.frame == own.frame) sum += (frame.inverse_inertia * own.value).dot(other.value);
  }
  return sum;
}

void DoubleRotation::modify(BlockMatrix& W) const {
  for (int c = 0; c < W.cones(); ++c)
    for (int k = W.begin(c); k < W.end(c); ++k) {
      double* value = W.block(k);
      const int first = W.first_row(W.other(k)), width = W.rows_of(W.other(k));
      for (int i = W.first_row(c); i < W.first_row(c) + W.rows_of(c); ++i)
        for (int j = first; j < first + width; ++j)
          *value++ += added(static_cast<size_t>(i), static_cast<size_t>(j));
    }
}

Vector3 DoubleRotation::local_rotation_of(const std::vector<double>& reactions, size_t frame) const {
  Vector3 moment = Vector3::Zero();
  for (size_t row = 0; row < moments_.size(); ++row)
    for (const Moment& own : moments_[row])
      if (own.frame == static_cast<int>(frame)) moment += reactions[row] * own.value;
  return (*frames_)[frame].frame().inverse_inertia * moment;
}

}  // namespace percuss
