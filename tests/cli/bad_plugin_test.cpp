#include <dlfcn.h>

#include "cli/bad_input.h"

// A plugin is foreign code: whatever is wrong with it, percuss names it and goes on living.
namespace percuss {
namespace {

using namespace percuss::testing;

struct PluginCase {
  std::string name;
  std::string plugin, parameters;
  std::vector<std::string> messages;
};
std::ostream& operator<<(std::ostream& stream, const PluginCase& c) {
  return stream << c.plugin << " " << c.parameters;
}

class PluginFault : public BadInputTest, public ::testing::WithParamInterface<PluginCase> {
 protected:
  /// A shared object that is no plugin: the library of mathematical functions.
  static fs::path some_library() {
    Dl_info info{};
    return ::dladdr(::dlsym(RTLD_DEFAULT, "cbrt"), &info) != 0 ? info.dli_fname : "";
  }
};

class PluginConsent : public BadInputTest {};

TEST_P(PluginFault, IsReported) {
  const PluginCase& c = GetParam();
  write_file(folder_ / "scene.yaml", "percuss: 1\nsystems:\n  - plugin: " + c.plugin + "\n    parameters: {" +
                                         c.parameters +
                                         "}\nintegrator: {scheme: moreau-explicit}\n"
                                         "time: {end: 0.01, step: 0.001}\n");
  write_file(folder_ / "text.so", "this is no shared object\n");
  fs::copy_file(some_library(), folder_ / "library.so");
  expect_refused(
      {"run", "scene.yaml", "-o", "old.h5", "--plugin-path", PERCUSS_TEST_PLUGINS, "--plugin-path", "."},
      c.messages);
}

/// Its mere loading would run it, whatever interface it was built for.
TEST_F(PluginConsent, IsNeededForAPluginNextToTheScene) {
  write_file(folder_ / "scene.yaml",
             "percuss: 1\nsystems:\n  - plugin: bad_plugin\n    parameters: {mode: 1}\n"
             "integrator: {scheme: moreau-explicit}\ntime: {end: 0.01, step: 0.001}\n");
  fs::copy_file(fs::path(PERCUSS_TEST_PLUGINS) / "bad_plugin.so", folder_ / "bad_plugin.so");
  const std::string asked =
      "systems[0].plugin: ./bad_plugin.so is a program, which a scene alone cannot start; if you trust it, "
      "write "
      "--plugin-path .";
  for (const char* command : {"run", "check", "suggest"}) expect_refused({command, "scene.yaml"}, {asked});
  expect_refused({"check", "scene.yaml", "--plugin-path", "."}, {"makes no system: the constructor fails"});
}

/// A model is validated once and built once, whatever a command does with it: its systems are asked for their
/// state twice.
TEST_F(PluginConsent, AModelIsValidatedAndBuiltOnce) {
  write_file(folder_ / "scene.yaml",
             "percuss: 1\nsystems:\n  - plugin: bad_plugin\n    parameters: {mode: 15}\n"
             "integrator: {scheme: moreau-explicit}\ntime: {end: 0.01, step: 0.001}\n");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"check", "scene.yaml"}, {"run", "scene.yaml", "-o", "new.h5"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--plugin-path", PERCUSS_TEST_PLUGINS});
    const ProcessResult result = run_percuss_in(folder_, arguments);
    expect_exit(result, 0);
    int asked = 0;
    for (size_t at = 0; (at = result.errors.find("the state was asked for", at)) != std::string::npos; ++at)
      ++asked;
    EXPECT_EQ(asked, 2) << command[0] << ": " << result.errors;
  }
}

const std::string plugin_path = "scene.yaml:3:13: systems[0].plugin: ";
const std::string parameters_path = "scene.yaml:4:17: systems[0].parameters: ";
const std::vector<PluginCase> plugin_faults = {
    {"Missing", "slider_crnk", "", {plugin_path + "there is no slider_crnk.so in ", "--plugin-path"}},
    {"NameWithFolder", "plugins/slider_crank", "", {plugin_path + "'plugins/slider_crank' is not the name"}},
    {"TextFile", "text", "", {plugin_path + "cannot load the plugin: ", "text.so", "shared object"}},
    {"OtherLibrary", "library", "", {plugin_path, "library.so is not a percuss plugin", "PERCUSS_PLUGIN"}},
    {"OldInterface", "old_plugin", "", {plugin_path, "was built for plugin interface 999", "build it again"}},
    {"ReturnsNothing", "bad_plugin", "nothing: 1", {plugin_path, "percuss_make_system returns nothing"}},
    {"ConstructorFails", "bad_plugin", "mode: 1", {plugin_path, "makes no system: the constructor fails"}},
    {"ThrowsANumber", "bad_plugin", "mode: 2", {plugin_path, "not a std::exception; mend the plugin"}},
    {"DislikesAParameter", "bad_plugin", "mode: 3", {parameters_path + "mode 3 is not liked"}},
    {"NoCoordinates", "bad_plugin", "mode: 4", {plugin_path + "'bad_plugin' has no coordinates"}},
    {"EqualCoordinates",
     "bad_plugin",
     "mode: 5",
     {plugin_path + "'bad_plugin' has a coordinate named 'x'", "each needs a name of its own"}},
    {"StateOfWrongSize", "bad_plugin", "mode: 6", {plugin_path, "7 positions and 2 velocities for 2"}},
    {"StateNotFinite", "bad_plugin", "mode: 7", {plugin_path, "coordinate 'y' is not finite", "nan"}},
    {"NegativeMass", "bad_plugin", "mode: 8", {plugin_path, "'bad_plugin' is not positive definite"}},
    {"MassNotSymmetric", "bad_plugin", "mode: 9", {plugin_path, "'bad_plugin' is not symmetric"}},
    {"MassNotFinite", "bad_plugin", "mode: 10", {plugin_path, "'bad_plugin' is not finite"}},
    {"Restitution", "bad_plugin", "mode: 11", {parameters_path, "has restitution 2; it must be in [0, 1]"}},
    {"EqualGaps", "bad_plugin", "mode: 12", {plugin_path + "'bad_plugin' has a gap named 'gap'"}},
    {"Friction", "bad_plugin", "mode: 13", {parameters_path, "friction -0.3", "must be >= 0"}},
    {"NoState", "bad_plugin", "mode: 14", {plugin_path, "makes no system: there is no state"}},
    {"NotANumber", "bad_plugin", "mode: .nan", {"scene.yaml:4:24: systems[0].parameters.mode: '.nan'"}},
    {"MisspeltParameter",
     "slider_crank",
     "clearnce: 1",
     {parameters_path + "slider_crank has no parameter 'clearnce'; did you mean 'clearance'?"}},
    {"ParameterOutOfRange",
     "slider_crank",
     "clearance: -1",
     {parameters_path + "slider_crank: -1 is not allowed; clearance must be >= 0"}},
};
INSTANTIATE_TEST_SUITE_P(Cases, PluginFault, ::testing::ValuesIn(plugin_faults), case_name<PluginCase>);

}  // namespace
}  // namespace percuss
