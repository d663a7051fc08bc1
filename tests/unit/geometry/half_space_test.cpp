#include "percuss/geometry/half_space.h"

#include <random>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace percuss {
namespace {

TEST(HalfSpace, DistanceIsPositiveOnTheFreeSide) {
  const HalfSpace wall{{1, 0, 0}, {1, 0, 0}};
  EXPECT_DOUBLE_EQ(signed_distance(wall, {3, 7, -2}), 2.0);
  EXPECT_DOUBLE_EQ(signed_distance(wall, {0, 7, -2}), -1.0);
}

TEST(HalfSpace, FacesOfABoxLookInwards) {
  const Vector3 lower(0, -1, 2), upper(4, 5, 3), inside(1, 0, 2.25);
  const double expected[6] = {1, 3, 1, 5, 0.25, 0.75};
  for (int face = 0; face < 6; ++face)
    EXPECT_DOUBLE_EQ(signed_distance(box_face(lower, upper, face), inside), expected[face])
        << box_face_names[face];
}

TEST(Frame, IsOrthonormalAndRightHandedForEveryNormal) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 10000; ++i) {
    Vector3 n(normal(random), normal(random), normal(random));
    if (i < 6) n = (i % 2 ? -1.0 : 1.0) * Vector3::Unit(i / 2);
    n.normalize();
    const Frame frame = frame_from_normal(n);
    EXPECT_NEAR(frame.tangent1.norm(), 1, 1e-14);
    EXPECT_NEAR(frame.tangent2.norm(), 1, 1e-14);
    EXPECT_LT((frame.tangent1.cross(frame.tangent2) - n).norm(), 1e-14);
  }
}

}  // namespace
}  // namespace percuss
