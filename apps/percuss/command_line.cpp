#include <limits>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands.h"
#include "field_options.h"
#include "percuss/io/study.h"
#include "percuss/io/version.h"
#include "percuss/math/shorten.h"
#include "percuss/nonsmooth/solvers.h"
#include "say.h"

// All of CLI11 stays in this file: its headers take long to compile.

namespace {

constexpr const char* description =
    R"(percuss simulates mechanical systems whose velocities jump: bodies, springs,
unilateral contact and impact, with set-valued laws (no penalty springs).

  percuss examples bouncing_ball       write an example scene into this folder
  percuss run bouncing_ball.yaml       simulate it; results go to bouncing_ball.h5
  percuss info bouncing_ball.h5        what happened: steps, contacts, energy
  percuss plot bouncing_ball.h5        draw the recorded quantities
  percuss view bouncing_ball.h5        see it move, in the browser
  percuss report bouncing_ball.h5      one page about the run, to mail or to keep
  percuss export bouncing_ball.h5 --csv ball.csv
  percuss modes cantilever_stop.yaml   frequencies and shapes of a flexible body
  percuss solve problem.hdf5           one contact problem with friction from a file
  percuss study scene.yaml --steps 1e-2,1e-3 --integrators moreau-jean,moreau-explicit
                                       errors, orders and cost of time-stepping schemes
  percuss suggest scene.yaml           a first time step, and why
  percuss study scene.yaml --levels 4  is the answer converged? h, h/2, h/4, h/8
  percuss integrators                  the time-stepping schemes and what they promise
  percuss laws                         the laws of contact, their equations and keys
)";

constexpr const char* footer = R"(
`percuss COMMAND --help` explains a command.
Exit codes: 0 done, 1 numerical failure, 2 bad input, 3 files and disks, 4 a bug in percuss;
128 + n if stopped by signal n (130 for Ctrl-C).)";

/// CLI11 has such checks too, whose messages give their limits with 300 digits.
CLI::Validator number_from(double low, double high, const std::string& allowed, const std::string& name) {
  const auto check = [low, high, allowed](std::string& text) {
    double value = 0;
    const bool is_number = CLI::detail::lexical_cast(text, value);
    return is_number && value >= low && value <= high
               ? std::string()
               : fmt::format("{} is not allowed; it must be {}", percuss::shorten(text), allowed);
  };
  return {check, name};
}
CLI::Validator positive() {
  using Limits = std::numeric_limits<double>;
  return number_from(Limits::min(), Limits::max(), "a number > 0", "POSITIVE");
}
CLI::Validator nonnegative() {
  return number_from(0, std::numeric_limits<double>::max(), "a number >= 0", "NONNEGATIVE");
}

/// An option that takes one value and may be given several times.
CLI::Option* add_repeatable(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                            const std::string& help) {
  return command.add_option(name, values, help)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);  // or it would take the file that follows
}

/// The options of every command that reads a scene.
template <class Options>
void add_scene_options(CLI::App& command, Options& options) {
  add_repeatable(command, "--set", options.overrides, "override a value, e.g. time.step=1e-4 (repeatable)")
      ->type_name("PATH=VALUE");
  add_repeatable(
      command, "--plugin-path", options.plugin_path,
      "folder with plugins for `systems:` (repeatable); plugins are programs, also `check` runs them")
      ->type_name("FOLDER");
}

