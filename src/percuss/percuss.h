#pragma once

/// Everything a program that uses percuss as a library needs.
///
///     auto [scene, simulation] = percuss::load_simulation("bouncing_ball.yaml");
///     while (!simulation.finished()) simulation.step();
///     std::cout << simulation.probe("ball.position.z") << "\n";
///     percuss::run_to_file(scene, "bouncing_ball.h5");   // or record the whole run

#include "percuss/io/io_error.h"
#include "percuss/io/recording.h"
#include "percuss/io/results_reader.h"
#include "percuss/io/results_writer.h"
#include "percuss/io/scene.h"
#include "percuss/io/study.h"
#include "percuss/io/version.h"
#include "percuss/simulation/probe.h"
#include "percuss/simulation/run.h"
#include "percuss/simulation/simulation.h"
