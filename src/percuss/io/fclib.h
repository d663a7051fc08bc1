#pragma once

#include <string>

#include "percuss/io/contact_problem.h"

/// Problems in the HDF5 layout of the FCLIB collection of frictional contact problems.
/// docs/formats/contact_problems.md
namespace percuss {

/// Friction in space becomes cones of the kind coulomb, in the plane planar_coulomb; equalities become cones
/// of the kind equality behind them. Every size, index and value is checked; throws IoError with the path of
/// the dataset, what it holds and what is allowed.
ContactProblem read_fclib(const std::string& path);

/// Replaces the file only when everything is written. The cones must be of one of the kinds of friction,
/// with equalities behind them; throws IoError otherwise.
void write_fclib(const std::string& path, const ContactProblem& content);

}  // namespace percuss
