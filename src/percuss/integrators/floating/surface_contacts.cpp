#include "percuss/integrators/floating/surface_contacts.h"

#include <algorithm>

namespace percuss {
namespace {

/// The entries of a node in the axes at the end.
void turn(const Matrix3& Q, int dimension, double* entries) {
  if (dimension == 3) {
    Eigen::Map<Vector3> own(entries);
    own = Q * Vector3(own);
    return;
  }
  Eigen::Map<Eigen::Vector2d> own(entries);
  own = Q.topLeftCorner<2, 2>() * Eigen::Vector2d(own);
}

}  // namespace

SurfaceContacts::SurfaceContacts(const System& system) {
  frame_of_dof_.assign(static_cast<size_t>(system.dof_count()), -1);
  for (size_t k = 0; k < system.floating.size(); ++k)
    std::fill_n(frame_of_dof_.begin() + system.floating[k].first, system.floating[k].nodal,
                static_cast<int>(k));
}

void SurfaceContacts::carry(const ContactList& contacts, std::span<const int> some,
                            const std::vector<FrameStep>& frames, const ContactKinematics& start,
                            ContactKinematics& end) const {
  fit(contacts, end);
  for (const int c : some) {
    const Contact& contact = contacts[c];
    if (!contact.has_surface()) continue;
    end.gap[static_cast<size_t>(c)] = start.gap[static_cast<size_t>(c)];
    end.point[static_cast<size_t>(c)] = start.point[static_cast<size_t>(c)];
    end.direction[static_cast<size_t>(c)] = start.direction[static_cast<size_t>(c)];
    end.tangent[static_cast<size_t>(c)] = start.tangent[static_cast<size_t>(c)];
    std::copy_n(start.dof.begin() + contact.begin, contact.count, end.dof.begin() + contact.begin);
    std::copy_n(start.jacobian.begin() + contact.entry, contact.rows * contact.count,
                end.jacobian.begin() + contact.entry);
    for (int i = 0; i < contact.count;) {
      const int k = frame_of_dof_[static_cast<size_t>(start.dof[static_cast<size_t>(contact.begin + i)])];
      if (k < 0) {
        ++i;
        continue;
      }
      const FrameStep& frame = frames[static_cast<size_t>(k)];
      for (int row = 0; row < contact.rows; ++row)
        turn(frame.turn(), frame.frame().dimension,
             end.jacobian.data() + contact.entry + row * contact.count + i);
      i += frame.frame().dimension;
    }
  }
}

}  // namespace percuss