void add_run(CLI::App& app, RunOptions& options, int& result) {
  auto* command = app.add_subcommand("run", "Simulate a scene and write a results file");
  command->footer(R"(
Examples:
  percuss run ball.yaml                                results go to ball.h5
  percuss run ball.yaml -o fine.h5 --set time.step=1e-4
  percuss run ball.yaml --set integrator.scheme=moreau-explicit --set 'bodies[ball].mass=2'
  percuss run ball.yaml --resume                       continue after Ctrl-C or a crash
  percuss run ball.yaml --resume --set time.end=20     continue a finished run

Ctrl-C ends the run cleanly after the current step; a long one of event-driven is given up. Results and a checkpoint (RESULTS.checkpoint) are safe on
disk every record.flush seconds; --resume continues from there bit for bit as if the run had never stopped.)");
  command->add_option("scene", options.scene, "scene file (YAML)")->required();
  command->add_option("-o,--output", options.output,
                      "results file (HDF5); default: name of the scene with .h5, here");
  add_scene_options(*command, options);
  command->add_flag("--resume", options.resume, "continue from the last checkpoint of the results file");
  command->add_flag("--strict", options.strict,
                    "end the run at the first step that misses solver.tolerance (solver.acceptable: 0)");
  command->add_flag("-q,--quiet", options.quiet, "no progress and no summary");
  command
      ->add_option(
          "--threads", options.threads,
          "threads that share the search for contacts, their solution, and the elements of solids with "
          "large displacements; changes no result")
      ->check(CLI::Range(1, 256));
  auto* dump =
      command->add_option("--dump-problems", options.dump_problems,
                          "folder to which the contact problem of each step is written (FCLIB HDF5, see "
                          "percuss solve)");
  command
      ->add_option("--worse-than", options.worse_than,
                   "only problems that are left with a larger relative residual, e.g. 1e-6")
      ->check(nonnegative())
      ->needs(dump);
  command->callback([&] { result = run_command(options); });
}

void add_check(CLI::App& app, CheckOptions& options) {
  auto* command =
      app.add_subcommand("check", "Read a scene, report every error in it, and say what it contains");
  command->footer(R"(
Examples:
  percuss check ball.yaml
  percuss check ball.yaml --print --set parameters.gap=0.5     the scene as percuss understands it

Errors are reported all at once as file:line:column: path: what is wrong and what is allowed.)");
  command->add_option("scene", options.scene, "scene file (YAML)")->required();
  add_scene_options(*command, options);
  command->add_flag("--print", options.print,
                    "print the scene with parameters, repeats and defaults worked out");
  command->callback([&] { check_command(options); });
}

void add_info(CLI::App& app, InfoOptions& options) {
  auto* command =
      app.add_subcommand("info", "Say what is in a results file: steps, contacts, energy balance, wall time");
  command->footer(R"(
Works on finished, running and killed runs. The energy balance is that of the last frame; "lost by the scheme"
is what the time-stepping scheme itself takes (docs/theory/energy.md).)");
  command->add_option("results", options.file, "results file (HDF5)")->required();
  command->add_flag("--json", options.json, "the same as JSON, with the names of all columns");
  command->add_flag("--scene", options.scene, "print the scene file that made these results");
  command->callback([&] { info_command(options); });
}

void add_plot(CLI::App& app, PlotOptions& options) {
  auto* command = app.add_subcommand("plot", "Draw recorded quantities into a PNG or SVG file");
  command->footer(R"(
Examples:
  percuss plot ball.h5                                   the probes of the scene, into ball.png
  percuss plot ball.h5 height energy -o ball.svg
  percuss plot ball.h5 ball.velocity.z --x ball.position.z --from 0 --to 2

Quantities with the same unit share a panel; `percuss info --json` lists all names.)");
  command->add_option("results", options.file, "results file (HDF5)")->required();
  command->add_option("columns", options.columns, "quantities to draw; default: the probes of the scene");
  command->add_option("-o,--output", options.output, "picture; default: name of the results with .png, here");
  command->add_option("--x", options.x, "quantity of the horizontal axis")->capture_default_str();
  command->add_option("--from", options.from, "first time to draw [s]");
  command->add_option("--to", options.to, "last time to draw [s]");
  command->callback([&] { plot_command(options); });
}

