#include <filesystem>
#include <fstream>
#include <map>
#include <regex>

#include <gtest/gtest.h>

/// Of a template that several files instantiate the linker keeps one copy, so a program runs at the lowest
/// optimisation of its objects: all of them must have the same.
namespace {

namespace fs = std::filesystem;

/// The last -O of a command, which counts; -O0 if there is none.
std::string level_of(const std::string& command) {
  static const std::regex level(R"(\s(-O[0-3sg]|-Ofast|-O)(?=\s))");
  std::string last = "-O0";
  for (std::sregex_iterator i(command.begin(), command.end(), level), end; i != end; ++i) last = (*i)[1];
  return last;
}

TEST(Structure, EverythingInTheProgramHasOneOptimisationLevel) {
  const fs::path build = PERCUSS_BINARY_DIR;
  std::ifstream commands(build / "compile_commands.json");
  ASSERT_TRUE(commands) << "CMake writes it: CMAKE_EXPORT_COMPILE_COMMANDS";
  std::map<std::string, std::string> example;  // of each level
  std::string line;
  int count = 0;
  while (std::getline(commands, line)) {
    if (line.find("\"command\":") == line.npos) continue;
    const bool is_part =
        line.find("CMakeFiles/percuss_") != line.npos && line.find("percuss_test_headers") == line.npos;
    if (!is_part) continue;
    ++count;
    example.emplace(level_of(line), line.substr(0, 400));
  }
  EXPECT_GE(count, 10) << "the objects of the program were not found";
  EXPECT_EQ(example.size(), 1u);
  if (example.size() > 1)
    for (const auto& [level, command] : example) ADD_FAILURE() << level << ": " << command;
}

}  // namespace
