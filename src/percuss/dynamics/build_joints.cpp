#include <numbers>

#include "percuss/dynamics/attachments.h"
#include "percuss/dynamics/build.h"
#include "percuss/geometry/half_space.h"

namespace percuss {
namespace {

using Kind = FunctionTerm::Kind;

FunctionTerm term(Kind kind, std::vector<Attached> vectors, double coefficient = 1) {
  FunctionTerm t;
  t.kind = kind;
  t.vectors = std::move(vectors);
  t.coefficient = coefficient;
  return t;
}
ScalarFunction function(std::vector<FunctionTerm> terms, double offset = 0) {
  ScalarFunction f;
  f.terms = std::move(terms);
  f.offset = offset;
  return f;
}

/// The markers of a joint: its point and three axes on both bodies.
struct Markers {
  int body, to;
  Attached point, to_point;
  Attached axis, x, y;           ///< of `body`
  Attached to_axis, to_x, to_y;  ///< of `to`
  Attached to_second;            ///< second axis of a universal joint
  bool planar;                   ///< both bodies move in the x-y plane
};

class JointBuilder {
 public:
  JointBuilder(System& system, const Kinematics& start) : system_(system), start_(start) {}

  void add_natural(const BodyData& body, int index) {
    begin(body.name + ".directors", "natural", "bodies");
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j) {
        const Attached a{index, Vector3::Unit(i), Attached::Kind::direction};
        const Attached b{index, Vector3::Unit(j), Attached::Kind::direction};
        row(function({term(Kind::dot, {a, b})}, i == j ? 1 : 0),
            std::string("d") + std::to_string(i + 1) + " . d" + std::to_string(j + 1));
      }
  }

  void add(const JointOf<JointKind::fixed>& joint) {
    const Markers m = markers(joint);
    coincide(m);
    lock(m);
  }
  void add(const JointOf<JointKind::ball>& joint) { coincide(markers(joint)); }
  void add(const JointOf<JointKind::hinge>& joint) {
    const Markers m = markers(joint);
    coincide(m);
    align(m);
    set_coordinate(angle(m), true);
    add_drive(joint);
  }
  void add(const JointOf<JointKind::slider>& joint) {
    const Markers m = markers(joint);
    stay_on_line(m);
    lock(m);
    set_coordinate(along(m), false);
    add_drive(joint);
  }
  void add(const JointOf<JointKind::cylindrical>& joint) {
    const Markers m = markers(joint);
    stay_on_line(m);
    align(m);
  }
  void add(const JointOf<JointKind::screw>& joint) {
    const Markers m = markers(joint);
    stay_on_line(m);
    align(m);
    ScalarFunction thread = along(m);
    thread.terms.push_back(angle(m).terms[0]);
    thread.terms[1].coefficient = -joint.pitch / (2 * std::numbers::pi);
    system_.joints.remember(thread);
    row(std::move(thread), "thread");
  }
  void add(const JointOf<JointKind::universal>& joint) {
    const Markers m = markers(joint);
    coincide(m);
    row(function({term(Kind::dot, {m.axis, m.to_second})}), "angle of the axes");
  }
  void add(const JointOf<JointKind::planar_joint>& joint) {
    const Markers m = markers(joint);
    row(along(m), "distance from the plane");
    align(m);
  }
  void add(const JointOf<JointKind::point_on_line>& joint) { stay_on_line(markers(joint)); }
  void add(const JointOf<JointKind::point_on_plane>& joint) {
    row(along(markers(joint)), "distance from the plane");
  }
  void add(const JointOf<JointKind::distance>& joint) {
    const Markers m = markers(joint);
    ScalarFunction length = function({term(Kind::distance, {m.to_point, m.point})});
    if (!joint.length) length.offset = evaluate(length.terms[0], start_);
    row(std::move(length), "length", joint.length);
  }
  /// Nodes that turn are kept from turning too.
  void add(const JointOf<JointKind::tie>& tie) {
    const auto dot = tie.body.find('.');
    for (const int node : find_flexible(system_, tie.body.substr(0, dot))->nodes(tie.body.substr(dot + 1))) {
      JointBase single = tie;
      single.body = system_.bodies[static_cast<size_t>(node)].name;
      const Markers m = markers(single);
      coincide(m);
      if (system_.bodies[static_cast<size_t>(node)].kind != BodyKind::translating) lock(m);
    }
  }
  void add(const Gear& gear) {
    ScalarFunction sum = coordinate_of(gear.joints[0]);
    for (FunctionTerm second : coordinate_of(gear.joints[1]).terms) {
      second.coefficient *= gear.ratio;
      sum.terms.push_back(second);
    }
    sum.parts.clear();
    sum.dof.clear();
    row(std::move(sum), "ratio");
  }

