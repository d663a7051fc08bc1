#include "percuss/contacts/build_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include <fmt/format.h>

#include "percuss/contacts/build_things.h"
#include "percuss/contacts/contact_points.h"
#include "percuss/contacts/contact_surface.h"
#include "percuss/contacts/detection.h"
#include "percuss/dynamics/attachments.h"
#include "percuss/dynamics/checked_model.h"
#include "percuss/model/law_of.h"
#include "percuss/model/world.h"

namespace percuss {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

class ContactBuilder {
 public:
  ContactBuilder(const Model& model, const System& system, double start_time)
      : model_(model), system_(system), walls_(walls_of(model.obstacles)), start_(make_kinematics(system)) {
    update(system, system.initial.q, system.initial.v, start_time, start_);
  }

  Interactions run() {
    std::vector<Complaint> unknown;
    for (const auto& declared : resolve_contacts(model_, unknown)) {
      path_ = declared.path;
      if (declared.wall >= 0)
        against_wall(declared);
      else
        against_body(declared);
    }
    complaints_.insert(complaints_.end(), unknown.begin(), unknown.end());
    for (const auto& clearance : model_.clearances)
      std::visit([&](const auto& given) { add(given); }, clearance);
    for (const auto& joint : model_.joints) {
      add_limits(joint);
      add_dry_friction(joint);
    }
    for (size_t s = 0; s < system_.user_systems.size(); ++s) add_user_gaps(static_cast<int>(s));
    set_.things = build_things(model_, system_, set_.surfaces, complaints_);
    if (set_.things) set_.is_constant = false;
    set_.for_each_law([&](const ContactLaw& law) {
      set_.friction_is_constant = set_.friction_is_constant && law.friction_is_constant();
    });
    if (!complaints_.empty()) throw ModelError(std::move(complaints_));
    return std::move(set_);
  }

 private:
  /// What to do about a body that has neither points nor faces to declare.
  static std::string no_points(const Body& body, const std::string& other) {
    const auto* rigid = std::get_if<RigidBody>(&body);
    const auto* planar = std::get_if<PlanarBody>(&body);
    if ((rigid && rigid->shape) || (planar && planar->shape))
      return fmt::format(
          "pairs with `body` and `against` know spheres, capsules and corners, and the shape of '{}' has "
          "none; "
          "write {{between: [{}, {}]}}",
          name_of(body), name_of(body), other);
    return fmt::format(
        "'{}' has no shape that can touch; give it `shape:`, or name a point of it in `body` as in '{}.tip'",
        name_of(body), name_of(body));
  }

  /// Of the shape of a body of the model.
  const Vector3& centre_of(int body) const { return system_.bodies[static_cast<size_t>(body)].shape_centre; }

  /// Points of a body that a declaration means: a named one, or all of its shape.
  std::vector<ContactPoint> points_of_declared(const ResolvedContact& declared) {
    const Body& body = model_.bodies[declared.body];
    if (const FlexibleData* flexible = find_flexible(system_, name_of(body)))
      return declared.point.empty() ? nodes_of_boundary(*flexible)
                                    : nodes_of_declared(*flexible, declared.point);
    if (!declared.point.empty())
      return {{name_of(body) + "." + declared.point, *find_named(*points_of(body), declared.point), 0}};
    auto points = contact_points(body, centre_of(declared.body));
    if (points.empty())
      complaints_.push_back(
          {path_ + ".body", no_points(body, declared.wall >= 0 ? walls_[declared.wall].obstacle
                                                               : name_of(model_.bodies[declared.other]))});
    return points;
  }

  std::vector<ContactPoint> nodes_of_declared(const FlexibleData& flexible, const std::string& name) const {
    const std::string& body = flexible.declared.name;
    const auto nodes = flexible.nodes(name);
    if (nodes.size() == 1) {
      const Vector3* arm = find_named(system_.bodies[nodes[0]].points, name);
      return {{fmt::format("{}.{}", body, name), arm ? *arm : Vector3(Vector3::Zero()), 0, nodes[0]}};
    }
    std::vector<ContactPoint> points;
    for (const int node : nodes)
      points.push_back({fmt::format("{}.{}", body, node - flexible.first_node), Vector3::Zero(), 0, node});
    return points;
  }

  /// All nodes with which a flexible body can touch.
  static std::vector<ContactPoint> nodes_of_boundary(const FlexibleData& flexible) {
    std::vector<ContactPoint> points;
    for (const int node : touching_nodes(flexible))
      points.push_back({fmt::format("{}.{}", flexible.declared.name, node), Vector3::Zero(), 0,
                        flexible.first_node + node});
    return points;
  }

