#include "percuss/dynamics/scalar_function.h"

#include <algorithm>
#include <numbers>

namespace percuss {
namespace {

constexpr int max_vectors = 3;

/// phi with its derivatives by the attached vectors (J-2).
struct Expansion {
  double value = 0;
  std::array<Vector3, max_vectors> first;
  std::array<std::array<Matrix3, max_vectors>, max_vectors> second;
};

/// The second derivatives are computed only where they are needed: they are most of the work.
template <bool with_second>
Expansion expand(const FunctionTerm& term, const std::array<Vector3, max_vectors>& w) {
  Expansion e;
  if constexpr (with_second)
    for (auto& row : e.second) row.fill(Matrix3::Zero());
  const Matrix3 I = Matrix3::Identity();
  switch (term.kind) {
    case FunctionTerm::Kind::difference:
      e.value = term.axis.dot(w[1] - w[0]);
      e.first = {-term.axis, term.axis};
      break;
    case FunctionTerm::Kind::dot:
      e.value = w[0].dot(w[1]);
      e.first = {w[1], w[0]};
      if constexpr (with_second) e.second[0][1] = e.second[1][0] = I;
      break;
    case FunctionTerm::Kind::offset: {
      const Vector3 d = w[2] - w[1];
      e.value = w[0].dot(d);
      e.first = {d, -w[0], w[0]};
      if constexpr (with_second) {
        e.second[0][1] = e.second[1][0] = -I;
        e.second[0][2] = e.second[2][0] = I;
      }
      break;
    }
    case FunctionTerm::Kind::distance: {
      const Vector3 d = w[1] - w[0];
      e.value = d.norm();
      const Vector3 n = e.value > 0 ? Vector3(d / e.value) : Vector3::Zero();
      e.first = {-n, n};
      if constexpr (with_second) {
        const Matrix3 across = (I - n * n.transpose()) / e.value;
        e.second[0][0] = e.second[1][1] = across;
        e.second[0][1] = e.second[1][0] = -across;
      }
      break;
    }
    case FunctionTerm::Kind::angle: {
      const double c = w[0].dot(w[2]), s = w[1].dot(w[2]);
      const double rho2 = c * c + s * s;
      e.value = std::atan2(s, c);
      const double by_c = -s / rho2, by_s = c / rho2;
      e.first = {by_c * w[2], by_s * w[2], by_c * w[0] + by_s * w[1]};
      if constexpr (with_second) {
        const double cc = 2 * s * c / (rho2 * rho2), ss = -cc, cs = (s * s - c * c) / (rho2 * rho2);
        const std::array<Vector3, 3> dc = {w[2], Vector3::Zero(), w[0]}, ds = {Vector3::Zero(), w[2], w[1]};
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            e.second[i][j] = cc * dc[i] * dc[j].transpose() + ss * ds[i] * ds[j].transpose() +
                             cs * (dc[i] * ds[j].transpose() + ds[i] * dc[j].transpose());
        e.second[0][2] += by_c * I;
        e.second[2][0] += by_c * I;
        e.second[1][2] += by_s * I;
        e.second[2][1] += by_s * I;
      }
      break;
    }
  }
  return e;
}

template <bool with_second>
Expansion expand(const FunctionTerm& term, const Kinematics& kinematics) {
  std::array<Vector3, max_vectors> w;
  for (size_t i = 0; i < term.vectors.size(); ++i)
    w[i] = term.vectors[i].value(kinematics.of(term.vectors[i].body));
  Expansion e = expand<with_second>(term, w);
  if (term.memory >= 0) {
    const double before = kinematics.angles[static_cast<size_t>(term.memory)];
    e.value = before + std::remainder(e.value - before, 2 * std::numbers::pi);
  }
  return e;
}

int column_of(const ScalarFunction& function, int body) {
  for (const auto& part : function.parts)
    if (part.body == body) return part.first;
  return -1;
}

}  // namespace

void ScalarFunction::finish(const std::vector<BodyData>& bodies) {
  for (const auto& term : terms) {
    for (const auto& vector : term.vectors) {
      if (vector.body < 0 || column_of(*this, vector.body) >= 0) continue;
      const BodyData& body = bodies[static_cast<size_t>(vector.body)];
      if (body.kind == BodyKind::frame) continue;
      parts.push_back({vector.body, columns()});
      dof.insert(dof.end(), body.dof.begin(), body.dof.begin() + body.coordinate_count());
    }
  }
}

double evaluate(const FunctionTerm& term, const Kinematics& kinematics) {
  return expand<false>(term, kinematics).value;
}

double evaluate(const ScalarFunction& function, const Kinematics& kinematics) {
  double value = -function.offset;
  for (const auto& term : function.terms) value += term.coefficient * expand<false>(term, kinematics).value;
  return value;
}

double rate(const ScalarFunction& function, const Kinematics& kinematics) {
  double sum = 0;
  for (const auto& term : function.terms) {
    const Expansion e = expand<false>(term, kinematics);
    for (size_t i = 0; i < term.vectors.size(); ++i)
      sum += term.coefficient * e.first[i].dot(term.vectors[i].rate(kinematics.of(term.vectors[i].body)));
  }
  return sum;
}

double prescribed_rate(const ScalarFunction& function, const std::vector<BodyData>& bodies,
                       const Kinematics& kinematics) {
  double sum = 0;
  for (const auto& term : function.terms)
    for (size_t i = 0; i < term.vectors.size(); ++i) {
      const Attached& vector = term.vectors[i];
      if (vector.body < 0 || bodies[static_cast<size_t>(vector.body)].kind != BodyKind::frame) continue;
      const Expansion e = expand<false>(term, kinematics);
      sum += term.coefficient * e.first[i].dot(vector.rate(kinematics.of(vector.body)));
    }
  return sum;
}

double acceleration(const ScalarFunction& function, const Kinematics& kinematics,
                    const std::vector<BiasAcceleration>& biases) {
  double sum = 0;
  for (const auto& term : function.terms) {
    const Expansion e = expand<true>(term, kinematics);
    std::array<Vector3, max_vectors> rates;
    for (size_t i = 0; i < term.vectors.size(); ++i)
      rates[i] = term.vectors[i].rate(kinematics.of(term.vectors[i].body));
    for (size_t i = 0; i < term.vectors.size(); ++i) {
      const Attached& vector = term.vectors[i];
      if (vector.body >= 0)
        sum += term.coefficient * e.first[i].dot(vector.bias_of(biases[static_cast<size_t>(vector.body)]));
      for (size_t j = 0; j < term.vectors.size(); ++j)
        sum += term.coefficient * rates[i].dot(e.second[i][j] * rates[j]);
    }
  }
  return sum;
}

void gradient(const ScalarFunction& function, const std::vector<BodyData>& bodies,
              const Kinematics& kinematics, double* out) {
  std::fill(out, out + function.columns(), 0.0);
  for (const auto& term : function.terms) {
    const Expansion e = expand<false>(term, kinematics);
    for (size_t i = 0; i < term.vectors.size(); ++i) {
      const Attached& vector = term.vectors[i];
      const int first = column_of(function, vector.body);
      if (first < 0) continue;
      const BodyJacobian J =
          jacobian(bodies[static_cast<size_t>(vector.body)], kinematics.of(vector.body), vector);
      Eigen::Map<VectorX>(out + first, J.cols()) += term.coefficient * (J.transpose() * e.first[i]);
    }
  }
}

void rate_gradient(const ScalarFunction& function, const std::vector<BodyData>& bodies,
                   const Kinematics& kinematics, double* out) {
  std::fill(out, out + function.columns(), 0.0);
  for (const auto& term : function.terms) {
    const Expansion e = expand<true>(term, kinematics);
    for (size_t j = 0; j < term.vectors.size(); ++j) {
      const Attached& vector = term.vectors[j];
      const int first = column_of(function, vector.body);
      if (first < 0) continue;
      const BodyData& body = bodies[static_cast<size_t>(vector.body)];
      const PoseAndVelocity& pose = kinematics.of(vector.body);
      Vector3 turning = Vector3::Zero();  // how d(phi)/d(w_j) changes with time
      for (size_t i = 0; i < term.vectors.size(); ++i)
        turning += e.second[j][i] * term.vectors[i].rate(kinematics.of(term.vectors[i].body));
      const BodyJacobian J = jacobian(body, pose, vector), J_rate = jacobian_rate(body, pose, vector);
      Eigen::Map<VectorX>(out + first, J.cols()) +=
          term.coefficient * (J.transpose() * turning + J_rate.transpose() * e.first[j]);
    }
  }
}

void add_second_derivative(const ScalarFunction& function, const std::vector<BodyData>& bodies,
                           const Kinematics& kinematics, double factor, Eigen::Ref<MatrixX> out) {
  for (const auto& term : function.terms) {
    const Expansion e = expand<true>(term, kinematics);
    const double scale = factor * term.coefficient;
    std::array<BodyJacobian, max_vectors> J;
    std::array<int, max_vectors> first{};
    const auto count = term.vectors.size();
    for (size_t i = 0; i < count; ++i) {
      const Attached& vector = term.vectors[i];
      first[i] = column_of(function, vector.body);
      if (first[i] < 0) continue;
      const BodyData& body = bodies[static_cast<size_t>(vector.body)];
      const PoseAndVelocity& pose = kinematics.of(vector.body);
      J[i] = jacobian(body, pose, vector);
      out.block(first[i], first[i], J[i].cols(), J[i].cols()) +=
          scale * jacobian_tangent(body, pose, vector, e.first[i]);
    }
    for (size_t i = 0; i < count; ++i)
      for (size_t j = 0; j < count; ++j)
        if (first[i] >= 0 && first[j] >= 0)
          out.block(first[i], first[j], J[i].cols(), J[j].cols()) +=
              scale * (J[i].transpose() * e.second[i][j] * J[j]);
  }
}

}  // namespace percuss
