#include <nlohmann/json.hpp>

#include "cli/bad_input.h"
#include "percuss/io/csv.h"
#include "percuss/io/printable.h"
#include "percuss/io/recording.h"
#include "percuss/io/xml_escape.h"

// Titles, names and paths that other programs (a shell, gnuplot, a terminal, a browser) would take for
// commands. Each of them would make the file `ran` if somebody did.
namespace percuss {
namespace {

using namespace percuss::testing;

const std::vector<std::string> commands = {"`touch ran`",
                                           "$(touch ran)",
                                           "\"`touch ran`\"",
                                           "'.system('touch ran').'",
                                           "'",
                                           "''",
                                           "'`touch ran`",
                                           "x\\",
                                           "@touch",
                                           "|touch ran",
                                           "<touch ran",
                                           ";touch ran;",
                                           "-o",
                                           "--help",
                                           "</title><script>",
                                           "{/x \x01}",
                                           "%s%n",
                                           "# x",
                                           std::string(10'000, 'x')};
const std::string escapes =
    "a\x1b]0;b\x07\x1b[2J\rc\nd\x7f\xc2\x9b"
    "31m";

class HostileText : public BadInputTest {
 protected:
  /// Results as another program may write them: no scene and no simulation takes such names, so harmless ones
  /// of the same lengths are written and then replaced in the file.
  void write_results(const std::string& file, const std::string& title,
                     const std::vector<std::string>& probes) {
    Scene scene = parse_scene(base_scene, "scene.yaml");
    scene.model.title = title;
    scene.run.record.probes.clear();
    size_t length = 0;
    for (const auto& name : probes) length = std::max(length, name.size());
    std::string harmless_table, table;
    char letter = 'A';
    for (const auto& name : probes) {
      const std::string harmless(name.size(), letter++), padding(length - name.size(), '\0');
      scene.run.record.probes.emplace_back(harmless, "ball.position.z");
      harmless_table += harmless + padding;
      table += name + padding;
    }
    run_to_file(scene, (folder_ / file).string());
    std::string bytes = read_file(folder_ / file);
    const size_t at = bytes.find(harmless_table);
    ASSERT_NE(at, bytes.npos);
    bytes.replace(at, table.size(), table);
    write_file(folder_ / file, bytes);
  }
  void expect_nothing_ran() const { EXPECT_FALSE(fs::exists(folder_ / "ran")); }
  /// Ended with a message of its own, or did what it was told.
  void expect_calm(const std::vector<std::string>& arguments) const {
    const ProcessResult result = percuss(arguments);
    expect_no_crash(result);
    for (const auto* text : {&result.output, &result.errors})
      EXPECT_EQ(find_control(*text, "\n\t"), text->npos) << printable(*text);
    expect_nothing_ran();
  }
};

TEST_F(HostileText, TitlesAndProbesAreDrawnAndNotRun) {
  for (const std::string title : {"'`touch ran`", "x\\", "</title><script>", commands.back().c_str()}) {
    SCOPED_TRACE(title.substr(0, 40));
    write_results("x.h5", title, commands);
    for (const char* picture : {"x.png", "x.svg"}) expect_exit(percuss({"plot", "x.h5", "-o", picture}), 0);
    EXPECT_TRUE(contains(read_file(folder_ / "x.svg"), "'`touch ran`"));
    expect_exit(percuss({"report", "x.h5", "-o", "x.html"}), 0);
    EXPECT_FALSE(contains(read_file(folder_ / "x.html"), "</title><script>"));
    expect_exit(percuss({"export", "x.h5", "--csv", "x.csv", "--xdmf", "x.xdmf"}), 0);
    EXPECT_EQ(read_columns(folder_ / "x.csv").names.size(), commands.size() + 1);
    expect_nothing_ran();
  }
}

TEST_F(HostileText, StudiesDrawTheirTitlesAndLabels) {
  for (const std::string text : {"`touch ran`", "'", "it's `touch ran`", "x\\", "|touch ran"}) {
    SCOPED_TRACE(text);
    const std::string yaml = nlohmann::json(text).dump();  // a JSON string is one of YAML
    write_file(folder_ / "scene.yaml",
               with_change("    height: ball", "    " + yaml + ": ball", with_change("Base", yaml)));
    write_file(folder_ / "study.yaml",
               "study: 1\nscene: scene.yaml\nuntil: 0.1\nsteps: [1e-2, 5e-3]\n"
               "integrators: [{scheme: moreau-jean, label: " +
                   yaml + "}]\n");
    const ProcessResult result = percuss({"study", "study.yaml", "-o", "out", "--trajectories", "1e-2"});
    expect_exit(result, 0);
    EXPECT_EQ(result.errors, "");
    EXPECT_TRUE(fs::exists(folder_ / "out/convergence.png"));
    EXPECT_TRUE(fs::exists(folder_ / "out/trajectories_0.01.png"));
    EXPECT_EQ(split_csv("\"" + text + "\",1").front(), text);
    expect_nothing_ran();
  }
}

TEST_F(HostileText, NamesOfFilesAndFoldersAreOnlyNames) {
  for (const std::string name : {"|touch ran;.h5", "<touch ran;.h5", "`touch ran`.h5", "it's $(touch ran).h5",
                                 "a\nb\x1b[2J.h5", "\xff\\.h5"}) {
    SCOPED_TRACE(printable(name));
    fs::copy_file(folder_ / "old.h5", folder_ / name);
    expect_exit(percuss({"plot", name}), 0);
    EXPECT_TRUE(fs::exists((folder_ / name).replace_extension(".png")));
    for (const char* command : {"info", "report"}) expect_calm({command, name});
    expect_calm({"info", "--json", name});
    expect_calm({"export", name, "--csv", name + ".csv", "--impacts", name + ".i", "--xdmf", name + ".xdmf"});
    expect_calm({"plot", "old.h5", "-o", name + ".svg"});
    EXPECT_TRUE(fs::exists(folder_ / (name + ".svg")));
    expect_calm({"study", "scene.yaml", "--steps", "1e-2,5e-3", "--integrators", "moreau-jean", "--until",
                 "0.02", "-q", "-o", name + " study"});
    EXPECT_TRUE(fs::exists(folder_ / (name + " study") / "convergence.png"));
    expect_calm({"run", "scene.yaml", "-q", "-o", name + ".new"});
  }
  expect_calm({"plot", "old.h5", "-o", std::string(10'000, 'x') + ".png"});
  expect_calm({"report", "--gallery", "--only", "`touch ran`", "-o", "|touch ran"});
  expect_calm({"report", "--gallery", "--only", "ball_in_box", "-o", "`touch ran`"});
  EXPECT_TRUE(fs::exists(folder_ / "`touch ran`" / "scene_ball_in_box.png"));
}

TEST_F(HostileText, TerminalsGetNoCommands) {
  write_results("x.h5", escapes, {escapes});
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"info", "x.h5"},
           {"info", "--json", "x.h5"},
           {"info", "--scene", "x.h5"},
           {"plot", "x.h5"},
           {"export", "x.h5", "--csv", "-"},
           {"report", "x.h5"},
           {"plot", "x.h5", escapes},
           {"run", escapes},
           {"check", "scene.yaml", "--set", "bodies[" + escapes + "].mass=1"},
           {"study", "scene.yaml", "--steps", escapes},
           {escapes},
           {"run", "--" + escapes}})
    expect_calm(arguments);
  EXPECT_TRUE(
      contains(percuss({"info", "x.h5"}).output, "x.h5: a\\x1b]0;b\\x07\\x1b[2J\\x0dc\\nd\\x7f\\u009b31m"));
  const auto told = nlohmann::json::parse(percuss({"info", "--json", "x.h5"}).output);
  EXPECT_EQ(told.at("title"), escapes);
  EXPECT_TRUE(contains(read_file(folder_ / "x_report.html"), "a\\x1b]0;b"));
}

TEST_F(HostileText, ScenesWithControlCharactersAreRefused) {
  for (const char* bad : {"\\0", "\\e", "\\n", "\\x7f", "\\x9b", "abc\\\\\\0", "a\\tb", "a\\rb"}) {
    SCOPED_TRACE(bad);
    const std::string text = "\"a" + std::string(bad) + "b\"";
    write_file(folder_ / "bad.yaml", with_change("Base", text));
    expect_refused({"check", "bad.yaml"}, {"bad.yaml:2:8: "});
    write_file(folder_ / "bad.yaml", with_change("height: ball", text + ": ball"));
    expect_refused({"check", "bad.yaml"}, {"bad.yaml:48:5: ", "has a control character; leave it out"});
    write_file(folder_ / "bad.yaml", with_change("particle: ball", "particle: " + text));
    const ProcessResult result = percuss({"check", "bad.yaml"});
    expect_exit(result, bad_input);
    expect_messages(result, {"bad.yaml:13:15: "});
    expect_refused({"check", "scene.yaml", "--set", "title=" + text}, {"--set title=", "has a"});
  }
  write_file(folder_ / "good.yaml", with_change("title: Base", "title: >\n  Base of\n  two lines"));
  EXPECT_TRUE(contains(percuss({"check", "good.yaml"}).output, "good.yaml: Base of two lines\n"));
}

TEST(Printable, SpellsOutWhatIsNoText) {
  EXPECT_EQ(printable("Größe ∑ 𝄞"), "Größe ∑ 𝄞");
  EXPECT_EQ(printable("a\nb\tc", "\n"), "a\nb\\tc");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xc2\x9b"), "\\u009b");
  for (const char* wrong : {"\xc0\x80", "\xe0\x80\x9b", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc2", "\x80"})
    EXPECT_TRUE(printable(wrong).starts_with("\\x")) << printable(wrong);
  EXPECT_EQ(xml_escape("<a b='c'>\x01"), "&lt;a b=&#39;c&#39;&gt;\\x01");
}

TEST(Csv, CellsComeBack) {
  EXPECT_EQ(split_csv(csv_cell("a, \"b\"") + ", c ,," + csv_cell("")),
            (std::vector<std::string>{"a, \"b\"", "c", "", ""}));
}

}  // namespace
}  // namespace percuss