  void against_wall(const ResolvedContact& declared) {
    const Body& body = model_.bodies[declared.body];
    const Wall& wall = walls_[declared.wall];
    const int frame = wall.frame == "ground" ? -1 : find_body(system_, wall.frame);
    for (const auto& point : points_of_declared(declared)) {
      const int touching = point.body < 0 ? declared.body : point.body;
      Contact contact;
      ContactName name;
      name.first = point.name;
      name.second = wall.name;
      contact.law = law_of(*find_law(model_, material_of(body), wall.material));
      contact.a = {touching, point.local};
      contact.b = {frame, wall.solid.point};
      contact.radius_a = point.radius;
      contact.direction = wall.solid.normal;
      contact.belt = wall.surface_velocity;
      const bool linear =
          frame < 0 && system_.bodies[touching].kind == BodyKind::translating && contact.belt.isZero(0);
      contact.kind = linear ? ContactKind::fixed_plane : ContactKind::plane;
      if (linear)
        push_linear(contact, std::move(name));
      else
        push(contact, std::move(name));
    }
  }

  /// Index of a surface of a flexible body.
  int surface_of(const FlexibleData& flexible, const std::string& name) {
    const std::string key = flexible.declared.name + "." + name;
    if (const auto known = surface_index_.find(key); known != surface_index_.end()) return known->second;
    const Mesh& mesh = *flexible.mesh;
    set_.surfaces.push_back(make_contact_surface(
        system_, flexible, name.empty() ? boundary_facets(mesh) : mesh.surfaces.at(name)));
    return surface_index_[key] = static_cast<int>(set_.surfaces.size()) - 1;
  }

  /// Points of a body, or nodes, against the surface of a flexible body.
  void against_surface(const ResolvedContact& declared, const FlexibleData& other) {
    const Body& first = model_.bodies[declared.body];
    const PairLaw& law = *find_law(model_, material_of(first), other.declared.material);
    const int index = surface_of(other, declared.surface);
    const std::string& body = other.declared.name;
    for (const auto& point : points_of_declared(declared)) {
      Contact contact;
      ContactName name;
      contact.kind = ContactKind::facets;
      name.first = point.name;
      name.second = declared.surface.empty() ? body : fmt::format("{}.{}", body, declared.surface);
      contact.law = law_of(law);
      contact.a = {point.body < 0 ? declared.body : point.body, point.local};
      contact.radius_a = point.radius;
      contact.index = index;
      contact.thickness = 2 * set_.surfaces[static_cast<size_t>(index)].thickness;
      contact.item = set_.surfaces[static_cast<size_t>(index)].place_of(contact.a.body);
      push_on_surface(contact, std::move(name));
    }
  }

  void against_body(const ResolvedContact& declared) {
    if (const FlexibleData* other = find_flexible(system_, name_of(model_.bodies[declared.other])))
      return against_surface(declared, *other);
    const Body& first = model_.bodies[declared.body];
    const Body& second = model_.bodies[declared.other];
    const PairLaw& law = *find_law(model_, material_of(first), material_of(second));
    const auto points = points_of_declared(declared);
    const Vector3 &centre = centre_of(declared.body), &other_centre = centre_of(declared.other);
    const auto other_points = contact_points(second, other_centre);
    const auto faces = convex_faces(second, other_centre), own_faces = convex_faces(first, centre);
    if (points.empty()) return;
    thickness_ = std::min(declared.point.empty() ? thickness(first, centre) : infinity,
                          thickness(second, other_centre));
    if (faces.empty() && (own_faces.empty() || !declared.point.empty())) {
      if (other_points.empty()) {
        complaints_.push_back({path_ + ".against", no_points(second, name_of(first))});
        return;
      }
      for (const auto& a : points)
        for (const auto& b : other_points) {
          Contact contact;
          ContactName name;
          contact.kind = ContactKind::spheres;
          name.first = a.name;
          name.second = b.name;
          contact.law = law_of(law);
          contact.a = {a.body < 0 ? declared.body : a.body, a.local};
          contact.b = {declared.other, b.local};
          contact.radius_a = a.radius;
          contact.radius_b = b.radius;
          contact.thickness = thickness_;
          push(contact, std::move(name));
        }
      return;
    }
    if (!faces.empty()) corners_on_faces(points, declared.body, second, declared.other, faces, law);
    if (!own_faces.empty() && declared.point.empty())
      corners_on_faces(other_points, declared.other, first, declared.body, own_faces, law);
  }

