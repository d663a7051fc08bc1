#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "percuss/model/body.h"
#include "percuss/model/force.h"
#include "percuss/model/joint.h"
#include "percuss/model/lagrangian_system.h"
#include "percuss/model/material.h"
#include "percuss/model/obstacle.h"

namespace percuss {

/// Which body may touch what: one pair that is declared, or two sides whose bodies find each other.
struct ContactPair {
  std::string body;
  std::string against;
  std::string nodes = {};
  bool corners_only = false;              ///< the user knows that edges do not meet
  std::vector<std::string> between = {};  ///< the two sides; then the others are empty

  /// What stands on the first side.
  const std::string& first() const { return nodes.empty() ? body : nodes; }
  std::string_view first_key() const { return nodes.empty() ? "body" : "nodes"; }

  static void fields(auto& self, auto& visit) {
    visit(
        "between", self.between,
        Field{
            .help =
                "two sides whose bodies find each other by their shapes. Each is a body, an obstacle, "
                "a group, a pattern such as `stone*` (in quotes if it begins with `*`), or `all`. "
                "`- all` is short for `{between: [all, all]}`. Bodies that a joint or a clearance "
                "connects are excepted unless both stand here by their own names. A solid whose name stands "
                "on both sides may touch itself"});
    visit(
        "body", self.body,
        Field{.help = "for a pair that is declared: name of a body (all points of its shape), of one of its "
                      "points (`arm.tip`), or `all`"});
    visit("nodes", self.nodes,
          Field{.help = "instead of `body`: a node or node set of a flexible body, as in `rod.last` or "
                        "`cube.z_min`"});
    visit("against", self.against,
          Field{.help =
                    "name of an obstacle, of one face of a box (`room.x_min`), of another body, of a surface "
                    "of a solid (`cube.z_max`; a solid alone means all of its boundary), or `all` "
                    "(obstacles)"});
    visit("corners_only", self.corners_only,
          Field{.help = "for two bodies with edges: only the corners of one touch faces of the other; edges "
                        "pass through edges. Without it such a contact is refused"});
  }
};

/// A round pin in a round hole with clearance: a joint that rattles.
struct PinInHole {
  static constexpr std::string_view kind = "pin_in_hole";
  static constexpr std::string_view about =
      "a round pin of one body in a round hole of another, with clearance: a bearing that rattles";
  std::string name;
  std::string pin, hole;
  double pin_radius = 0, hole_radius = 0;
  Vector3 axis = Vector3::UnitZ();
  double restitution = 0, friction = 0;

  static void fields(auto& self, auto& visit) {
    visit("pin", self.pin, Field{.help = "centre of the pin: a body or one of its points", .required = true});
    visit("hole", self.hole,
          Field{.help = "centre of the hole: a body, a frame or one of their points", .required = true});
    visit("pin_radius", self.pin_radius,
          Field{.unit = "m", .help = "radius of the pin", .range = allow::positive, .required = true});
    visit("hole_radius", self.hole_radius,
          Field{.unit = "m", .help = "radius of the hole", .range = allow::positive, .required = true});
    visit("axis", self.axis, Field{.help = "axis of the hole at the start"});
    visit("restitution", self.restitution, Field{.help = "Newton's e", .range = allow::unit_interval});
    visit("friction", self.friction,
          Field{.help = "Coulomb's mu; above 1e4 it acts as 1e4", .range = allow::nonnegative});
  }
};

/// Points of a body between two parallel walls of another body or of the ground.
struct Slot {
  static constexpr std::string_view kind = "slot";
  static constexpr std::string_view about =
      "points of a body between two parallel walls of another body, a frame or the ground: a slider in a "
      "notch";
  std::string name;
  std::vector<std::string> points;
  std::string in = "ground";
  Vector3 at = Vector3::Zero();
  Vector3 normal = Vector3::UnitY();
  double width = 0;
  double restitution = 0, friction = 0;

  static void fields(auto& self, auto& visit) {
    visit(
        "points", self.points,
        Field{.help = "points of a body that can touch the walls, as in `slider.corner1`", .required = true});
    visit("in", self.in, Field{.help = "name of the body or frame that has the slot, or `ground`"});
    visit("at", self.at,
          Field{.unit = "m", .help = "a point midway between the walls, in space at the start"});
    visit("normal", self.normal, Field{.help = "direction across the slot at the start"});
    visit("width", self.width,
          Field{.unit = "m", .help = "distance of the walls", .range = allow::nonnegative, .required = true});
    visit("restitution", self.restitution, Field{.help = "Newton's e", .range = allow::unit_interval});
    visit("friction", self.friction,
          Field{.help = "Coulomb's mu; above 1e4 it acts as 1e4", .range = allow::nonnegative});
  }
};

using Clearance = std::variant<PinInHole, Slot>;
inline const std::string& name_of(const Clearance& clearance) {
  return std::visit([](const auto& c) -> const std::string& { return c.name; }, clearance);
}

/// A system that is given by its equations. A scene names a plugin; a program sets `equations` itself.
struct UserSystem {
  static constexpr std::string_view kind = "plugin";
  static constexpr std::string_view about =
      "a system given by its own equations of motion: NAME.so in a folder of --plugin-path, or one "
      "that "
      "comes with percuss";
  std::string name;  ///< of the plugin
  std::string as;
  NamedMap<double> parameters;
  std::shared_ptr<const LagrangianSystem> equations;