void add_export(CLI::App& app, ExportOptions& options) {
  auto* command =
      app.add_subcommand("export", "Write recorded quantities or impacts as CSV, or a file for ParaView");
  command->footer(R"(
Examples:
  percuss export ball.h5 --csv ball.csv                          the probes of the scene
  percuss export ball.h5 --csv - --column ball.position.z --column energy.kinetic
  percuss export ball.h5 --impacts impacts.csv                   one row for each impact
  percuss export cube.h5 --xdmf cube.xdmf                        for ParaView: all bodies and contacts

In a CSV file the first line is a comment with the units, the second has the names; the first column is time.
An XDMF file has no numbers of its own but refers to the results file: keep both.)");
  command->add_option("results", options.file, "results file (HDF5)")->required();
  auto* csv = command->add_option("--csv", options.csv, "file for the quantities; - for standard output");
  command->add_option("--impacts", options.impacts, "file for the table of impacts; - for standard output");
  command->add_option("--xdmf", options.xdmf,
                      "file for ParaView with all bodies and contacts, and FILE.h5 with shapes and forces "
                      "for it; - for standard "
                      "output, with flexible bodies only");
  add_repeatable(*command, "--column", options.columns,
                 "quantity to write instead of the probes (repeatable); `percuss info --json` lists all")
      ->needs(csv);
  command->callback([&] {
    if (options.csv.empty() && options.impacts.empty() && options.xdmf.empty())
      throw CLI::ValidationError("say what to write: --csv FILE, --impacts FILE or --xdmf FILE");
    export_command(options);
  });
}

void add_view(CLI::App& app, ViewOptions& options) {
  auto* command = app.add_subcommand("view", "Show results in the browser: animation and plots");
  command->footer(R"(
Examples:
  percuss view ball.h5
  percuss view ball.h5 --no-browser     only prints the address

The page is served on 127.0.0.1 alone, on a free port, to those who know its address; Ctrl-C ends it. It reads the file in pieces, also while a
run goes on (load the page again to see more). docs/howto/viewer.md explains what is in it.)");
  command->add_option("file", options.file, "results file")->required();
  command->add_flag("--no-browser", options.no_browser, "do not open a browser");
  command->callback([&] { view_command(options); });
}

void add_report(CLI::App& app, ReportOptions& options, GalleryOptions& gallery, int& result) {
  auto* command = app.add_subcommand("report", "Write one page about a run: summary, plots, animation");
  command->footer(R"(
Examples:
  percuss report ball.h5                      ball_report.html
  percuss report ball.h5 -o today.html
  percuss report --gallery -o gallery         run all scenes and studies; gallery/index.md shows them
  percuss report --gallery --only slider_crank

The page holds everything it shows and needs no network: it can be mailed.)");
  auto* file = command->add_option("file", options.file, "results file");
  command->add_option("-o,--output", options.output,
                      "HTML file, default NAME_report.html, here; of a gallery the folder, default gallery");
  auto* wants_gallery = command
                            ->add_flag("--gallery", gallery.wanted,
                                       "run the scenes and studies that come with percuss, and show them")
                            ->excludes(file);
  command->add_flag("--all", gallery.all, "with --gallery: also those that take long")->needs(wants_gallery);
  add_repeatable(*command, "--only", gallery.only,
                 "with --gallery: the scene and the study of this name alone (repeatable)")
      ->needs(wants_gallery);
  command->callback([&, file] {
    if (!gallery.wanted && file->count() == 0)
      throw CLI::ValidationError("say which results file to report on, or --gallery");
    gallery.output = options.output;
    if (gallery.wanted)
      result = gallery_command(gallery);
    else
      report_command(options);
  });
}