  void corners_on_faces(const std::vector<ContactPoint>& points, int body, const Body& second, int other,
                        const std::vector<ConvexFace>& faces, const PairLaw& law) {
    const int first_face = static_cast<int>(set_.faces.size());
    set_.faces.insert(set_.faces.end(), faces.begin(), faces.end());
    for (const auto& point : points) {
      Contact contact;
      ContactName name;
      contact.kind = ContactKind::convex;
      name.first = point.name;
      name.second = name_of(second);
      contact.law = law_of(law);
      contact.a = {point.body < 0 ? body : point.body, point.local};
      contact.b = {other, Vector3::Zero()};
      contact.radius_a = point.radius;
      contact.index = first_face;
      contact.item = static_cast<int>(faces.size());
      contact.thickness = thickness_;
      push(contact, std::move(name));
    }
  }

  void add(const PinInHole& given) {
    Contact contact;
    ContactName name;
    contact.kind = ContactKind::pin_in_hole;
    name.first = given.name;
    name.second = given.hole;
    contact.law = law_of(given);
    contact.a = find_point(model_, system_, given.pin);
    contact.b = find_point(model_, system_, given.hole);
    contact.radius_a = given.pin_radius;
    contact.radius_b = given.hole_radius;
    contact.direction = attach_direction(start_, contact.b.body, given.axis.normalized()).local;
    push(contact, std::move(name));
  }

  void add(const Slot& given) {
    const int body = given.in == "ground" ? -1 : find_body(system_, given.in);
    const Vector3 n = given.normal.normalized();
    for (const auto& point : given.points)
      for (const double side : {-1.0, 1.0}) {
        Contact contact;
        ContactName name;
        contact.kind = ContactKind::plane;
        name.first = point;
        name.second = fmt::format("{}.{}", given.name, side < 0 ? "lower" : "upper");
        contact.law = law_of(given);
        contact.a = find_point(model_, system_, point);
        contact.b = attach_point(start_, body, given.at + 0.5 * side * given.width * n);
        contact.direction = attach_direction(start_, body, -side * n).local;
        push(contact, std::move(name));
      }
  }

  /// Entries of a joint's coordinate.
  void push_coordinate(Contact contact, ContactName name) {
    contact.begin = static_cast<int>(set_.declared.dof.size());
    for (const int dof : system_.joints.coordinates[contact.index].dof)
      if (dof >= 0) set_.declared.dof.push_back(dof);
    finish(contact, std::move(name));
  }

  void add_dry_friction(const Joint& joint) {
    const JointBase* base = base_of(joint);
    if (!base || base->friction == 0) return;
    Contact contact;
    ContactName name;
    contact.kind = ContactKind::joint_friction;
    name.first = base->name;
    name.second = "friction";
    contact.law = law_of(*base);
    contact.index = system_.joints.joints[system_.joints.find(base->name)].coordinate;
    push_coordinate(contact, std::move(name));
  }

  void add_limits(const Joint& joint) {
    const JointBase* base = base_of(joint);
    if (!base || !base->limits) return;
    const JointData& data = system_.joints.joints[system_.joints.find(base->name)];
    for (const bool is_upper : {false, true}) {
      const auto& bound = is_upper ? base->limits->upper : base->limits->lower;
      if (!bound) continue;
      Contact contact;
      ContactName name;
      contact.kind = ContactKind::limit;
      name.first = base->name;
      name.second = is_upper ? "upper" : "lower";
      contact.law = law_of(*base->limits);
      contact.index = data.coordinate;
      contact.offset = *bound;
      contact.sign = is_upper ? -1 : 1;
      if (data.is_angle) contact.gap_length = system_.size;
      push_coordinate(contact, std::move(name));
    }
  }

  void add_user_gaps(int index) {
    const UserSystemData& user = system_.user_systems[index];
    const auto gaps = user.equations->gaps();
    for (size_t g = 0; g < gaps.size(); ++g) {
      Contact contact;
      ContactName name;
      contact.kind = ContactKind::user;
      name.first = user.name;
      name.second = gaps[g].name;
      contact.law = law_of(gaps[g]);
      contact.index = index;
      contact.item = static_cast<int>(g);
      contact.begin = static_cast<int>(set_.declared.dof.size());
      for (int i = 0; i < user.size; ++i) set_.declared.dof.push_back(user.first + i);
      finish(contact, std::move(name));
    }
  }

