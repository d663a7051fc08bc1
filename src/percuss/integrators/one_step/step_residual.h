#pragma once

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/dynamics/saddle_point.h"
#include "percuss/integrators/one_step/activation.h"
#include "percuss/integrators/one_step/contact_stage.h"

namespace percuss {

/// b += H r with the reactions of the last contact solve.
void add_reactions(const ContactList& contacts, const ContactKinematics& at, const ActiveContacts& active,
                   ContactLevel level, const std::vector<double>& r, VectorX& b);

/// Rounding of the forces of stiff springs, below which no residual can fall [N].
double force_rounding(const System& system);

/// What velocities at the end of a step were computed from.
struct VelocityTerms {
  double h = 0;                      ///< of the step; 0 for an impact alone
  const VectorX& before;             ///< at its start
  const VectorX& v;                  ///< at its end
  const VectorX& reaction;           ///< G^T Lambda
  const VectorX* impulse = nullptr;  ///< of the forces, if there are any
};
/// The size of velocities against which rounding is measured, by coordinates: those at both ends of the step,
/// and what impulses and reactions of joints alone would do to them, with the diagonal of the matrix A of the
/// solve. At rest, what changes no digit of a position in a step is left.
void velocity_scale(const System& system, const SparseMatrix& A, const VelocityTerms& terms, VectorX& scale);

/// How far a velocity is from satisfying the joints and the contact laws at the end of a step, each relative
/// to the terms that cancel in it, lengths and angles apart: rounding is about 1e-16.
double joint_residual(const Joints& joints, const std::vector<double>& G, const VectorX& v,
                      const VectorX& scale, const VectorX& g_t, VectorX& constraint_residual);
/// `stage` holds what the contact solver promised; `v` is what came out, after `subtracted` was taken away.
double contact_residual(const ContactList& contacts, const ContactKinematics& at,
                        const ActiveContacts& active, const ContactStage& stage, const VectorX& v,
                        const VectorX* subtracted = nullptr);

}  // namespace percuss
