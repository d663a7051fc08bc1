#include "percuss/model/needed_laws.h"
#include "percuss/model/world.h"

namespace percuss {

void check_world(ModelChecks& check, NeededLaws& laws) {
  const World world = resolve_world(check.model, check.complaints);
  const auto classes = classes_of(world, check.model);
  const auto walls = walls_of(check.model.obstacles);
  const auto side = [&](int thing) -> NeededLaws::Side {
    const Touchable& one = world.things[static_cast<size_t>(thing)];
    return {name_of(one, check.model, walls), material_of(one, check.model, walls), one.body};
  };
  const auto require_first = [&](const WorldClass& one, const WorldClass& other) {
    if (const auto [i, j] = first_pair(world, one, other); i >= 0) laws.require(side(i), side(j));
  };
  for (const int thing : world.touching_themselves) laws.require(side(thing), side(thing));
  for (size_t a = 0; a < classes.size(); ++a)
    for (size_t b = a; b < classes.size(); ++b) {
      require_first(classes[a], classes[b]);
      for (const bool swap : {false, true}) {  // each body without a material is told
        const WorldClass &one = classes[swap ? b : a], &other = classes[swap ? a : b];
        for (const int thing : one.material.empty() ? one.things : std::vector<int>{})
          require_first({one.material, {thing}}, other);
      }
    }
}

}  // namespace percuss
