#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "percuss/simulation/simulation.h"

/// Small models that several tests share.
namespace percuss::testing {

inline Particle particle(const std::string& name, double mass, Translations translations,
                         const Vector3& position, const Vector3& velocity = Vector3::Zero()) {
  Particle p;
  p.name = name;
  p.mass = mass;
  p.material = "steel";
  p.translations = translations;
  p.position = position;
  p.velocity = velocity;
  return p;
}

inline HalfSpaceObstacle plane(const std::string& name, const Vector3& point, const Vector3& normal) {
  HalfSpaceObstacle o;
  o.name = name;
  o.point = point;
  o.normal = normal;
  o.material = "steel";
  return o;
}

inline Spring spring(const std::string& from, const std::string& to, double stiffness, double damping = 0) {
  Spring s;
  s.name = from + "-" + to;
  s.from.body = from;
  s.to.body = to;
  s.stiffness = stiffness;
  s.damping = damping;
  return s;
}

/// A given force whose components are expressions in t.
inline AppliedForce load(const std::string& name, const std::string& body,
                         const std::array<std::string, 3>& components) {
  Expression::Options options;
  options.allow_time = true;
  AppliedForce force;
  force.name = name;
  force.body = body;
  for (int axis = 0; axis < 3; ++axis) force.value[axis] = Expression::parse(components[axis], options);
  return force;
}

/// A model with one material whose contacts have restitution e.
inline Model steel_model(double e) {
  Model model;
  model.materials = {{"steel", {}}};
  model.pairs = {{{"steel", "steel"}, e, 0}};
  return model;
}

/// The ball of [Chen 2012, section 4.1] as a particle over z = 0.
inline Model ball_model(double e = 0.8, double gap = 0.801) {
  Model model = steel_model(e);
  model.gravity = {0, 0, -10};
  model.bodies = {particle("ball", 1, Translations::z, {0, 0, gap})};
  model.obstacles = {plane("floor", {0, 0, 0}, {0, 0, 1})};
  model.contacts = {{"ball", "floor"}};
  return model;
}

inline RunConfig run_config(const SchemeOptions& scheme, double end, double step) {
  RunConfig config;
  config.integrator = scheme;
  config.time.end = end;
  config.time.step = step;
  return config;
}

/// Closed-form motion of the bouncing ball until its impacts accumulate.
class ExactBall {
 public:
  ExactBall(double gravity, double restitution, double gap) : g_(gravity), e_(restitution), gap_(gap) {}
  double height(double t) const { return at(t).first; }
  double velocity(double t) const { return at(t).second; }

 private:
  std::pair<double, double> at(double t) const {
    double start = std::sqrt(2 * gap_ / g_), speed = e_ * g_ * start;
    if (t < start) return {gap_ - 0.5 * g_ * t * t, -g_ * t};
    for (int bounce = 0; bounce < 500; ++bounce) {
      const double flight = 2 * speed / g_;
      if (t < start + flight) {
        const double s = t - start;
        return {speed * s - 0.5 * g_ * s * s, speed - g_ * s};
      }
      start += flight;
      speed *= e_;
    }
    return {0, 0};
  }
  double g_, e_, gap_;
};

/// Least-squares slope of log(error) against log(h).
inline double fitted_order(const std::vector<double>& h, const std::vector<double>& error) {
  double mx = 0, my = 0, xx = 0, xy = 0;
  const double n = static_cast<double>(h.size());
  for (size_t i = 0; i < h.size(); ++i) mx += std::log(h[i]) / n, my += std::log(error[i]) / n;
  for (size_t i = 0; i < h.size(); ++i) {
    const double dx = std::log(h[i]) - mx;
    xx += dx * dx;
    xy += dx * (std::log(error[i]) - my);
  }
  return xy / xx;
}

}  // namespace percuss::testing