void add_modes(CLI::App& app, ModesOptions& options) {
  auto* command =
      app.add_subcommand("modes", "Frequencies and shapes of a flexible body, from a scene or a mesh");
  command->footer(R"(
Examples:
  percuss modes scene.yaml                                 the only flexible body, held as the scene holds it
  percuss modes scene.yaml --body rod --free --count 40
  percuss modes scene.yaml --body cube --fixed z_min -o cube_modes.h5      and cube_modes.xdmf for ParaView
  percuss modes part.msh --unit mm --young 2.1e11 --density 7850 --poisson 0.3 --csv modes.csv

The body is alone and without stress: joints, springs and contacts of the scene play no part. Rigid motions
come first and do not count. The effective mass of a mode is the part of the body's mass that takes part in it
when the supports shake along x, y or z; docs/howto/modes.md explains the files.)");
  command->add_option("file", options.file, "scene (.yaml) or mesh (.msh, .unv, .bdf, .inp, .stl, .step)")
      ->required();
  command->add_option("--body", options.body, "name of a bar, beam or solid; default: the only one");
  command->add_option("--count", options.count, "number of modes")->capture_default_str();
  auto* free = command->add_flag("--free", options.is_free,
                                 "neither held nor jointed to the ground, whatever the scene says");
  add_repeatable(*command, "--fixed", options.fixed,
                 "node or node set that is held and does not turn (repeatable)")
      ->type_name("NODES")
      ->excludes(free);
  command->add_option("-o,--output", options.output, "shapes as HDF5, with a file .xdmf beside it");
  command->add_option("--csv", options.csv, "table as CSV; - for the standard output");
  command->add_option("--unit", options.unit, "of a mesh: length unit, such as mm");
  command->add_option("--young", options.young, "of a mesh: Young's modulus [Pa]")->check(positive());
  command->add_option("--density", options.density, "of a mesh: density [kg/m^3]")->check(positive());
  command->add_option("--poisson", options.poisson, "of a mesh: Poisson's ratio")->capture_default_str();
  command->add_option("--cell-size", options.cell_size, "of .stl and .step files: size of the cells [m]")
      ->check(positive());
  add_scene_options(*command, options);
  command->callback([&] { modes_command(options); });
}

void add_solve(CLI::App& app, SolveOptions& options, int& result) {
  auto* command =
      app.add_subcommand("solve", "Solve a contact problem from a file, or compare all solvers on it");
  command->footer(R"(
Examples:
  percuss solve Capsules.hdf5                              status, residual, iterations, time
  percuss solve Capsules.hdf5 --solver nlgs --tolerance 1e-6 -o solved.hdf5
  percuss solve pile.hdf5 --time-limit 10                  the best answer after 10 seconds
  percuss solve wall.hdf5 --compare                        every solver once, as a table
  percuss solve lcp.dat --solver lemke --reactions --json
  percuss solve table.hdf5 --selection minimum-norm        the impulses of least norm, where they are not unique

Files: the HDF5 layout of the FCLIB collection, local or global, and complementarity problems as text (.dat);
docs/formats/contact_problems.md describes both. The residual is the residual_of's, whatever a solver claims:
relative to the free velocities and independent of units. Beside it stands the unscaled residual of the
literature. The exit code is 1 if the tolerance is not reached, with --compare if no solver reaches it.
The time limit is looked at between iterations, so a solver may exceed it by the time of one; reading the file
and condensing it do not count.)");
  command->add_option("problem", options.file, "contact problem (.hdf5, .h5 or .dat)")->required();
  auto* solver = command->add_option("--solver", options.solver, "name of the solver")->capture_default_str();
  command->add_option("--tolerance", options.tolerance, "on the relative residual")->capture_default_str();
  command->add_option("--max-iterations", options.max_iterations,
                      "most iterations; default: the limit of each solver");
  command->add_option("--time-limit", options.time_limit,
                      "ends the solver (with --compare: each solver) with its best answer after so many "
                      "seconds; default: none");
  command
      ->add_option("--selection", options.selection,
                   "which impulses where they are not unique: any or minimum-norm")
      ->capture_default_str();
  FieldOptions own_options(*command);
  percuss::MethodOptions::fields(options.method, own_options);
  auto* output = command->add_option("-o,--output", options.output,
                                     "copy of the problem with the solution in it (HDF5)");
  auto* reactions =
      command->add_flag("--reactions", options.reactions, "also the reaction and velocity of every contact");
  command->add_flag("--compare", options.compare, "run every solver once and print a table")
      ->excludes(reactions)
      ->excludes(solver)
      ->excludes(output);
  command->add_flag("--json", options.json, "the same as JSON");
  command->callback([&] { result = solve_command(options); });
}

