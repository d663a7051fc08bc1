#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "percuss/model/model.h"

namespace percuss {

/// Something that bodies can find by themselves: one of the three indices is set.
struct Touchable {
  int body = -1;      ///< index into Model::bodies, or
  int wall = -1;      ///< index into walls_of(model.obstacles), or
  int obstacle = -1;  ///< index into Model::obstacles of one with a shape

  int carrier = -1;       ///< index of the body that it is or moves with; -1: the ground or a frame
  bool in_space = true;   ///< bodies in space can meet it
  bool in_plane = false;  ///< planar bodies can meet it
};

/// Who may touch whom without being declared one by one.
struct World {
  static constexpr int most_clauses = 64;

  std::vector<Touchable> things;             ///< bodies, walls, obstacles; only those named by some clause
  std::vector<std::uint64_t> first, second;  ///< of each thing; bit k: it is on that side of clause k
  /// Places in `things`, first < second, sorted: single pairs of `except`, what joints and clearances
  /// connect, and what is declared one by one.
  std::vector<std::pair<int, int>> excepted;
  /// Of each thing, for items of `except` with many pairs; bit k: it is on that side of the item.
  std::vector<std::uint64_t> kept_first, kept_second;
  /// Places in `things` of flexible bodies that a clause names on both sides; ascending.
  std::vector<int> touching_themselves;
  /// Indices of bodies that a clause means by `all` or a pattern and that cannot be found.
  std::vector<int> left_out;

  int size() const { return static_cast<int>(things.size()); }
  bool empty() const { return things.empty(); }
  /// A clause has them on its two sides, one of them can move relative to the other, and they are not
  /// excepted.
  bool may_touch(int i, int j) const;
  bool touches_itself(int i) const;
  /// The same as far as it does not depend on who is who: what may_touch says unless they share a carrier or
  /// are a pair of `excepted`.
  bool sides_meet(int i, int j) const;
};

/// Time and memory grow with the number of bodies, not with that of their pairs. Complaints have the path of
/// the word that is wrong.
World resolve_world(const Model& model, std::vector<Complaint>& complaints);

/// What the clauses leave out without being told so, and obstacles and free bodies that neither a clause nor
/// a declaration touches; one line each.
std::vector<std::string> world_notes(const Model& model);

/// Things of a world that may touch the same others, up to `excepted` and what they move with.
struct WorldClass {
  std::string material;
  std::vector<int> things;  ///< ascending
};
std::vector<WorldClass> classes_of(const World& world, const Model& model);
/// The first pair of the classes that may touch; -1 if there is none.
std::pair<int, int> first_pair(const World& world, const WorldClass& a, const WorldClass& b);

/// Of a beam or shaft in space with a round section [m]; others are not found.
std::optional<double> radius_of_section(const Body& body);

/// What messages call it, and its material.
const std::string& name_of(const Touchable& thing, const Model& model, const std::vector<Wall>& walls);
const std::string& material_of(const Touchable& thing, const Model& model, const std::vector<Wall>& walls);

}  // namespace percuss
