#include <cmath>

#include <fmt/format.h>

#include "percuss/model/model.h"

namespace percuss {
namespace {

/// Every function of time of a model, at one moment.
class StartCheck {
 public:
  explicit StartCheck(double start) : start_(start) {}

  std::vector<Complaint> run(const Model& model) {
    for (size_t i = 0; i < model.forces.size(); ++i)
      std::visit(
          [&](const auto& load) {
            check(fmt::format("forces[{}].value", i), fmt::format("{} '{}'", load.kind, load.name),
                  load.value);
          },
          model.forces[i]);
    for (size_t i = 0; i < model.frames.size(); ++i) {
      const MovingFrame& frame = model.frames[i];
      const std::string path = fmt::format("frames[{}]", i), what = fmt::format("frame '{}'", frame.name);
      check(path + ".position", what, frame.position);
      check(path + ".angle", what, "angle", frame.angle);
    }
    for (size_t i = 0; i < model.joints.size(); ++i)
      if (const JointBase* joint = base_of(model.joints[i])) {
        const std::string path = fmt::format("joints[{}]", i);
        const std::string what = fmt::format("{} '{}'", kind_name(model.joints[i]), joint->name);
        if (joint->length) check(path + ".length", what, "length", *joint->length);
        if (!joint->drive) continue;
        const Drive& drive = *joint->drive;
        if (drive.coordinate) check(path + ".drive.coordinate", what, "coordinate", *drive.coordinate);
        if (drive.speed) check(path + ".drive.speed", what, "speed", *drive.speed);
        if (drive.load) check(path + ".drive.load", what, "load", *drive.load);
      }
    return std::move(complaints_);
  }

 private:
  void check(const std::string& path, const std::string& what, const std::array<Expression, 3>& vector) {
    for (size_t axis = 0; axis < 3; ++axis)
      check(fmt::format("{}[{}]", path, axis), what, fmt::format("component {}", "xyz"[axis]), vector[axis]);
  }
  void check(const std::string& path, const std::string& what, const std::string& part,
             const Expression& expression) {
    const double value = expression.value(start_);
    if (std::isfinite(value)) return;
    complaints_.push_back(
        {path, fmt::format("{} is not finite at t = {:.9g} s: {} = {} is {}", what, start_, part,
                           expression.canonical(), std::isnan(value) ? "undefined" : "infinite")});
  }

  double start_;
  std::vector<Complaint> complaints_;
};

}  // namespace

std::vector<Complaint> validate_start(const Model& model, double start_time) {
  return StartCheck(start_time).run(model);
}

}  // namespace percuss
