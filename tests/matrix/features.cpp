#include "matrix/features.h"

namespace percuss::matrix {

// clang-format off
const std::vector<Feature>& all_features() {
  using enum Kind;
  using enum Form;
  static const std::vector<Feature> features = {
      {"rigid_body", smooth, 4, "rotation", test},
      {"planar_body", smooth, 4.5, "vibration on the spring"},
      {"natural_coordinates", joints, 4, "rotation", test},
      {"spring_damper", smooth, 5.5, "faster of the two vibrations", test},
      {"joint_spring", joints, 4, "torsional vibration"},
      {"bushing", smooth, 5, "fastest of the vibrations"},
      {"fixed", joints, 3, "rotation"},
      {"ball", joints, 4, "rotation", test},
      {"hinge", joints, 5, "swing of the lower rod", test},
      {"slider", joints, 5, "spring", test},
      {"cylindrical", joints, 3, "rotation"},
      {"universal", joints, 4, "swing"},
      {"screw", joints, 4, "rotation"},
      {"plane", joints, 4, "spring"},
      {"point_on_line", joints, 4, "swing"},
      {"point_on_plane", joints, 4, "fall"},
      {"distance", joints, 6, "change of the length"},
      {"redundant_joints", joints, 5, "swing of the crank"},
      {"gear", joints, 4, "rotation", test},
      {"drive_coordinate", joints, 4, "prescribed motion and swing", test},
      {"drive_speed", joints, 4, "prescribed motion and swing", test},
      {"drive_load", joints, 4, "given load", whole,
       {{"s", "-sqrt(0.125) - 5/6*cos(4*t) + (sqrt(0.125) + 5/6)*cos(sqrt(10)*t)"},
        {"rate", "10/3*sin(4*t) - sqrt(10)*(sqrt(0.125) + 5/6)*sin(sqrt(10)*t)"}}},
      {"joint_limits", contacts, 4, "swing", test},
      {"frame_translation", joints, 4, "prescribed motion and swing"},
      {"frame_rotation", joints, 4, "prescribed rotation"},
      {"user_system", smooth, 4, "rotation", test},
      {"bar", smooth, 12.6, "highest mode"},
      {"truss", smooth, 12.6, "highest mode"},
      {"beam_planar", joints, 15.5, "highest mode", test},
      {"beam_spatial", joints, 15.5, "highest mode"},
      {"shaft", smooth, 23.4, "highest mode"},
      {"solid_small_strain", smooth, 10, "highest mode"},
      {"solid_total_lagrangian", smooth, 10.8, "highest mode", test},
      {"floating", smooth, 10.8, "highest mode", test},
      {"reduced", smooth, 21.6, "highest mode", test},
      {"tie", joints, 10.8, "highest mode"},
      {"pin_in_hole", contacts, 5, "speed at the impact over the play", test},
      {"slot", contacts, 5, "fall: gravity over the speed at the impact"},
      {"dry_joint_sliding", contacts, 3, "rotation"},
      {"dry_joint_sticking", contacts, 2, "braking: acceleration over speed", test,
       {{"angle", "if(t < 0.7/1.1, 2*t - 0.5*1.1/0.35*t^2, 0.7/1.1)"},
        {"rate", "if(t < 0.7/1.1, 2 - 1.1/0.35*t, 0)"}}},
      {"friction_sliding", contacts, 3, "change of direction, acceleration over speed", test},
      {"friction_sticking", contacts, 2, "braking: acceleration over speed", test,
       {{"x", "if(t < 1/1.7, t - 0.85*t^2, 0.5/1.7)"}, {"vx", "if(t < 1/1.7, 1 - 1.7*t, 0)"}}},
      {"restitution", contacts, 3, "fall: gravity over the speed at the impact", sanitized,
       {{"z", "if(t < 0.4, 0.8 - 5*t^2, 3.2*(t - 0.4) - 5*(t - 0.4)^2)"},
        {"v", "if(t < 0.4, -10*t, 3.2 - 10*(t - 0.4))"}}},
      {"restitution_zero", contacts, 4, "load"},
      {"tangential_restitution", contacts, 5, "rotation"},
      {"moving_wall", contacts, 4, "prescribed motion", test},
      {"two_spheres", contacts, 5, "speed over the radius"},
      {"beam_impact", contacts, 15.5, "highest mode", test},
      {"beam_friction", contacts, 15.5, "highest mode"},
      {"bearing", contacts, 23.4, "highest mode"},
      {"solid_friction", contacts, 10.8, "highest mode"},
      {"solid_impact", contacts, 10.8, "highest mode"},
      {"floating_impact", contacts, 10.8, "highest mode"},
      {"facets", contacts, 10, "highest mode"},
      {"adaptive_smooth", adaptive, 4, "spring"},
      {"adaptive", adaptive, 4, "swing", test},
      {"adaptive_impact", adaptive, 3, "fall"},
  };
  return features;
}
// clang-format on

}  // namespace percuss::matrix
