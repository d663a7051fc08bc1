#include "percuss/integrators/floating/double_rotation.h"

#include <algorithm>

namespace percuss {

DoubleRotation::DoubleRotation(const Assembly& assembly, const std::vector<FrameStep>& frames)
    : contacts_(&assembly.contacts), frames_(&frames) {
  frame_of_dof_.assign(static_cast<size_t>(assembly.system.dof_count()), -1);
  for (size_t k = 0; k < frames.size(); ++k)
    std::fill_n(frame_of_dof_.begin() + frames[k].frame().first, frames[k].frame().size, static_cast<int>(k));
  moments_.reserve(3 * assembly.contacts.contacts.size());
}

void DoubleRotation::update(const ContactKinematics& at, const ActiveContacts& active) {
  moments_.clear();
  for (const int c : active.index) {
    const Contact& contact = contacts_->contacts[static_cast<size_t>(c)];
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

void DoubleRotation::amend(SparseRows& W) const {
  for (int row = 0; row < W.rows(); ++row)
    for (const Moment& own : moments_[static_cast<size_t>(row)]) {
      if (own.frame < 0) continue;
      const FloatingFrame& frame = (*frames_)[static_cast<size_t>(own.frame)].frame();
      const Vector3 turned = frame.inverse_inertia * own.value;
      for (int p = W.row_begin[static_cast<size_t>(row)]; p < W.row_begin[static_cast<size_t>(row) + 1]; ++p)
        for (const Moment& other : moments_[static_cast<size_t>(W.column[static_cast<size_t>(p)])])
          if (other.frame == own.frame) W.value[static_cast<size_t>(p)] += turned.dot(other.value);
    }
}

Vector3 DoubleRotation::twist_of(const std::vector<double>& reactions, size_t frame) const {
  Vector3 moment = Vector3::Zero();
  for (size_t row = 0; row < moments_.size(); ++row)
    for (const Moment& own : moments_[row])
      if (own.frame == static_cast<int>(frame)) moment += reactions[row] * own.value;
  return (*frames_)[frame].frame().inverse_inertia * moment;
}

}  // namespace percuss
