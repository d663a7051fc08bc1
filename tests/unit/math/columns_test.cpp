#include "percuss/math/columns.h"

#include <gtest/gtest.h>

namespace percuss {
namespace {

struct ColumnsCase {
  MatrixX A;
  VectorX x, y;
};
ColumnsCase random_case(int rows, int columns) {
  std::srand(static_cast<unsigned>(100 * rows + columns));
  return {MatrixX::Random(rows, columns), VectorX::Random(columns), VectorX::Random(rows)};
}

/// Sizes that four divides and others.
template <class Check>
void for_many_sizes(const Check& check) {
  for (int rows = 0; rows < 14; ++rows)
    for (int columns = 0; columns < 19; ++columns) {
      SCOPED_TRACE(testing::Message() << rows << " x " << columns);
      check(random_case(rows, columns));
    }
}

TEST(Columns, AddAsEigenDoes) {
  for_many_sizes([](const ColumnsCase& given) {
    constexpr int margin = 5;  // what stands before and after the vector is not touched
    const auto rows = given.A.rows();
    VectorX y = VectorX::Random(rows + 2 * margin);
    const VectorX before = y;
    add_columns(given.A, given.x.data(), y.data() + margin);
    EXPECT_LT((y.segment(margin, rows) - before.segment(margin, rows) - given.A * given.x).norm(), 1e-14);
    EXPECT_EQ(y.head(margin), before.head(margin));
    EXPECT_EQ(y.tail(margin), before.tail(margin));
  });
}

TEST(Columns, OfAPartOfAMatrixAreThoseOfThePart) {
  const ColumnsCase given = random_case(13, 9);
  const MatrixX part = given.A.block(2, 1, 7, 6);
  VectorX y = given.y.head(7), expected = y;
  add_columns(given.A.block(2, 1, 7, 6), given.x.data(), y.data());
  add_columns(part, given.x.data(), expected.data());
  EXPECT_EQ(y, expected);
}

TEST(Columns, SomeOfThemAreAddedInAnyOrder) {
  const ColumnsCase given = random_case(13, 9);
  for (const std::vector<int>& which : {std::vector<int>{}, {8}, {7, 0, 3}, {1, 1, 5, 8, 2, 0}}) {
    VectorX y = given.y, expected = given.y;
    add_columns(given.A, which, given.x.data(), y.data());
    for (size_t k = 0; k < which.size(); ++k)
      expected += given.x[static_cast<Eigen::Index>(k)] * given.A.col(which[k]);
    EXPECT_LT((y - expected).norm(), 1e-14);
  }
}

TEST(Columns, AreMultipliedAsEigenDoes) {
  for_many_sizes([](const ColumnsCase& given) {
    constexpr double untouched = 7;
    VectorX products = VectorX::Constant(given.A.cols() + 1, untouched);
    dot_columns(given.A, given.y.data(), products.data());
    EXPECT_LT((products.head(given.A.cols()) - given.A.transpose() * given.y).norm(), 1e-14);
    EXPECT_EQ(products[given.A.cols()], untouched);
  });
}

/// Results must not depend on the processor: sums in a fixed order.
TEST(Columns, AddInTheSameOrderEverywhere) {
  const ColumnsCase given = random_case(9, 9);
  const MatrixX& A = given.A;
  const VectorX& x = given.x;
  VectorX y = given.y;
  add_columns(A, x.data(), y.data());
  for (int i = 0; i < 9; ++i) {
    const auto four = [&](int j) {
      return (A(i, j) * x[j] + A(i, j + 1) * x[j + 1]) + (A(i, j + 2) * x[j + 2] + A(i, j + 3) * x[j + 3]);
    };
    EXPECT_EQ(y[i], (given.y[i] + (four(0) + four(4))) + A(i, 8) * x[8]) << i;
  }
  double product = 0, sums[4] = {};
  dot_columns(A.col(1), given.y.data(), &product);
  for (int i = 0; i < 9; ++i) sums[i < 8 ? i % 4 : 0] += A(i, 1) * given.y[i];
  EXPECT_EQ(product, (sums[0] + sums[1]) + (sums[2] + sums[3]));
}

}  // namespace
}  // namespace percuss
