#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "percuss/nonsmooth/solvers.h"

/// The exit codes of the program.
namespace exit_code {
inline constexpr int done = 0;
inline constexpr int numerical_failure = 1;
inline constexpr int bad_input = 2;
inline constexpr int io = 3;
inline constexpr int internal = 4;
}  // namespace exit_code

// Each command is a function of its options; command_line.cpp fills them from the arguments.

struct RunOptions {
  std::string scene, output;
  std::vector<std::string> overrides, plugin_path;
  bool resume = false, quiet = false, strict = false;
  int threads = 1;            ///< for contacts and the elements of solids
  std::string dump_problems;  ///< folder for contact problems
  double worse_than = -1;     ///< of their relative residuals
};
int run_command(const RunOptions& options);  ///< returns the exit code

/// What this installation can, with a small test; returns the exit code.
int doctor_command();

struct CheckOptions {
  std::string scene;
  std::vector<std::string> overrides, plugin_path;
  bool print = false;
};
void check_command(const CheckOptions& options);

struct InfoOptions {
  std::string file;
  bool json = false, scene = false;
};
void info_command(const InfoOptions& options);

struct PlotOptions {
  std::string file, output, x = "time";
  std::vector<std::string> columns;
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
};
void plot_command(const PlotOptions& options);

struct ExportOptions {
  std::string file, csv, impacts, xdmf;  ///< an empty name: nothing of the kind
  std::vector<std::string> columns;
};
void export_command(const ExportOptions& options);

struct ViewOptions {
  std::string file;
  bool no_browser = false;
};
/// Shows results in the browser until Ctrl-C.
void view_command(const ViewOptions& options);

struct ReportOptions {
  std::string file, output;
};
/// One HTML file about a run, with everything in it.
void report_command(const ReportOptions& options);

struct GalleryOptions {
  std::string output;  ///< folder
  bool wanted = false;
  bool all = false;               ///< also what takes long
  std::vector<std::string> only;  ///< names of scenes and studies; all if there are none
};
/// Runs the scenes and studies that come with percuss and makes a page of them; returns the exit code.
int gallery_command(const GalleryOptions& options);

struct ModesOptions {
  std::string file;                                 ///< scene or mesh
  std::string body, output, csv;                    ///< an empty name: the only body, nothing of the kind
  std::vector<std::string> fixed;                   ///< nodes that are held besides
  std::vector<std::string> overrides, plugin_path;  ///< of a scene
  int count = 20;
  bool is_free = false;
  std::string unit;  ///< of a mesh file
  double young = 0, density = 0, poisson = 0, cell_size = 0;
};
void modes_command(const ModesOptions& options);

struct SolveOptions {
  std::string file, output, solver = "auto", selection = "any";
  double tolerance = 1e-8;           ///< on the relative residual
  int max_iterations = 0;            ///< 0: the limit of each solver
  std::optional<double> time_limit;  ///< of each solver [s]
  percuss::MethodOptions method;     ///< of the solver
  bool compare = false, json = false, reactions = false;
};
int solve_command(const SolveOptions& options);  ///< returns the exit code

struct StudyOptions {
  std::string file, output;
  /// As in a study file; empty: what the file says. Of reference, norm and until the last one counts.
  std::vector<std::string> steps, integrators, quantities, reference, norm, until;
  std::vector<std::string> overrides, plugin_path;
  int threads = 0;          ///< 0: one for each core
  double trajectories = 0;  ///< step of which the motions are written; 0: none
  int levels = 0;           ///< of the steps of a scene, each half of the one before; 0: another study
  bool quiet = false;
};
int study_command(const StudyOptions& options);  ///< returns the exit code

int levels_command(const StudyOptions& options);  ///< the same, with `levels` of one scene

struct SuggestOptions {
  std::string scene;
  std::vector<std::string> overrides, plugin_path;
  bool pilot = false;
  double tolerance = 1e-3;  ///< of the pilot
  double part = 0.1;        ///< of the duration, for the pilot
};
int suggest_command(const SuggestOptions& options);  ///< returns the exit code

struct ExamplesOptions {
  std::string name;
  bool print = false;
};
void examples_command(const ExamplesOptions& options);

/// Without a name: the table of all schemes.
void integrators_command(const std::string& name);
void laws_command(const std::string& name);

/// Reads the arguments, carries out the command, and returns the exit code. Throws what the command throws.
int parse_and_run(int argc, char** argv);
