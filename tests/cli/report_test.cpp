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
       {"## Scene ball_in_box", "**The paper:** Paper 003", "| x [m] | 2 | 1 | 0.9999", "h = 0.005 s"})
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
  for (const auto& [name, claim] : claims.at("studies").items())
    EXPECT_TRUE(fs::exists(scenes + "studies/" + name + ".yaml")) << name;
  for (const auto& [name, claim] : claims.at("scenes").items()) {
    EXPECT_TRUE(contains(claim.at("paper").get<std::string>(), "Paper 00")) << name;
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