  void begin(const std::string& name, std::string_view kind, std::string path) {
    JointData joint;
    joint.name = name;
    joint.kind = kind;
    joint.path = std::move(path);
    joint.first_row = system_.joints.row_count();
    system_.joints.joints.push_back(std::move(joint));
  }

 private:
  JointData& current() { return system_.joints.joints.back(); }

  Markers markers(const JointBase& joint) {
    Markers m{};
    m.body = find_body(system_, joint.carrier());
    m.to = joint.to == "ground" ? -1 : find_body(system_, joint.to_carrier());
    m.point = joint.at ? attach_point(start_, m.body, *joint.at)
                       : Attached{m.body, joint.body_point.value_or(arm_of(m.body, joint.carrier()))};
    m.to_point = joint.to_point
                     ? Attached{m.to, *joint.to_point}
                     : attach_point(start_, m.to, joint.at ? *joint.at : m.point.value(start_.of(m.body)));
    const Vector3 axis = joint.axis.normalized();
    const auto [normal, x, y] = frame_from_normal(axis);
    const auto pair = [&](const Vector3& direction, Attached& on_body, Attached& on_to) {
      on_body = attach_direction(start_, m.body, direction);
      on_to = attach_direction(start_, m.to, direction);
    };
    pair(axis, m.axis, m.to_axis);
    pair(x, m.x, m.to_x);
    pair(y, m.y, m.to_y);
    m.to_second = attach_direction(start_, m.to, joint.second_axis.normalized());
    const auto in_plane = [&](int body) {
      // A particle in the plane could be tied to a spatial body, so it does not count.
      return body < 0 ||
             (system_.bodies[body].kind != BodyKind::translating && moves_in_plane(system_.bodies[body]));
    };
    m.planar = in_plane(m.body) && in_plane(m.to);
    return m;
  }

  /// Where a point that a node carries is, as in `shaft.journal`; zero for all else.
  Vector3 arm_of(int body, const std::string& carrier) const {
    const auto dot = carrier.find('.');
    const Vector3* arm =
        dot == carrier.npos ? nullptr : find_named(system_.bodies[body].points, carrier.substr(dot + 1));
    return arm ? *arm : Vector3(Vector3::Zero());
  }

  void row(ScalarFunction f, std::string what, std::optional<Expression> target = std::nullopt,
           bool speed_only = false) {
    system_.joints.add_row({std::move(f), std::move(target), speed_only, std::move(what)}, system_.bodies);
    ++current().row_count;
  }

