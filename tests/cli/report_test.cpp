#include <nlohmann/json.hpp>

#include "bad_input.h"
#include "percuss/io/results_reader.h"
#include "percuss/io/scene.h"

// percuss report and percuss view: the page of a run, the gallery, and what they refuse.
namespace percuss {
namespace {

using namespace percuss::testing;

class ReportTest : public BadInputTest {};

TEST_F(ReportTest, IsOnePageThatNeedsNothingElse) {
  expect_exit(percuss({"report", "old.h5"}), 0);
  const std::string page = read_file(folder_ / "old_report.html");
  for (const char* part : {"<title>Base</title>", "finished", "moreau-jean, h = 0.01 s", "<canvas", "<svg",
                           "particle: ball", "deepest penetration"})
    EXPECT_TRUE(contains(page, part)) << part;
  for (const char* link : {"http://", "https://", "src=", "href="})
    EXPECT_FALSE(contains(page, link)) << link;
}

/// The labels of the vertical axes, chart by chart.
std::vector<std::vector<std::string>> vertical_labels(const std::string& page) {
  std::vector<std::vector<std::string>> charts;
  const std::string mark = "text-anchor=\"end\">";
  for (size_t at = page.find("<svg"); at != page.npos; at = page.find("<svg", at + 1)) {
    const std::string chart = page.substr(at, page.find("</svg>", at) - at);
    auto& labels = charts.emplace_back();
    for (size_t i = chart.find(mark); i != chart.npos; i = chart.find(mark, i + 1))
      labels.push_back(chart.substr(i + mark.size(), chart.find('<', i) - i - mark.size()));
  }
  return charts;
}

/// A conserved energy varies in its last bits, a slow body a little more, and none of them without end.
TEST_F(ReportTest, NearlyConstantCurvesHaveAFewDifferentTicks) {
  const std::string scene = R"(percuss: 1
gravity: [0, 0, -9.81]
bodies:
  - {particle: falls, mass: 1, position: [0, 0, 10]}
  - {particle: creeps, mass: 1, position: [1, 0, 0], velocity: [1e-9, 0, 0], translations: x}
  - {particle: far, mass: 1e-9, position: [1e17, 0, 0], velocity: [100, 0, 0], translations: x}
time: {end: 1, step: 0.1}
record: {probes: {energy: energy, ratio: "creeps.position.x", far: far.position.x}}
)";
  write_file(folder_ / "flat.yaml", scene);
  expect_exit(percuss({"run", "flat.yaml", "-q"}), 0);
  for (const std::string quantity : {"creeps.position.x", "far.position.x", "energy.total"})
    expect_exit(percuss({"plot", "flat.h5", quantity, "-o", quantity + ".svg"}), 0);
  EXPECT_TRUE(contains(read_file(folder_ / "creeps.position.x.svg"), ">1.0000000004<"));
  ProcessOptions options;
  options.directory = folder_.path();
  options.timeout = std::chrono::seconds(10);
  for (const std::string set : {"far: far.position.x", "slow: creeps.position.x", "e: energy"}) {
    write_file(folder_ / "one.yaml",
               with_change(R"(energy: energy, ratio: "creeps.position.x", far: far.position.x)", set, scene));
    expect_exit(percuss({"run", "one.yaml", "-q"}), 0);
    expect_exit(run_percuss({"report", "one.h5"}, options), 0);
    for (auto labels : vertical_labels(read_file(folder_ / "one_report.html"))) {
      EXPECT_GE(labels.size(), 2u) << set;
      EXPECT_LE(labels.size(), 20u) << set;
      std::ranges::sort(labels);
      EXPECT_EQ(std::ranges::adjacent_find(labels), labels.end()) << set;
    }
  }
}

TEST_F(ReportTest, GoesWhereItIsTold) {
  expect_exit(percuss({"report", "old.h5", "-o", "today.html"}), 0);
  EXPECT_TRUE(fs::exists(folder_ / "today.html"));
  EXPECT_FALSE(fs::exists(folder_ / "old_report.html"));
}

TEST_F(ReportTest, RefusesWhatIsNoResultsFile) {
  for (const char* command : {"report", "view"}) {
    const ProcessResult absent = percuss({command, "absent.h5"}), wrong = percuss({command, "scene.yaml"});
    expect_exit(absent, bad_file);
    expect_messages(absent, {"absent.h5"});
    expect_exit(wrong, bad_file);
    expect_messages(wrong, {"scene.yaml"});
  }
}

TEST_F(ReportTest, RefusesCommandsThatSayTooLittleOrTooMuch) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"report"},
                                             {"report", "old.h5", "--gallery"},
                                             {"report", "old.h5", "--all"},
                                             {"report", "old.h5", "--only", "arch"},
                                             {"view"}}) {
    const auto before = content();
    expect_exit(percuss(arguments), bad_input);
    expect_content(before);
  }
}

