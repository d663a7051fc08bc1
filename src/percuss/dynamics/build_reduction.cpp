#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "percuss/dynamics/build.h"
#include "percuss/geometry/mesh_facets.h"
#include "percuss/model/references.h"

namespace percuss {
namespace {

/// Finds the nodes of a body that something refers to: they stay as they are.
class KeptNodes {
 public:
  KeptNodes(const Model& model, const Solid& solid) : model_(model), solid_(solid), mesh_(mesh_of(solid)) {}

  std::set<int> find() {
    for (const auto& name : solid_.reduction->keep) keep(name);
    for (const auto& [name, place] : solid_.points) keep(name);
    for (const auto& joint : model_.joints)
      if (const JointBase* base = base_of(joint)) {
        refer(base->carrier());
        refer(base->to_carrier());
      }
    for (const auto& spring : model_.springs) std::visit([&](const auto& given) { refer_to(given); }, spring);
    for (const auto& load : model_.forces) std::visit([&](const auto& given) { refer_to(given); }, load);
    for (const auto& gap : model_.clearances) std::visit([&](const auto& given) { refer_to(given); }, gap);
    for (const auto& wall : walls_of(model_.obstacles)) refer(wall.frame);
    add_contacts();
    return std::move(kept_);
  }

 private:
  void refer_to(const Spring& spring) {
    for (const Attachment* end : {&spring.from, &spring.to})
      if (end->body) refer(*end->body);
  }
  void refer_to(const Bushing& bushing) {
    refer(bushing.body);
    refer(bushing.to);
  }
  void refer_to(const JointSpring&) {}
  void refer_to(const AppliedForce& force) { refer(force.body); }
  void refer_to(const AppliedTorque& torque) { refer(torque.body); }
  void refer_to(const DistributedLoad& load) {
    if (load.on == solid_.name) return keep("all");
    if (owner_of(load.on) == solid_.name) keep_surface(load.on.substr(solid_.name.size() + 1));
  }
  void refer_to(const PinInHole& pin) {
    refer(pin.pin);
    refer(pin.hole);
  }
  void refer_to(const Slot& slot) {
    refer(slot.in);
    for (const auto& point : slot.points) refer(point);
  }

  void add_contacts() {
    std::vector<Complaint> known_already;
    const auto is_own = [&](int body) {
      return body >= 0 && name_of(model_.bodies[static_cast<size_t>(body)]) == solid_.name;
    };
    for (const auto& contact : resolve_contacts(model_, known_already)) {
      if (is_own(contact.body)) keep(contact.point.empty() ? "all" : contact.point);
      if (is_own(contact.other)) keep_surface(contact.surface);
    }
  }

  void refer(const std::string& reference) {
    if (reference != solid_.name && owner_of(reference) == solid_.name)
      keep(reference.substr(solid_.name.size() + 1));
  }
  void keep(const std::string& name) {
    if (name == "all") {
      for (int node = 0; node < static_cast<int>(mesh_->nodes.size()); ++node) kept_.insert(node);
      return;
    }
    for (const int node : find_nodes(solid_, *mesh_, name)) kept_.insert(node);
  }
  void keep_surface(const std::string& name) {
    for (const Facet& facet : name.empty() ? boundary_facets(*mesh_) : mesh_->surfaces.at(name))
      kept_.insert(facet.nodes.begin(), facet.nodes.begin() + node_count(facet.shape));
  }

  const Model& model_;
  const Solid& solid_;
  std::shared_ptr<const Mesh> mesh_;
  std::set<int> kept_;
};

/// Whether the rigid motions follow from those of these nodes: in space three that do not lie on a line, in
/// the plane two.
bool fix_rigid_motion(const Mesh& mesh, const std::vector<int>& nodes) {
  if (nodes.size() < 2) return false;
  if (mesh.dimension() == 2) return true;
  const auto at = [&](int node) { return mesh.nodes[static_cast<size_t>(node)]; };
  const Vector3 first = at(nodes[0]);
  Vector3 farthest = Vector3::Zero();
  for (const int node : nodes)
    if ((at(node) - first).norm() > farthest.norm()) farthest = at(node) - first;
  return std::any_of(nodes.begin(), nodes.end(), [&](int node) {
    return farthest.cross(at(node) - first).norm() > 1e-6 * farthest.squaredNorm();
  });
}

/// The body alone with all its nodes.
System full_system(const Model& model, const Solid& solid) {
  Model alone;
  alone.materials = model.materials;
  Solid full = solid;
  full.reduction.reset();
  alone.bodies.emplace_back(std::move(full));
  return build_system(alone);
}

FullBody full_body(const System& system) {
  FullBody body;
  const SparseMatrix diagonal(system.mass.asDiagonal());
  body.matrices = {system.constant.stiffness.matrix, SparseMatrix(system.constant.mass.matrix + diagonal)};
  const FloatingFrame& frame = system.floating.front();
  body.dimension = frame.dimension;
  std::vector<int> motions;
  for (int i = 0; i < 6; ++i)
    if (!frame.rigid.col(i).isZero(0)) motions.push_back(i);
  body.rigid = frame.rigid(Eigen::all, motions);
  return body;
}

[[noreturn]] void complain_about(const Model& model, const Solid& solid, const std::string& message) {
  size_t index = 0;
  while (name_of(model.bodies[index]) != solid.name) ++index;
  throw ModelError({{fmt::format("bodies[{}].reduction", index), message}});
}

}  // namespace

std::shared_ptr<Reduction> reduce_solid(const Model& model, const Solid& solid) {
  const std::set<int> found = KeptNodes(model, solid).find();
  const std::vector<int> kept(found.begin(), found.end());
  const auto mesh = mesh_of(solid);
  if (kept.size() == mesh->nodes.size())
    complain_about(
        model, solid,
        fmt::format("all {} nodes of '{}' are kept, so nothing is left to reduce; name sets of nodes "
                    "in contacts and loads instead of the whole body",
                    kept.size(), solid.name));
  if (!fix_rigid_motion(*mesh, kept))
    complain_about(
        model, solid,
        fmt::format("{} of '{}' {} kept, but at least {} must be, so that its rigid motion follows "
                    "from them; name more in `keep`",
                    kept.size() == 1 ? "1 node" : fmt::format("{} nodes", kept.size()), solid.name,
                    kept.size() == 1 ? "is" : "are",
                    mesh->dimension() == 2 ? "two" : "three that do not lie on a line"));
  const System full = full_system(model, solid);
  const FullBody body = full_body(full);
  const ModeChoice choice{solid.reduction->modes, solid.reduction->frequency};
  const bool fixed = solid.reduction->method == ReductionMethod::fixed_interface;
  ReductionOutcome outcome = fixed ? reduce_with_fixed_interface(body, kept, choice)
                                   : reduce_with_free_interface(body, kept, choice);
  if (!outcome.reduction) complain_about(model, solid, outcome.fault);
  auto reduction = std::make_shared<Reduction>(std::move(*outcome.reduction));
  reduction->linear_momenta = reduction->basis.transpose() * full.floating.front().linear_momenta;
  return reduction;
}

}  // namespace percuss
