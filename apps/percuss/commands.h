#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

/// The exit codes of the program.
namespace exit_code {
inline constexpr int done = 0;
inline constexpr int numerical_failure = 1;
inline constexpr int bad_input = 2;
inline constexpr int io = 3;
inline constexpr int internal = 4;
}  // namespace exit_code

/// `--set path=value`, as often as wanted, one value each.
inline void add_set_option(CLI::App& command, std::vector<std::string>& overrides) {
  command.add_option("--set", overrides, "override a value: path=value, e.g. time.step=1e-4 (repeatable)")
      ->type_name("PATH=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

/// Each command adds itself to the program; its action leaves the exit code in `result`.
void add_run_command(CLI::App& app, int& result);
void add_check_command(CLI::App& app, int& result);
void add_info_command(CLI::App& app, int& result);
void add_plot_command(CLI::App& app, int& result);
void add_export_command(CLI::App& app, int& result);
void add_examples_command(CLI::App& app, int& result);
void add_schema_command(CLI::App& app, int& result);