  /// The two points coincide.
  void coincide(const Markers& m) {
    for (int axis = 0; axis < (m.planar ? 2 : 3); ++axis) {
      if (!can_move(m, axis)) continue;
      FunctionTerm t = term(Kind::difference, {m.to_point, m.point});
      t.axis = Vector3::Unit(axis);
      row(function({t}), std::string(1, "xyz"[axis]));
    }
  }
  /// A particle may be held along some axes already.
  bool can_move(const Markers& m, int axis) const {
    const auto free = [&](int body) {
      return body >= 0 &&
             (system_.bodies[body].kind != BodyKind::translating || system_.bodies[body].dof[axis] >= 0) &&
             !(system_.bodies[body].kind == BodyKind::shaft &&
               system_.bodies[body].axes.row(axis).tail<2>().isZero(0));
    };
    return free(m.body) || free(m.to);
  }
  /// The axes of both bodies stay parallel.
  void align(const Markers& m) {
    if (m.planar) return;
    row(function({term(Kind::dot, {m.to_axis, m.x})}), "tilt about y");
    row(function({term(Kind::dot, {m.to_axis, m.y})}), "tilt about x");
  }
  /// No relative rotation.
  void lock(const Markers& m) {
    if (m.planar) {
      const Attached x{m.body, system_start(m.body, Vector3::UnitX()), Attached::Kind::direction};
      const Attached y{m.to, system_start(m.to, Vector3::UnitY()), Attached::Kind::direction};
      row(function({term(Kind::dot, {y, x})}), "rotation");
      return;
    }
    align(m);
    row(function({term(Kind::dot, {m.to_x, m.y})}), "rotation about the axis");
  }
  Vector3 system_start(int body, const Vector3& direction) const {
    return start_.of(body).R.transpose() * direction;
  }
  /// The point stays on the line through the point of `to` along the axis.
  void stay_on_line(const Markers& m) {
    if (m.planar) {
      const Vector3 across = Vector3::UnitZ().cross(m.to_axis.value(start_.of(m.to))).normalized();
      row(function({term(Kind::offset, {attach_direction(start_, m.to, across), m.to_point, m.point})}),
          "across the line");
      return;
    }
    row(function({term(Kind::offset, {m.to_x, m.to_point, m.point})}), "across the line (x)");
    row(function({term(Kind::offset, {m.to_y, m.to_point, m.point})}), "across the line (y)");
  }
  static ScalarFunction along(const Markers& m) {
    return function({term(Kind::offset, {m.to_axis, m.to_point, m.point})});
  }
  static ScalarFunction angle(const Markers& m) {
    return function({term(Kind::angle, {m.to_x, m.to_y, m.x})});
  }

  void set_coordinate(ScalarFunction f, bool is_angle) {
    system_.joints.remember(f);
    f.finish(system_.bodies);
    current().coordinate = static_cast<int>(system_.joints.coordinates.size());
    current().is_angle = is_angle;
    system_.joints.coordinates.push_back(std::move(f));
  }
  const ScalarFunction& coordinate_of(const std::string& joint) const {
    return system_.joints.coordinates[system_.joints.joints[system_.joints.find(joint)].coordinate];
  }

  void add_drive(const JointBase& joint) {
    if (!joint.drive) return;
    ScalarFunction f = system_.joints.coordinates[current().coordinate];
    if (joint.drive->load) {
      system_.loads.coordinate.push_back({joint.name, std::move(f), *joint.drive->load});
      return;
    }
    f.parts.clear();
    f.dof.clear();
    const bool speed = joint.drive->speed.has_value();
    row(std::move(f), "drive", speed ? joint.drive->speed : joint.drive->coordinate, speed);
  }

  System& system_;
  const Kinematics& start_;
};

}  // namespace

void add_joints(const Model& model, System& system, const Kinematics& start) {
  JointBuilder builder(system, start);
  for (size_t b = 0; b < system.bodies.size(); ++b)
    if (system.bodies[b].kind == BodyKind::natural)
      builder.add_natural(system.bodies[b], static_cast<int>(b));
  for (const bool gears : {false, true})  // gears need the coordinates of the others
    for (size_t i = 0; i < model.joints.size(); ++i) {
      if (std::holds_alternative<Gear>(model.joints[i]) != gears) continue;
      builder.begin(name_of(model.joints[i]), kind_name(model.joints[i]),
                    "joints[" + std::to_string(i) + "]");
      std::visit([&](const auto& given) { builder.add(given); }, model.joints[i]);
    }
  system.initial.angles.assign(static_cast<size_t>(system.joints.angle_count), 0.0);
  system.initial.joint_impulse.assign(static_cast<size_t>(system.constraint_count()), 0.0);
}

}  // namespace percuss
