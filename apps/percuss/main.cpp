#include <cstdio>
#include <new>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands.h"
#include "percuss/io/io_error.h"
#include "percuss/io/scene.h"
#include "percuss/io/version.h"
#include "percuss/simulation/probe.h"

namespace {

constexpr const char* description =
    R"(percuss simulates mechanical systems whose velocities jump: bodies, springs,
unilateral contact and impact, with set-valued laws (no penalty springs).

  percuss examples bouncing_ball       write an example scene into this folder
  percuss run bouncing_ball.yaml       simulate it; results go to bouncing_ball.h5
  percuss info bouncing_ball.h5        what happened: steps, contacts, energy
  percuss plot bouncing_ball.h5        draw the recorded quantities
  percuss export bouncing_ball.h5 --csv ball.csv
)";

constexpr const char* footer = R"(
`percuss COMMAND --help` explains a command.
Exit codes: 0 done, 1 numerical failure, 2 bad input, 3 files and disks, 4 a bug in percuss;
128 + n if stopped by signal n (130 for Ctrl-C).)";

int parse_and_run(CLI::App& app, int argc, char** argv, const int& result) {
  try {
    app.parse(argc, argv);
    return result;
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? exit_code::done : exit_code::bad_input;
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(description, "percuss");
  app.set_version_flag("--version", std::string("percuss ") + percuss::version());
  app.footer(footer);
  app.require_subcommand(1);
  int result = exit_code::done;
  add_run_command(app, result);
  add_check_command(app, result);
  add_info_command(app, result);
  add_plot_command(app, result);
  add_export_command(app, result);
  add_examples_command(app, result);
  add_schema_command(app, result);
  try {
    return parse_and_run(app, argc, argv, result);
  } catch (const percuss::SceneError& e) {
    for (const auto& fault : e.faults()) fmt::print(stderr, "{}\n", fault);
    return exit_code::bad_input;
  } catch (const percuss::ProbeError& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return exit_code::bad_input;
  } catch (const percuss::IoError& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return exit_code::io;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "error: not enough memory for this model\n");
    return exit_code::io;
  } catch (const std::exception& e) {
    fmt::print(stderr, "internal error: {}\nThis is a bug in percuss; please report it with the scene.\n",
               e.what());
    return exit_code::internal;
  }
}
