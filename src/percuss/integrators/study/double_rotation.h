#pragma once

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/integrators/floating/frame_step.h"
#include "percuss/integrators/one_step/activation.h"
#include "percuss/nonsmooth/problem.h"

namespace percuss {

/// What contacts do to floating bodies without rotational forces: they turn the frame and the local field, so
/// W gets (Phi_r^T H)^T J^-1 Phi_r^T H once more.  docs/theory/floating_frame.md (FF-11)
class DoubleRotation {
 public:
  DoubleRotation(const Assembly& assembly, const std::vector<FrameStep>& frames);

  /// The moments of all rows of the active contacts.
  void update(const ContactList& contacts, const ContactKinematics& at, const ActiveContacts& active);
  void modify(BlockMatrix& W) const;
  /// J^-1 times the moment of the reactions on a frame.
  Vector3 local_rotation_of(const std::vector<double>& reactions, size_t frame) const;

 private:
  /// A row acts on two bodies at most.
  struct Moment {
    int frame = -1;
    Vector3 value = Vector3::Zero();
  };
  /// To the entry of W.
  double added(size_t row, size_t column) const;

  const std::vector<FrameStep>* frames_;
  std::vector<int> frame_of_dof_;
  std::vector<std::array<Moment, 2>> moments_;  ///< by row
};

}  // namespace percuss
