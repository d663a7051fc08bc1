#pragma once

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/integrators/floating/frame_step.h"

namespace percuss {

/// The contacts with surfaces of flexible bodies at the end of a step, as they were at its start: closest
/// point and directions in space stay, the axes of the frames turn under them.
class SurfaceContacts {
 public:
  explicit SurfaceContacts(const System& system);
  /// Of these contacts.
  void carry(const ContactList& contacts, std::span<const int> some, const std::vector<FrameStep>& frames,
             const ContactKinematics& start, ContactKinematics& end) const;

 private:
  std::vector<int> frame_of_dof_;  ///< -1: no floating body
};

}  // namespace percuss
