#include "percuss/geometry/mass_properties.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <stdexcept>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

namespace percuss {
namespace {

using std::numbers::pi;

template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream stream;
  (stream << ... << parts);
  return stream.str();
}

void require_positive(const char* name, double value) {
  if (!(value > 0 && std::isfinite(value)))
    throw std::invalid_argument(text(name, " must be positive and finite, got ", value));
}

/// Inertia from the second moments, the integral of x x^T.
Matrix3 inertia_from_second_moments(const Matrix3& moments) {
  return moments.trace() * Matrix3::Identity() - moments;
}

Vector3 mean(const std::vector<Vector3>& points) {
  Vector3 sum = Vector3::Zero();
  for (const Vector3& point : points) sum += point;
  return sum / static_cast<double>(points.size());
}

/// Sum over the tetrahedra between the triangles and one point; that point is near the solid because far away
/// the contributions cancel and leave their rounding errors.
MassProperties integrate(const TriangleMesh& mesh) {
  const Vector3 origin = mean(mesh.vertices);
  double volume = 0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();
  for (const auto& triangle : mesh.triangles) {
    Matrix3 corners;
    for (int i = 0; i < 3; ++i) corners.col(i) = mesh.vertices[triangle[i]] - origin;
    const double six_volumes = corners.determinant();
    const Vector3 sum = corners.rowwise().sum();
    volume += six_volumes / 6;
    first += six_volumes / 24 * sum;
    second += six_volumes / 120 * (corners * corners.transpose() + sum * sum.transpose());
  }
  const Vector3 arm = first / volume;
  return {volume, origin + arm, inertia_from_second_moments(second - first * arm.transpose())};
}

}  // namespace

MassProperties mass_properties_of_box(const Vector3& side_lengths) {
  for (int i = 0; i < 3; ++i) require_positive("side length", side_lengths[i]);
  const double volume = side_lengths.prod();
  const Vector3 moments = volume / 12 * side_lengths.cwiseAbs2();
  return {volume, Vector3::Zero(), inertia_from_second_moments(moments.asDiagonal())};
}

MassProperties mass_properties_of_sphere(double radius) {
  require_positive("radius", radius);
  return mass_properties_of_ellipsoid(Vector3::Constant(radius));
}

MassProperties mass_properties_of_ellipsoid(const Vector3& half_axes) {
  for (int i = 0; i < 3; ++i) require_positive("half axis", half_axes[i]);
  const double volume = 4 * pi / 3 * half_axes.prod();
  const Vector3 moments = volume / 5 * half_axes.cwiseAbs2();
  return {volume, Vector3::Zero(), inertia_from_second_moments(moments.asDiagonal())};
}

MassProperties mass_properties_of_cylinder(double radius, double length) {
  require_positive("radius", radius);
  require_positive("length", length);
  const double volume = pi * radius * radius * length;
  const double across = volume * radius * radius / 4, along = volume * length * length / 12;
  return {volume, Vector3::Zero(), inertia_from_second_moments(Vector3(across, across, along).asDiagonal())};
}

MassProperties mass_properties_of_capsule(double radius, double length) {
  if (length == 0) return mass_properties_of_sphere(radius);
  MassProperties capsule = mass_properties_of_cylinder(radius, length);
  // The centre of a half ball is at 3/8 of the radius from its base.
  const MassProperties ball = mass_properties_of_sphere(radius);
  const double shift = ball.volume * (length * length / 4 + 3.0 / 8.0 * length * radius);
  capsule.volume += ball.volume;
  capsule.inertia += ball.inertia;
  capsule.inertia.diagonal() += Vector3(shift, shift, 0);
  return capsule;
}

MassProperties mass_properties_of_cone(double base_radius, double height) {
  require_positive("base radius", base_radius);
  require_positive("height", height);
  const double volume = pi / 3 * base_radius * base_radius * height;
  const double across = volume * 3 / 20 * base_radius * base_radius,
               along = volume * 3 / 80 * height * height;
  return {volume, Vector3(0, 0, height / 4),
          inertia_from_second_moments(Vector3(across, across, along).asDiagonal())};
}

MassProperties mass_properties_of_mesh(const TriangleMesh& mesh) {
  if (const std::string defect = mesh_defect(mesh); !defect.empty()) throw std::invalid_argument(defect);
  return integrate(mesh);
}

MassProperties mass_properties_of_polyhedron(const ConvexPolyhedron& polyhedron) {
  TriangleMesh mesh{polyhedron.vertices, {}};
  for (const Face& face : polyhedron.faces)
    for (std::size_t i = 2; i < face.vertices.size(); ++i)
      mesh.triangles.push_back({face.vertices[0], face.vertices[i - 1], face.vertices[i]});
  return mass_properties_of_mesh(mesh);
}

PlanarMassProperties mass_properties_of_polygon(const std::vector<Vector2>& vertices) {
  if (vertices.size() < 3) throw std::invalid_argument("a polygon needs at least 3 vertices");
  double area = 0, polar = 0;
  Vector2 first = Vector2::Zero();
  // Triangles between the first vertex and the edges.
  for (std::size_t i = 2; i < vertices.size(); ++i) {
    const Vector2 left = vertices[i - 1] - vertices[0], right = vertices[i] - vertices[0];
    const double two_areas = left.x() * right.y() - left.y() * right.x();
    area += two_areas / 2;
    first += two_areas / 6 * (left + right);
    polar += two_areas / 12 * (left.squaredNorm() + left.dot(right) + right.squaredNorm());
  }
  if (!(area > 0 && std::isfinite(polar)))
    throw std::invalid_argument("the vertices of a polygon must be finite and counter-clockwise");
  const Vector2 arm = first / area;
  return {area, vertices[0] + arm, polar - first.dot(arm)};
}

PrincipalAxes principal_axes(const Matrix3& inertia) {
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(inertia);
  PrincipalAxes principal{solver.eigenvalues(), solver.eigenvectors()};
  if (principal.axes.determinant() < 0) principal.axes.col(2) *= -1;
  return principal;
}

bool satisfies_triangle_inequality(const Matrix3& inertia) {
  if (!inertia.allFinite()) return false;
  const Vector3 moments = principal_axes(inertia).moments;
  const double tolerance = 1e-9 * moments[2];
  return moments[0] >= -tolerance && moments[0] + moments[1] >= moments[2] - tolerance;
}

}  // namespace percuss
