#include "percuss/collision/broad_phase.h"

#include <random>

#include <gtest/gtest.h>

namespace percuss {
namespace {

Vector3 random_vector(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> part(-size, size);
  return {part(random), part(random), part(random)};
}

bool odd_pairs(int i, int j) { return (i + j) % 7 != 0; }

BroadPhase::Pairs by_all_pairs(const std::vector<Box>& boxes) {
  BroadPhase::Pairs pairs;
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i)
    for (int j = i + 1; j < static_cast<int>(boxes.size()); ++j)
      if (odd_pairs(i, j) && boxes[static_cast<size_t>(i)].intersects(boxes[static_cast<size_t>(j)]))
        pairs.emplace_back(i, j);
  return pairs;
}

/// Sizes over seven powers of ten, some boxes flat, some points, some empty.
std::vector<Box> random_boxes(std::mt19937& random, int count) {
  std::uniform_real_distribution<double> exponent(-5, 2);
  std::vector<Box> boxes;
  for (int i = 0; i < count; ++i) {
    Vector3 half = std::pow(10.0, exponent(random)) * random_vector(random, 1).cwiseAbs();
    if (i % 11 == 0) half.z() = 0;
    if (i % 13 == 0) half.setZero();
    const Vector3 centre = random_vector(random, i % 3 == 0 ? 0.1 : 10);
    boxes.emplace_back(centre - half, centre + half);
    if (i % 17 == 0) boxes.back().setEmpty();
  }
  return boxes;
}

TEST(BroadPhase, FindsWhatAllPairsHave) {
  std::mt19937 random(1);
  BroadPhase kept(odd_pairs);
  std::vector<Box> boxes = random_boxes(random, 400);
  const std::vector<double> margin(boxes.size(), 0.01);
  size_t found = 0;
  for (int step = 0; step < 40; ++step) {
    const auto expected = by_all_pairs(boxes);
    EXPECT_EQ(kept.find(boxes, margin), expected) << step;
    EXPECT_EQ(BroadPhase(odd_pairs).find(boxes, margin), expected) << step;
    found += expected.size();
    for (Box& box : boxes)
      if (!box.isEmpty()) box.translate(random_vector(random, 0.002));
  }
  EXPECT_GT(found, 40u * 300u);
  EXPECT_LT(kept.searches(), 20);  // most steps are served by what was found before
}

TEST(BroadPhase, FarAwayAndBeyondTheGrid) {
  BroadPhase broad_phase([](int, int) { return true; });
  const Vector3 half(1, 1, 1), far(1e14, -1e14, 1e14);
  const std::vector<Box> boxes = {{far - half, far + half}, {far, far + half}, {-half, half}};
  const std::vector<double> margin(3, 0.0);
  EXPECT_EQ(broad_phase.find(boxes, margin), (BroadPhase::Pairs{{0, 1}}));
}

}  // namespace
}  // namespace percuss