  /// A gap that is linear in q. Without friction only the coordinates along the normal enter.
  void push_linear(Contact contact, ContactName name) {
    const BodyData& body = system_.bodies[contact.a.body];
    contact.offset = -contact.direction.dot(contact.b.local) - contact.radius_a;
    const bool planar = moves_in_plane(body) && contact.direction.z() == 0;
    set_rows(contact, planar, 0);
    contact.begin = static_cast<int>(set_.declared.dof.size());
    contact.entry = static_cast<int>(set_.declared.constant_jacobian.size());
    const Frame frame = contact_frame(contact, contact.direction);
    std::vector<int> axes;
    for (int axis = 0; axis < 3; ++axis) {
      const double n = contact.direction[axis];
      if (body.dof[axis] < 0) contact.offset += n * body.start[axis];
      if (body.dof[axis] < 0 || (n == 0 && contact.rows == 1)) continue;
      axes.push_back(axis);
      set_.declared.dof.push_back(body.dof[axis]);
    }
    contact.count = static_cast<int>(axes.size());
    const Vector3 directions[3] = {frame.normal, frame.tangent1, frame.tangent2};
    for (int row = 0; row < contact.rows; ++row)
      for (const int axis : axes) set_.declared.constant_jacobian.push_back(directions[row][axis]);
    list(contact, std::move(name));
  }

  void push(Contact contact, ContactName name) {
    set_rows(system_, contact);
    set_.is_constant = false;
    name_next(contact, std::move(name));
    set_.declared.add_with_coordinates(system_, contact);
  }

  void push_on_surface(Contact contact, ContactName name) {
    set_rows(contact, moves_in_plane(system_.bodies[contact.a.body]), 0);
    set_.is_constant = false;
    name_next(contact, std::move(name));
    set_.declared.add_on_surface(system_, set_.surfaces[static_cast<size_t>(contact.index)], contact);
  }

  void finish(Contact contact, ContactName name) {
    contact.rows = contact.law.rows();
    contact.count = static_cast<int>(set_.declared.dof.size()) - contact.begin;
    contact.entry = static_cast<int>(set_.declared.constant_jacobian.size());
    set_.declared.constant_jacobian.resize(contact.entry + contact.rows * contact.count, 0.0);
    set_.is_constant = false;
    list(contact, std::move(name));
  }

  void list(Contact contact, ContactName name) {
    name_next(contact, std::move(name));
    set_.declared.add(contact);
  }
  /// Each declared contact is an interaction of its own.
  void name_next(Contact& contact, ContactName name) {
    contact.id.interaction = set_.declared_count();
    set_.names.push_back(std::move(name));
  }

  const Model& model_;
  const System& system_;
  std::vector<Wall> walls_;
  Kinematics start_;
  Interactions set_;
  std::vector<Complaint> complaints_;
  std::string path_;
  double thickness_ = infinity;  ///< of the bodies of the present declaration [m]
  std::unordered_map<std::string, int> surface_index_;
};

}  // namespace

Interactions build_contacts(const Model& model, const System& system, double start_time) {
  return ContactBuilder(model, system, start_time).run();
}

namespace {

/// What looks as if a contact had been forgotten.
void note_missing_contacts(const Model& model, System& system) {
  for (std::string& note : world_notes(model)) system.notes.push_back(std::move(note));
  int shaped = 0;
  for (size_t b = 0; b < model.bodies.size(); ++b)
    shaped += std::isfinite(thickness(model.bodies[b], system.bodies[b].shape_centre));
  if (model.contacts.empty() && model.clearances.empty() && model.obstacles.empty() && model.joints.empty() &&
      shaped > 1)
    system.notes.push_back(fmt::format(
        "{} bodies have shapes and no contacts are declared, so that they pass through each other: write "
        "`contacts: all`",
        shaped));
}

}  // namespace

Assembly build_assembly(const Model& model, double start_time) {
  return build_assembly(CheckedModel(model, start_time));
}

Assembly build_assembly(const CheckedModel& checked) {
  const Model& model = checked.model();
  const double start_time = checked.start_time();
  Assembly assembly{build_system(checked), {}, {}};
  assembly.interactions = build_contacts(model, assembly.system, start_time);
  note_missing_contacts(model, assembly.system);
  if (const auto& things = assembly.interactions.things)
    for (std::string& note : notes_on_surfaces(*things, assembly.system))
      assembly.system.notes.push_back(std::move(note));
  assembly.start = make_consistent(assembly.system, start_time);
  Realignment all_are_new;
  realign(assembly.interactions.declared, 0, assembly.system.initial.contacts, all_are_new);
  return assembly;
}

}  // namespace percuss
