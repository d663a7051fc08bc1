#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "percuss/model/body.h"
#include "percuss/model/force.h"
#include "percuss/model/material.h"
#include "percuss/model/obstacle.h"

namespace percuss {

/// Which body may touch which wall. Contact is declared, never guessed.
struct ContactPair {
  std::string body;
  std::string against;

  static void fields(auto& self, auto& visit) {
    visit("body", self.body, Field{.help = "name of a body, or `all`", .required = true});
    visit("against", self.against,
          Field{.help = "name of an obstacle, of one face of a box (`room.x_min`), or `all`",
                .required = true});
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
  std::vector<Spring> springs;
  std::vector<AppliedForce> forces;
  std::vector<Obstacle> obstacles;
  std::vector<ContactPair> contacts;

  static void fields(auto& self, auto& visit) {
    visit("title", self.title, Field{.help = "one line that says what is simulated"});
    visit("gravity", self.gravity, Field{.unit = "m/s^2", .help = "acceleration of free fall"});
    visit("gravity_datum", self.gravity_datum,
          Field{.unit = "m", .help = "point at which the potential energy of gravity is zero"});
    visit("materials", self.materials, Field{.help = "materials by name"});
    visit("pairs", self.pairs, Field{.help = "contact laws, one for each pair of materials that can touch"});
    visit("bodies", self.bodies, Field{.help = "what moves", .required = true});
    visit("springs", self.springs, Field{.help = "springs and dampers"});
    visit("forces", self.forces, Field{.help = "given forces"});
    visit("obstacles", self.obstacles, Field{.help = "what stands still and can be touched"});
    visit("contacts", self.contacts, Field{.help = "which body may touch which obstacle"});
  }
};

/// Everything that is wrong with a model, not only the first thing; empty if it can be simulated.
std::vector<Complaint> validate(const Model& model);

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

/// A declared contact after `all` and boxes have been expanded.
struct ResolvedContact {
  int body;
  int wall;  ///< index into walls_of(model.obstacles)
};
/// In the order of the declarations; complaints about unknown names go to `complaints` (with their path).
std::vector<ResolvedContact> resolve_contacts(const Model& model, std::vector<Complaint>& complaints);

}  // namespace percuss
