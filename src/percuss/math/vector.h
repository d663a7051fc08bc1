#pragma once

#include <Eigen/Core>

namespace percuss {

using Vector3 = Eigen::Vector3d;
using VectorX = Eigen::VectorXd;

}  // namespace percuss
