#include <memory>

#include <fmt/format.h>

#include "commands.h"
#include "percuss/io/scene.h"

void add_schema_command(CLI::App& app, int& result) {
  auto* command =
      app.add_subcommand("schema", "Print the JSON Schema of scene files, for editors and checkers");
  command->footer(
      "\nAn editor with YAML support checks and completes scenes if their first line is\n"
      "  # yaml-language-server: $schema=./percuss.schema.json");
  auto reference = std::make_shared<bool>(false);
  command->add_flag("--reference", *reference, "print the reference page (Markdown) instead");
  command->callback([reference, &result] {
    fmt::print("{}", *reference ? percuss::scene_reference() : percuss::scene_schema());
    result = exit_code::done;
  });
}
