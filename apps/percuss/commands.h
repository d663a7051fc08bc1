#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <string>

/// The exit codes of the program.
namespace exit_code {
inline constexpr int done = 0;
inline constexpr int numerical_failure = 1;
inline constexpr int bad_input = 2;
inline constexpr int io = 3;
inline constexpr int internal = 4;
}  // namespace exit_code

/// Each command adds itself to the program; its action leaves the exit code in `result`.
void add_run_command(CLI::App& app, int& result);
void add_check_command(CLI::App& app, int& result);
void add_info_command(CLI::App& app, int& result);
void add_plot_command(CLI::App& app, int& result);
void add_export_command(CLI::App& app, int& result);
void add_examples_command(CLI::App& app, int& result);
void add_schema_command(CLI::App& app, int& result);
