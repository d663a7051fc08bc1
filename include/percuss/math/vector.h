#pragma once

#include <Eigen/Core>

namespace percuss {

using Vector3 = Eigen::Vector3d;
using VectorX = Eigen::VectorXd;
using Matrix3 = Eigen::Matrix3d;
using MatrixX = Eigen::MatrixXd;

}  // namespace percuss
