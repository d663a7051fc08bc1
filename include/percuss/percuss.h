#pragma once

/// Everything a program that uses percuss as a library needs.
///
///     auto [scene, simulation] = percuss::load_simulation("bouncing_ball.yaml");
///     const percuss::BodyId ball = simulation.body("ball");
///     while (!simulation.finished()) {
///       simulation.step();
///       std::cout << simulation.time() << " " << simulation.position(ball).z() << "\n";
///     }
///     percuss::run_to_file(scene, "bouncing_ball.h5");   // or record the whole run
///
/// The parts have headers of their own, for programs that want to compile a little faster.

#include "percuss/model.h"
#include "percuss/results.h"
#include "percuss/simulation.h"
#include "percuss/study.h"