  const std::string& system_name() const { return as.empty() ? name : as; }

  static void fields(auto& self, auto& visit) {
    visit("as", self.as, Field{.help = "its name in probes; default: the name of the plugin"});
    visit("parameters", self.parameters, Field{.help = "numbers by name that the plugin knows"});
  }
};

/// What the user describes. SI units throughout.
struct Model {
  std::string title;
  Vector3 gravity = Vector3::Zero();
  Vector3 gravity_datum = Vector3::Zero();
  NamedMap<Material> materials;
  std::vector<PairLaw> pairs;
  std::vector<Body> bodies;
  std::vector<MovingFrame> frames;
  std::vector<UserSystem> systems;
  std::vector<Joint> joints;
  std::vector<SpringElement> springs;
  std::vector<Load> forces;
  std::vector<Obstacle> obstacles;
  NamedMap<std::vector<std::string>> groups;
  std::vector<ContactPair> contacts;
  std::vector<std::array<std::string, 2>> except;  ///< who does not find whom
  std::vector<Clearance> clearances;

  static void fields(auto& self, auto& visit) {
    visit("title", self.title, Field{.help = "one line that says what is simulated"});
    visit("gravity", self.gravity, Field{.unit = "m/s^2", .help = "acceleration of free fall"});
    visit("gravity_datum", self.gravity_datum,
          Field{.unit = "m", .help = "point at which the potential energy of gravity is zero"});
    visit("materials", self.materials, Field{.help = "materials by name"});
    visit("pairs", self.pairs, Field{.help = "contact laws, one for each pair of materials that can touch"});
    visit("bodies", self.bodies, Field{.help = "what moves; a scene needs bodies or systems"});
    visit("frames", self.frames, Field{.help = "what moves as prescribed"});
    visit("systems", self.systems, Field{.help = "systems given by their equations"});
    visit("joints", self.joints, Field{.help = "what holds bodies together"});
    visit("springs", self.springs, Field{.help = "springs and dampers"});
    visit("forces", self.forces, Field{.help = "given forces and torques"});
    visit("obstacles", self.obstacles,
          Field{.help = "what can be touched; it stands still or moves with a frame or a body"});
    visit("groups", self.groups,
          Field{.help =
                    "lists of bodies and obstacles by name, for `contacts` and `except`; `stone*` means all "
                    "whose names begin so"});
    visit("contacts", self.contacts,
          Field{.help = "which body may touch which obstacle or body: declared one by one, or found. "
                        "`contacts: all` is short for `[{between: [all, all]}]`"});
    visit("except", self.except,
          Field{.help = "pairs of bodies, obstacles, groups or patterns that do not find each other"});
    visit("clearances", self.clearances, Field{.help = "pins in holes and sliders in slots, with clearance"});
  }
};

/// Everything that is wrong with a model, not only the first thing; empty if it can be simulated.
std::vector<Complaint> validate(const Model& model);
/// Every function of time must have a value at the start.
std::vector<Complaint> validate_start(const Model& model, double start_time);

/// Thrown when an invalid model is given to something that needs a valid one.
class ModelError : public std::runtime_error {
 public:
  explicit ModelError(std::vector<Complaint> complaints);
  const std::vector<Complaint>& complaints() const { return complaints_; }

 private:
  std::vector<Complaint> complaints_;
};

/// The law of a pair of materials, or nullptr.
const PairLaw* find_law(const Model& model, const std::string& a, const std::string& b);

/// A declared contact after `all` and boxes have been expanded: with a wall, or with another body.
struct ResolvedContact {
  int body;
  std::string point;  ///< of the body, or a node or set of a flexible one; empty: all points of its shape
  int wall = -1;      ///< index into walls_of(model.obstacles)
  int other = -1;     ///< index of a body
  std::string path;   ///< of the declaration
  std::string surface = {};  ///< of a flexible `other`; empty: all of its boundary
  bool corners_only = false;
};
/// Those with `body` or `nodes`, in the order of the declarations; complaints about unknown names go to
/// `complaints` (with their path).
std::vector<ResolvedContact> resolve_contacts(const Model& model, std::vector<Complaint>& complaints);

}  // namespace percuss