TEST_F(ReportTest, CannotWriteIntoAFolderThatIsNotThere) {
  const ProcessResult result = percuss({"report", "old.h5", "-o", "nowhere/page.html"});
  expect_exit(result, bad_file);
  expect_messages(result, {"nowhere/page.html"});
}

TEST_F(ReportTest, TheGalleryShowsOneExampleWithItsNumbers) {
  expect_exit(percuss({"report", "--gallery", "--only", "ball_in_box", "-o", "shown"}), 0);
  const std::string page = read_file(folder_ / "shown" / "index.md");
  for (const char* part :
       {"docs/theory/reproduction.md", "## Scene ball_in_box", "**The paper:** [Schindler 2014, section 6.2]",
        "**Does it reproduce?** Yes.", "| x [m] | 2 | 1 | 0.9999", "h = 0.005 s"})
    EXPECT_TRUE(contains(page, part)) << part << "\n" << page;
  for (const char* file : {"scene_ball_in_box.png", "scene_ball_in_box.html", "scene_ball_in_box.h5"})
    EXPECT_TRUE(fs::exists(folder_ / "shown" / file)) << file;
}

TEST_F(ReportTest, TheGalleryKnowsItsNames) {
  expect_refused({"report", "--gallery", "--only", "ball_in_bx"}, {"did you mean 'ball_in_box'?"});
}

TEST(Claims, AreAboutScenesAndProbesThatExist) {
  const std::string scenes = PERCUSS_SOURCE_DIR "/scenes/";
  const auto claims = nlohmann::json::parse(read_file(scenes + "claims.json"));
  const std::string bibliography = read_file(PERCUSS_SOURCE_DIR "/docs/bibliography.md");
  for (const auto& [name, claim] : claims.at("studies").items())
    EXPECT_TRUE(fs::exists(scenes + "studies/" + name + ".yaml")) << name;
  for (const auto& [name, claim] : claims.at("scenes").items()) {
    // What is about no paper has numbers with a source of their own.
    EXPECT_TRUE(claim.contains("paper") || claim.contains("numbers")) << name;
    const auto paper = claim.value("paper", std::string());
    const std::string cited = paper.substr(0, paper.find_first_of(",]"));
    EXPECT_TRUE(!claim.contains("paper") ||
                (cited.starts_with("[") && contains(bibliography, "**" + cited + "]**")))
        << name << ": " << cited;
    const Scene scene = load_scene(scenes + name + ".yaml");
    for (const auto& number : claim.value("numbers", nlohmann::json::array())) {
      const auto probe = number.at("probe").get<std::string>();
      const auto& probes = scene.run.record.probes;
      EXPECT_TRUE(std::ranges::any_of(probes, [&](const auto& known) { return known.first == probe; }))
          << name << ": " << probe;
      EXPECT_LE(number.at("time").get<double>(), scene.run.time.end) << name;
    }
  }
}

}  // namespace
}  // namespace percuss