void add_study(CLI::App& app, StudyOptions& options, int& result) {
  auto* command = app.add_subcommand("study", "Compare time steps and integrators: errors, orders, cost");
  command->footer(R"(
Examples:
  percuss study scenes/studies/bouncing_ball.yaml
  percuss study ball.yaml --steps 1e-2:1e-4:9 --integrators moreau-jean,moreau-explicit --quantity height
  percuss study ball.yaml --steps 1e-2,1e-3 --integrators "moreau-jean{theta: 1}" --reference "finest{step: 1e-5}"
  percuss study ball.yaml --steps 1e-2,1e-3 --integrators moreau-jean --until 0.4 \
      --quantity height --reference "exact{height: 0.801 - 5*t^2}"

Every combination is run, as many at a time as there are cores. Norms: l1 (relative, [Cosimo 2020, eq. 52]), graph
(distance from the graph of the reference; tolerates jumps that come a little early or late), spectral (of the
matrix of all differences); docs/theory/errors.md defines them. A run that fails is a row of the table. The
exit code is 1 if there is nothing to compare.

Is my answer converged?
  percuss study ball.yaml --levels 4 --quantity height
runs the scene as it is with h, h/2, h/4 and h/8 (with adaptive steps: tolerances, each a quarter of the one before),
prints how much every quantity changes from one to the next, and from that the error of the last.)");
  command->add_option("file", options.file, "study or scene file (YAML)")->required();
  add_repeatable(*command, "--steps", options.steps,
                 "time steps, 1e-2,1e-3 or FIRST:LAST:COUNT in equal ratios");
  add_repeatable(*command, "--integrators", options.integrators,
                 "schemes, with options in braces: \"moreau-jean{theta: 1}\" (repeatable, or with commas)");
  add_repeatable(*command, "--quantity", options.quantities,
                 "name of a probe of the scene, or a probe (repeatable); default: all probes of the scene");
  add_repeatable(
      *command, "--reference", options.reference,
      "finest (default), \"finest{integrator: NAME, step: H}\", \"exact{NAME: FORMULA}\", or a CSV file");
  add_repeatable(*command, "--norm", options.norm, "l1 (default), graph or spectral");
  add_repeatable(*command, "--until", options.until, "end of the runs [s]; default: that of the scene");
  command
      ->add_option(
          "--levels", options.levels,
          "runs of a scene with its own integrator, each with half the step of the one before (2 to 12)")
      ->check(CLI::Range(2, 12));
  command->add_option("-o,--output", options.output, "folder for the results; default: NAME_study, here");
  command->add_option("--threads", options.threads, "runs at a time; default: one for each core")
      ->check(positive());
  command
      ->add_option("--trajectories", options.trajectories,
                   "write and draw the quantities of the runs with this step")
      ->check(positive());
  add_scene_options(*command, options);
  command->add_flag("-q,--quiet", options.quiet, "no progress and no table");
  command->callback([&] { result = options.levels > 0 ? levels_command(options) : study_command(options); });
}

void add_suggest(CLI::App& app, SuggestOptions& options, int& result) {
  auto* command = app.add_subcommand("suggest", "Propose a first time step for a scene, with the reasons");
  command->footer(R"(
Examples:
  percuss suggest ball.yaml
  percuss suggest ball.yaml --set integrator.scheme=half-explicit-velocity
  percuss suggest ball.yaml --pilot --tolerance 1e-4

Without running anything it looks at the highest natural frequency (an explicit scheme needs h < 2/omega), the speeds that
bodies have or reach when they fall, rotations, the time until the first impact, and the duration. With --pilot
it runs the beginning with adaptive steps and says which ones were needed. It is a first step: `percuss study
SCENE --levels 4` shows whether it is small enough.)");
  command->add_option("scene", options.scene, "scene file (YAML)")->required();
  add_scene_options(*command, options);
  command->add_flag("--pilot", options.pilot, "run the beginning of the scene with adaptive steps");
  command->add_option("--tolerance", options.tolerance, "of the pilot; default: 1e-3")->check(positive());
  command
      ->add_option("--part", options.part,
                   "of the duration, for the pilot; default: 0.1, at most 20000 steps")
      ->check(number_from(1e-6, 1, "in [1e-6, 1]", "FLOAT in [1e-6 - 1]"));
  command->callback([&] { result = suggest_command(options); });
}

void add_examples(CLI::App& app, ExamplesOptions& options) {
  auto* command = app.add_subcommand("examples", "List the example scenes, or write one into this folder");
  command->footer("\nEvery example is explained by comments in its file.");
  command->add_option("name", options.name, "example to write; without it all are listed");
  command->add_flag("--print", options.print, "print it instead of writing a file");
  command->callback([&] { examples_command(options); });
}

