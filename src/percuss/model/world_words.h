#pragma once

#include <optional>
#include <unordered_map>

#include "percuss/model/model.h"
#include "percuss/model/references.h"

namespace percuss {

/// Whether a name fits a pattern in which each `*` stands for any letters, or none.
bool matches(std::string_view pattern, std::string_view name);

/// What the words of `between`, `except` and `groups` mean: bodies, walls and obstacles with a shape under
/// one numbering, in this order.
class WorldWords {
 public:
  /// What one word means.
  struct Meaning {
    std::vector<int> things;  ///< ascending
    std::vector<int> named;   ///< those of them that stand somewhere by their own names
    bool is_all = false;
    bool is_name = false;  ///< the word itself is the name of a body or an obstacle
  };

  /// Reads the groups; complains about what is wrong in them.
  WorldWords(const Model& model, std::vector<Complaint>& complaints);

  /// Nothing after a complaint.
  std::optional<Meaning> find(const std::string& word, const std::string& path,
                              std::vector<Complaint>& complaints) const;

  const std::vector<Wall>& walls() const { return walls_; }
  int size() const { return first_obstacle() + static_cast<int>(model_.obstacles.size()); }
  int of_body(int body) const { return body; }
  int of_wall(int wall) const { return first_wall() + wall; }
  int of_obstacle(int obstacle) const { return first_obstacle() + obstacle; }
  /// Negative for what is not a body.
  int body_of(int thing) const { return thing < first_wall() ? thing : -1; }
  int wall_of(int thing) const {
    return thing >= first_wall() && thing < first_obstacle() ? thing - first_wall() : -1;
  }
  int obstacle_of(int thing) const { return thing >= first_obstacle() ? thing - first_obstacle() : -1; }
  /// Nothing if there is no such body.
  std::optional<int> body(const std::string& name) const;

 private:
  int first_wall() const { return static_cast<int>(model_.bodies.size()); }
  int first_obstacle() const { return first_wall() + static_cast<int>(walls_.size()); }
  void read_groups(std::vector<Complaint>& complaints);
  std::optional<Meaning> find_things(const std::string& word, const std::string& path,
                                     std::vector<Complaint>& complaints) const;
  std::string unknown(const std::string& word) const;

  const Model& model_;
  std::vector<Wall> walls_;
  std::unordered_map<std::string, std::vector<int>> things_;  ///< by name: a body, an obstacle, a wall
  std::unordered_map<std::string, Meaning> groups_;
};

}  // namespace percuss
