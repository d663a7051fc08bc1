#include "percuss/simulation/probe.h"

namespace percuss {

const std::vector<ProbeForm> probe_forms = {
    {"time", "s", "time"},
    {"BODY.position.x", "m", "component x, y or z of the position of a body's centre"},
    {"BODY.velocity.x", "m/s", "component of its velocity"},
    {"BODY.displacement.x", "m", "component of its displacement since the start"},
    {"BODY.speed", "m/s", "magnitude of its velocity"},
    {"BODY.POINT.position.x", "m", "the same four for a named point of a body"},
    {"BODY.angle", "rad", "angle of a planar body"},
    {"BODY.angular_velocity", "rad/s", "of a planar body"},
    {"BODY.omega.x", "rad/s", "angular velocity of a rigid body in its own axes"},
    {"BODY.orientation.w", "1", "component w, x, y or z of the attitude of a rigid body"},
    {"BODY.NODE.position.x", "m",
     "the same of a node of a flexible body: `rod.last`, `rod.12`, a named point"},
    {"BODY.SET.displacement.x", "m", "mean over a node set such as `cube.z_max`; also position, velocity"},
    {"BODY.rotation.x", "rad",
     "of a flexible body: rotation vector of its floating frame, or of the rigid motion that fits it best"},
    {"BODY.deformation", "m", "of a flexible body: largest displacement of a node against that motion"},
    {"BODY.NODE.lag", "rad", "angle about z by which a floating frame has turned ahead of one of its nodes"},
    {"BODY.NODE.spin", "rad/s", "of a node of a shaft: rate of its spin; spin_angle with its turns [rad]"},
    {"BODY.stress", "Pa", "of a flexible body: largest stress of its elements (von Mises in solids)"},
    {"contact(SET, OBSTACLE).force", "N",
     "sum over a node set such as `cube.z_min`; also .impulse, .closed (number), .gap (smallest), "
     ".pressure, and .peak_force, .impacts, .impact_impulse as below"},
    {"contact(NODE, OBSTACLE).pressure", "Pa", "force on a node of a solid over its share of the surface"},
    {"SYSTEM.COORDINATE", "1", "coordinate of a user's system"},
    {"SYSTEM.COORDINATE.rate", "1/s", "its velocity"},
    {"energy", "J", "kinetic + potential + strain energy"},
    {"energy.COLUMN", "J",
     "kinetic, potential, strain, work_loads, work_drives, loss_dampers, loss_impacts, loss_friction, "
     "loss_rolling, loss_spinning, loss_algorithmic or initial"},
    {"contact(BODY, OBSTACLE).gap", "m", "distance, negative = penetration; a face of a box is `room.x_min`"},
    {"contact(BODY, OBSTACLE).velocity", "m/s", "normal relative velocity, positive = separating"},
    {"contact(BODY, OBSTACLE).force", "N", "normal force in the last step; 0 in a step with an impact"},
    {"contact(BODY, OBSTACLE).friction", "N", "magnitude of the tangential force, likewise"},
    {"contact(BODY, OBSTACLE).rolling_moment", "N m",
     "magnitude of the moment that resists rolling, likewise; also .spinning_moment, about the normal"},
    {"contact(BODY, OBSTACLE).sliding", "m/s", "magnitude of the tangential relative velocity"},
    {"contact(BODY, OBSTACLE).impulse", "N s", "sum of all normal impulses so far"},
    {"contact(BODY, OBSTACLE).peak_force", "N",
     "largest amount of the force, friction included, that a step since the last sample had: its impulse "
     "over "
     "its length, also in steps with an impact, where it depends on the step; steps of `event-driven` that "
     "take no time are left out. Only in `record.probes`"},
    {"contact(BODY, OBSTACLE).impacts", "1", "number of impacts since the last sample"},
    {"contact(BODY, OBSTACLE).impact_impulse", "N s", "sum of their normal impulses"},
    {"contact(BODY, OBSTACLE).status", "1", "0 open, 1 stick, 2 slip, 3 impact"},
    {"contact(BODY, BODY).force", "N",
     "of bodies that find each other: sum over all their contacts, `*` means everything: `contact(stone, "
     "*).force`; "
     "also .friction, .rolling_moment, .spinning_moment, .impulse, .impacts (each contact that is hit "
     "counts), .impact_impulse, .closed "
     "(number), .gap (smallest; `inf` where it is not known: of cylinders, cones, ellipsoids and meshes that "
     "are far from all but half-spaces, and of `contact(*, *)` where nothing is near) and .penetration"},
    {"contact(BODY, BODY).peak_force", "N",
     "largest amount of the resultant of all their forces in a step since the last sample, as above"},
    {"contact(BODY, BODY).force.x", "N", "component of the resultant force on the first one in space"},
    {"contact(BODY, BODY).moment.x", "N m", "of its moment about the centre of the first one"},
    {"contact(JOINT, friction).force", "N or N m",
     "dry friction in a joint; also .velocity, .impulse, .status, and without sign .friction, .sliding"},
    {"contacts.min_gap", "m", "smallest gap of all contacts"},
    {"contacts.closed", "1", "number of contacts that carry a reaction"},
    {"contacts.impulse", "N s", "sum of all normal impulses of all contacts so far"},
    {"joint(NAME).coordinate", "rad or m", "angle of a hinge, with its turns, or position of a slider"},
    {"joint(NAME).rate", "rad/s or m/s", "its velocity"},
    {"joint(NAME).force", "N", "magnitude of the joint's multipliers in the last step (torques in N m)"},
    {"joint(NAME).drift", "m or rad", "how far it is open: largest |g| of its rows"},
    {"joints.drift", "m or rad", "largest |g| of all joints"},
    {"steps.count", "1", "steps so far, with the short ones of a scheme that divides its steps"},
    {"steps.impulsive", "1", "those of them in which there was an impact"},
    {"steps.size", "s", "time that the last step took; of adaptive steps the half of an interval"},
    {"steps.rejected", "1", "tries of adaptive steps that were too inaccurate so far"},
    {"joints.velocity_drift", "m/s or rad/s", "largest |dg/dt| of all joints"},
    {"spring(NAME).length", "m", "length of a spring (along its axis if it has one)"},
    {"spring(NAME).elongation", "m", "length minus rest length; of a joint spring its angle"},
    {"spring(NAME).force", "N", "tension, damper included"}};

}  // namespace percuss
