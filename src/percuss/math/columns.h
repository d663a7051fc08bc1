#pragma once

#include <span>

#include "percuss/math/vector.h"

/// Products with matrices by their columns, four numbers at a time: fields of bodies, of which there are few,
/// and answers to forces, of which few are wanted. The order of the sums is the same on every processor.
namespace percuss {

using ColumnsRef = Eigen::Ref<const MatrixX>;

/// y += A x. Up to eight columns are summed before they are added to y: small y keep their digits where large
/// columns cancel.
void add_columns(const ColumnsRef& A, const double* x, double* y);
/// y += sum of x[k] times the column which[k] of A.
void add_columns(const ColumnsRef& A, std::span<const int> which, const double* x, double* y);
/// y = A^T x.
void dot_columns(const ColumnsRef& A, const double* x, double* y);

}  // namespace percuss
