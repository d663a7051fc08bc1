#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Geometry>

#include "percuss/collision/convex_shape.h"
#include "percuss/collision/mesh_surface.h"
#include "percuss/contacts/contact_view.h"
#include "percuss/dynamics/contact_state.h"
#include "percuss/geometry/half_space.h"
#include "percuss/laws/contact_law.h"
#include "percuss/model/world.h"

namespace percuss {

/// A surface that others find: pieces that move with a body of the system, a half-space, or that of a
/// flexible body: nodes, which are bodies of the system, and facets between them.
struct Thing {
  std::string name;
  int body = -1;                   ///< of the system; -1: the ground
  int first_node = -1;             ///< of a flexible body: the body that is its node 0
  std::vector<int> nodes;          ///< of a flexible body: numbers of those that touch, ascending
  int surface = -1;                ///< of a solid: in Interactions::surfaces
  int elements = 0;                ///< of a beam: capsules from node to node, of the same radius
  bool is_plane = false;           ///< a half-space
  Vector3 belt = Vector3::Zero();  ///< how fast its surface moves along itself, in the axes of the body [m/s]
  int first_piece = 0,
      pieces = 0;   ///< in Things::pieces; none for a half-space, and for what may touch nothing
  HalfSpace plane;  ///< in the axes of the body
  int material = 0;
  bool is_planar = false;  ///< keeps to its plane, as what it touches does
  double thickness = std::numeric_limits<double>::infinity();  ///< [m]
  double reach = 0;          ///< of its farthest point from the origin of the body's axes [m]
  Eigen::AlignedBox3d core;  ///< around the vertices of its pieces, in the axes of the body
  double radius = 0;         ///< of its roundest piece, around the core [m]

  bool is_flexible() const { return first_node >= 0; }
};

/// One of the parts of a thing: convex, or a surface of triangles. Its features are numbered within the
/// thing, behind those of the parts before.
struct Piece {
  int shape = -1;  ///< in Things::shapes, or
  int mesh = -1;   ///< in Things::meshes
  int first_vertex = 0, first_edge = 0, first_face = 0, first_curve = 0;

  /// Where the features of a type begin.
  static int Piece::*first_number(FeatureType type) {
    switch (type) {
      case FeatureType::point: return &Piece::first_vertex;
      case FeatureType::line: return &Piece::first_edge;
      case FeatureType::face: return &Piece::first_face;
      default: return &Piece::first_curve;
    }
  }
  int first(FeatureType type) const { return this->*first_number(type); }
};

/// Everything that is found by others; constant.
struct Things {
  World world;  ///< who may touch whom, by places in `all`
  std::vector<Thing> all;
  std::vector<Piece> pieces;
  std::vector<ConvexShape> shapes;
  std::vector<std::shared_ptr<const MeshSurface>> meshes;
  std::vector<std::string> materials;
  std::vector<ContactLaw> laws;  ///< of each pair of materials

  int count() const { return static_cast<int>(all.size()); }
  const ConvexShape& shape(const Piece& piece) const { return shapes[static_cast<std::size_t>(piece.shape)]; }
  const MeshSurface& mesh(const Piece& piece) const { return *meshes[static_cast<std::size_t>(piece.mesh)]; }
  const ContactLaw& law(const Thing& a, const Thing& b) const {
    return laws[static_cast<std::size_t>(a.material) * materials.size() +
                static_cast<std::size_t>(b.material)];
  }
  /// Of the contacts of things i <= j, behind those of declared contacts.
  std::int64_t interaction(std::int64_t declared, int i, int j) const {
    return declared + std::int64_t{i} * count() + j;
  }
  std::pair<int, int> pair_of(std::int64_t declared, std::int64_t interaction) const {
    return {static_cast<int>((interaction - declared) / count()),
            static_cast<int>((interaction - declared) % count())};
  }
};

/// Whether in contacts of this kind the point, or else the feature of the lower type, belongs to the second
/// thing, which is then named first.
inline bool is_exchanged(FeatureKind kind) {
  return static_cast<int>(first_type(kind)) > static_cast<int>(second_type(kind));
}

}  // namespace percuss