void add_doctor(CLI::App& app, int& result) {
  auto* command =
      app.add_subcommand("doctor", "Say what this installation can: libraries, dense kernels, a self-test");
  command->footer(R"(
Results may differ in their last bits between machines whose dense kernels differ;
docs/howto/reproducibility.md says what is promised. The exit code is 1 if the
self-test fails.)");
  command->callback([&] { result = doctor_command(); });
}

void add_integrators(CLI::App& app, std::string& name) {
  auto* command =
      app.add_subcommand("integrators", "List the time-stepping schemes: orders, constraints, options");
  command->footer(R"(
A scene names its scheme in `integrator: {scheme: NAME, ...}`; try another one with
  percuss run scene.yaml --set integrator.scheme=NAME)");
  command->add_option("name", name, "scheme to describe; without it all are listed");
  command->callback([&] { integrators_command(name); });
}

void add_laws(CLI::App& app, std::string& name) {
  auto* command = app.add_subcommand("laws", "List the laws of contact: equations, units, limits, keys");
  command->footer(R"(
A scene chooses laws by pairs of materials: `pairs: [{between: [a, b], friction: 0.3, rolling: 1e-3}]`.)");
  command->add_option("name", name, "law to describe; without it all are listed");
  command->callback([&] { laws_command(name); });
}

struct SchemaOptions {
  bool reference = false, study = false;
};

void print_schema(const SchemaOptions& options) {
  if (options.study)
    say("{}", options.reference ? percuss::study_reference() : percuss::study_schema());
  else
    say("{}", options.reference ? percuss::scene_reference() : percuss::scene_schema());
}

void add_schema(CLI::App& app, SchemaOptions& options) {
  auto* command =
      app.add_subcommand("schema", "Print the JSON Schema of scene files, for editors and checkers");
  command->footer(R"(
An editor with YAML support checks and completes scenes if their first line is
  # yaml-language-server: $schema=./percuss.schema.json)");
  command->add_flag("--reference", options.reference, "print the reference page (Markdown) instead");
  command->add_flag("--study", options.study, "of study files instead");
  command->callback([&] { print_schema(options); });
}

}  // namespace

int parse_and_run(int argc, char** argv) {
  CLI::App app(description, "percuss");
  app.set_version_flag("--version", std::string("percuss ") + percuss::version());
  app.footer(footer);
  app.require_subcommand(0, 1);  // with a minimum of 1 an unknown command would not be named
  RunOptions run;
  CheckOptions check;
  InfoOptions info;
  PlotOptions plot;
  ExportOptions exporting;
  ViewOptions view;
  ReportOptions report;
  GalleryOptions gallery;
  ModesOptions modes;
  SolveOptions solving;
  StudyOptions study;
  SuggestOptions suggest;
  ExamplesOptions examples;
  std::string scheme, law;
  SchemaOptions schema;
  int result = exit_code::done;
  add_run(app, run, result);
  add_check(app, check);
  add_info(app, info);
  add_plot(app, plot);
  add_export(app, exporting);
  add_view(app, view);
  add_report(app, report, gallery, result);
  add_modes(app, modes);
  add_solve(app, solving, result);
  add_study(app, study, result);
  add_suggest(app, suggest, result);
  add_examples(app, examples);
  add_integrators(app, scheme);
  add_laws(app, law);
  add_schema(app, schema);
  add_doctor(app, result);
  try {
    app.parse(argc, argv);
    if (!app.get_subcommands().empty()) return result;
    std::fputs(
        "say what to do: run, check, info, plot, export, view, report, modes, solve, study, examples, "
        "integrators, laws, schema or doctor\n"
        "Run with --help for more information.\n",
        stderr);
    return exit_code::bad_input;
  } catch (const CLI::ParseError& e) {
    std::ostringstream help, errors;  // these quote the arguments
    const int code = app.exit(e, help, errors);
    say("{}", help.str());
    say(stderr, "{}", errors.str());
    return code == 0 ? exit_code::done : exit_code::bad_input;
  }
}
