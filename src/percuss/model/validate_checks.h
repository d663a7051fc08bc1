#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "percuss/model/model.h"
#include "percuss/model/range_check.h"
#include "percuss/model/references.h"

/// The parts of `validate`: a file for each subject, and what they share.
namespace percuss {

/// The complaints about a model so far, the names it declares, and the checks that several subjects need.
/// A check answers whether what follows from it can be checked too.
class ModelChecks {
 public:
  explicit ModelChecks(const Model& given) : model(given) {}

  const Model& model;
  std::vector<Complaint> complaints;
  Names materials, bodies, frames;
  Names carriers;  ///< bodies and frames

  void complain(std::string path, std::string message) {
    complaints.push_back({std::move(path), std::move(message)});
  }

  /// Fills the names; complains about those that are not allowed or used twice.
  void declare_names();

  bool reference(const std::string& path, std::string_view what, const std::string& name, const Names& names);
  void material(const std::string& path, const std::string& name);
  /// What carries a wall: the ground, a body, a frame or a node.
  void carrier(const std::string& path, std::string_view what, const std::string& name);
  /// The name of something that moves by forces: neither the ground, nor a frame, nor a point.
  bool mover(const std::string& path, const std::string& name, std::string_view hint = "");
  /// A reference to a body or frame, or to one of its points: `arm.tip`.
  bool point(const std::string& path, const std::string& given, const Names& owners);
  /// Null if the reference does not begin with the name of a flexible body.
  const FlexibleBody* flexible_owner(const std::string& reference) const;
  /// Null if there is no such flexible body, or if its mesh has a fault.
  const Mesh* mesh_of_body(const std::string& name);
  /// The nodes of a flexible body that `cube.z_max` means; complains if there are none.
  std::vector<int> nodes(const std::string& path, const std::string& given);
  /// A reference to exactly one node of a flexible body.
  bool node(const std::string& path, const std::string& given);
  /// A flexible body, or a surface of one: `cube.z_max`.
  void load_target(const std::string& path, const std::string& given);
  /// `body` and `to` of a joint or bushing.
  bool ends(const std::string& path, const std::string& body, const std::string& to, std::string_view what);
  /// The name of a joint with a coordinate.
  bool coordinate(const std::string& path, const std::string& name);
  void direction(const std::string& path, const Vector3& given);
  void in_plane(const std::string& path, const Vector3& given);
  /// The range of a field holds for each of its numbers.
  void components(const std::string& path, std::string_view name, const auto& values, const Range& range) {
    if (std::any_of(values.begin(), values.end(), [&](double x) { return !range.contains(x); }))
      complain(fmt::format("{}.{}", path, name),
               fmt::format("[{}] is not allowed; each number of {} must be {}", fmt::join(values, ", "), name,
                           describe(range)));
  }

  bool turns(const std::string& name) const;
  bool is_planar(const std::string& name) const;

 private:
  template <class T>
  void declare_all(Names& names, std::string_view list, const std::vector<T>& items);
  void declare_systems();
  void declare(Names& names, std::string_view list, std::string_view kind, size_t index,
               const std::string& name);
  const NamedMap<Vector3>* points_of_name(const std::string& name) const;

  void complain_of_nodes(const std::string& path, const std::string& owner, std::string message);
  /// For a name that is neither a body nor a frame.
  bool unknown_carrier(const std::string& path, std::string_view what, const std::string& name);

  Names springs_, forces_, joints_;
  Names things_;                                                 ///< all names that probes can begin with
  std::unordered_map<int, std::shared_ptr<const Mesh>> meshes_;  ///< of flexible bodies, by index
};

bool is_plain_name(std::string_view name);
std::string bad_name(const std::string& name);
inline std::string text_of(const Vector3& x) { return fmt::format("[{}, {}, {}]", x[0], x[1], x[2]); }

void check_pairs(ModelChecks& check);
void check_bodies(ModelChecks& check);
void check_body(ModelChecks& check, const std::string& path, const Bar& bar);
void check_body(ModelChecks& check, const std::string& path, const Beam& beam);
void check_body(ModelChecks& check, const std::string& path, const Shaft& shaft);
void check_body(ModelChecks& check, const std::string& path, const Solid& solid);
void check_frames(ModelChecks& check);
/// `path` is that of the shape.
void check_shape(ModelChecks& check, const std::string& path, const Shape& shape);
void check_shape(ModelChecks& check, const std::string& path, const PlanarShape& shape);
/// `path` is that of what has it.
void check_orientation(ModelChecks& check, const std::string& path, const Orientation& given);
/// What a user's system says about itself; its functions are judged when they are called.
void check_equations(ModelChecks& check, const std::string& path, const UserSystem& system);
void check_joints(ModelChecks& check);
void check_clearances(ModelChecks& check);
void check_obstacles(ModelChecks& check);
void check_springs(ModelChecks& check);
void check_forces(ModelChecks& check);
void check_contacts(ModelChecks& check);

}  // namespace percuss
