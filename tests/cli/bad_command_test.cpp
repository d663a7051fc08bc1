#include <sys/socket.h>
#include <sys/un.h>

#include "cli/bad_input.h"

// Files that cannot be read or written, and commands that make no sense, are explained; old files are left
// alone.
namespace percuss {
namespace {

using namespace percuss::testing;

using Preparation = std::function<void(const fs::path& folder)>;
void nothing(const fs::path&) {}

/// What is done to the folder before, what is run in it, and what that says.
struct CommandCase {
  std::string name;
  std::vector<std::string> arguments;
  int exit_code;
  std::vector<std::string> messages;
  Preparation prepare = nothing;
};
std::ostream& operator<<(std::ostream& stream, const CommandCase& c) {
  for (const auto& word : c.arguments) stream << word << ' ';
  return stream;
}

CommandCase command(std::string name, std::vector<std::string> arguments, int exit_code,
                    std::vector<std::string> messages, Preparation prepare = nothing) {
  return {std::move(name), std::move(arguments), exit_code, std::move(messages), std::move(prepare)};
}

class CommandFault : public BadInputTest, public ::testing::WithParamInterface<CommandCase> {};

TEST_P(CommandFault, IsReportedAndLeavesTheFolderAlone) {
  const CommandCase& c = GetParam();
  c.prepare(folder_.path());
  if (IsSkipped()) return;
  const auto before = content();
  const ProcessResult result = percuss(c.arguments);
  expect_exit(result, c.exit_code);
  expect_messages(result, c.messages);
  expect_content(before);
}

auto file(const std::string& name, const std::string& bytes) {
  return [=](const fs::path& folder) { write_file(folder / name, bytes); };
}
auto directory(const std::string& name) {
  return [=](const fs::path& folder) { fs::create_directory(folder / name); };
}
auto truncated(const std::string& name, double fraction) {
  return [=](const fs::path& folder) {
    const auto size = static_cast<double>(fs::file_size(folder / name));
    fs::resize_file(folder / name, static_cast<std::uintmax_t>(size * fraction));
  };
}
auto removed(const std::string& name) {
  return [=](const fs::path& folder) { fs::remove(folder / name); };
}
/// A file that cannot be opened like one; its name must survive.
void make_socket(const fs::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.string().size() >= sizeof address.sun_path) GTEST_SKIP() << "the folder's name is too long";
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::close(socket);
}
void make_unreadable(const fs::path& path) {
  fs::permissions(path, fs::perms::none);
  if (::access(path.c_str(), R_OK) == 0) GTEST_SKIP() << "this user can read everything";
}

const std::vector<std::string> run_old = {"run", "scene.yaml", "-o", "old.h5"};

const std::vector<CommandCase> scene_files = {
    command("EmptyFile", run_old, bad_input, {"scene.yaml:1:1: there is nothing in it"},
            file("scene.yaml", "")),
    command("OnlyComments", run_old, bad_input, {"scene.yaml:1:1: there is nothing in it"},
            file("scene.yaml", "# a\n# b\n")),
    command("OnlyText", run_old, bad_input, {"scene.yaml:1:1: expected a scene"},
            file("scene.yaml", "hello\n")),
    command("BinaryFile", run_old, bad_input, {"scene.yaml:2:1: the byte 0x00"},
            file("scene.yaml", std::string("percuss: 1\n\0\1\2", 14))),
    command("ResultsAsScene", {"run", "old.h5", "-o", "new.h5"}, bad_input, {"old.h5:", "is this a scene?"}),
    command("SparseFileOf100Megabytes", run_old, bad_input,
            {"scene.yaml: the file has 104857600 bytes", "16777216"},
            [](const fs::path& folder) { fs::resize_file(folder / "scene.yaml", 100 << 20); }),
    command("TextOf17Megabytes", run_old, bad_input, {"scene.yaml: the file has 17000000 bytes", "16777216"},
            [](const fs::path& folder) {
              write_file(folder / "scene.yaml", repeated("# sixteen chars\n", 1062500));
            }),
    command("EndlessFile", {"run", "/dev/zero", "-o", "old.h5"}, bad_input,
            {"/dev/zero: more than 16777216 bytes"}),
    command("DeepNesting", run_old, bad_input, {"scene.yaml:1:72: nested more than 64 levels deep"},
            file("scene.yaml", "bodies: " + repeated("[", 10000) + repeated("]", 10000))),
    command("DeepNestingOfBlocks", run_old, bad_input, {"scene.yaml:1:", "nested more than 64 levels deep"},
            file("scene.yaml", repeated("- ", 10000))),
    command("DeepNestingWithoutEnd", run_old, bad_input, {"scene.yaml:1:"},
            file("scene.yaml", repeated("[", 10000))),
    command("ManyAliases", run_old, bad_input, {"scene.yaml:", "more than 2000000 values"},
            [](const fs::path& folder) {
              std::string text = "a0: &a0 [1]\n";
              for (int i = 1; i < 12; ++i) {
                const std::string name = "a" + std::to_string(i), alias = "*a" + std::to_string(i - 1);
                text += name + ": &" + name + " [" + repeated(alias + ", ", 8) + alias + "]\n";
              }
              write_file(folder / "scene.yaml", text);
            }),
    command("MissingScene", {"run", "none.yaml", "-o", "old.h5"}, bad_file,
            {"cannot read none.yaml: there is no such file"}),
    command("DirectoryAsScene", {"run", ".", "-o", "old.h5"}, bad_file, {"cannot read .: it is a directory"}),
    command("UnreadableScene", run_old, bad_file, {"cannot read scene.yaml: Permission denied"},
            [](const fs::path& folder) { make_unreadable(folder / "scene.yaml"); }),
};

const std::vector<CommandCase> output_files = {
    command("FolderOfOutputMissing", {"run", "scene.yaml", "-o", "none/new.h5"}, bad_file,
            {"cannot write none/new.h5: No such file"}),
    command("FolderOfOutputIsFile", {"run", "scene.yaml", "-o", "scene.yaml/new.h5"}, bad_file,
            {"cannot write scene.yaml/new.h5: Not a directory"}),
    command("OutputIsOtherFile", {"run", "scene.yaml", "-o", "letter.txt"}, bad_file,
            {"cannot write letter.txt: the file exists and holds no percuss results", "-o"},
            file("letter.txt", "Dear Sir")),
    command("OutputIsTheScene", {"run", "scene.yaml", "-o", "scene.yaml"}, bad_file,
            {"cannot write scene.yaml: the file exists"}),
    command("OutputIsDamaged", run_old, bad_file, {"cannot write old.h5"}, truncated("old.h5", 0.5)),
    command("OutputIsDirectory", {"run", "scene.yaml", "-o", "here"}, bad_file,
            {"cannot write here: it is a directory"}, directory("here")),
    command("OutputIsSocket", {"run", "scene.yaml", "-o", "here"}, bad_file, {"cannot write here"},
            [](const fs::path& folder) { make_socket(folder / "here"); }),
    command("NameOfOutputTooLong", {"run", "scene.yaml", "-o", repeated("long", 100)}, bad_file,
            {"cannot write longlong", "File name too long"}),
    command("CheckpointIsDirectory", {"run", "scene.yaml", "-o", "new.h5"}, bad_file,
            {"cannot write new.h5.checkpoint: Is a directory"}, directory("new.h5.checkpoint")),
    command("UnwritableFolder", {"run", "scene.yaml", "-o", "here/new.h5"}, bad_file,
            {"cannot write here/new.h5: Permission denied"},
            [](const fs::path& folder) {
              fs::create_directory(folder / "here");
              make_unreadable(folder / "here");
            }),
    command("FolderOfCsvMissing", {"export", "old.h5", "--csv", "none/a.csv"}, bad_file,
            {"cannot write none/a.csv: there is no such folder"}),
    command("FolderOfXdmfMissing", {"export", "old.h5", "--xdmf", "none/a.xdmf"}, bad_file,
            {"cannot write none/a.xdmf: there is no such folder"}),
    command("XdmfIsDirectory", {"export", "old.h5", "--xdmf", "here"}, bad_file,
            {"cannot write here: Is a directory"}, directory("here")),
    command("CsvIsDirectory", {"export", "old.h5", "--csv", "here"}, bad_file,
            {"cannot write here: Is a directory"}, directory("here")),
    command("CsvIsSocket", {"export", "old.h5", "--csv", "here"}, bad_file, {"cannot write here"},
            [](const fs::path& folder) { make_socket(folder / "here"); }),
    command("FolderOfPictureMissing", {"plot", "old.h5", "-o", "none/a.png"}, bad_file,
            {"cannot write none/a.png: there is no such folder"}),
    command("PictureIsDirectory", {"plot", "old.h5", "-o", "here.png"}, bad_file,
            {"cannot write here.png: Is a directory"}, directory("here.png")),
    command("PictureIsSocket", {"plot", "old.h5", "-o", "here.png"}, bad_file, {"cannot write here.png"},
            [](const fs::path& folder) { make_socket(folder / "here.png"); }),
    command("ExampleExists", {"examples", "bouncing_ball"}, bad_file,
            {"cannot write bouncing_ball.yaml: it is already here"}, file("bouncing_ball.yaml", "mine")),
};

/// Each command that reads results, on each thing that is none.
std::vector<CommandCase> results_files() {
  const std::vector<CommandCase> reading = {{"Info", {"info"}, 0, {}},
                                            {"Plot", {"plot", "-o", "a.png"}, 0, {}},
                                            {"Export", {"export", "--csv", "a.csv"}, 0, {}}};
  const std::vector<CommandCase> damages = {
      {"OnMissingFile", {}, 0, {"old.h5: No such file"}, removed("old.h5")},
      {"OnText", {}, 0, {"old.h5: it is not an HDF5 file"}, file("old.h5", "some words\n")},
      {"OnEmptyFile", {}, 0, {"old.h5: it is empty"}, file("old.h5", "")},
      {"OnDirectory",
       {},
       0,
       {"old.h5: Is a directory"},
       [](const fs::path& folder) {
         fs::remove(folder / "old.h5"), fs::create_directory(folder / "old.h5");
       }},
      {"OnSignatureOnly", {}, 0, {"old.h5: the file is damaged"}, file("old.h5", "\x89HDF\r\n\x1a\n")},
      {"OnTruncatedFile", {}, 0, {"old.h5: the file is damaged"}, truncated("old.h5", 0.5)},
      {"OnSlightlyTruncatedFile", {}, 0, {"old.h5: the file is damaged"}, truncated("old.h5", 0.999)}};
  std::vector<CommandCase> cases;
  for (const auto& command : reading)
    for (const auto& damage : damages) {
      auto arguments = command.arguments;
      arguments.insert(arguments.begin() + 1, "old.h5");
      cases.push_back({command.name + damage.name, arguments, bad_file, damage.messages, damage.prepare});
    }
  return cases;
}

const std::vector<CommandCase> command_lines = {
    command("NoCommand", {}, bad_input, {"say what to do: run, check", "--help"}),
    command("UnknownCommand", {"frobnicate"}, bad_input, {"frobnicate", "--help"}),
    command("UnknownOption", {"run", "scene.yaml", "--fast"}, bad_input, {"--fast", "--help"}),
    command("NoScene", {"run"}, bad_input, {"scene is required", "--help"}),
    command("TwoScenes", {"run", "scene.yaml", "scene.yaml"}, bad_input, {"scene.yaml", "--help"}),
    command("NothingToExport", {"export", "old.h5"}, bad_input,
            {"--csv FILE, --impacts FILE or --xdmf FILE"}),
    command("NothingFlexibleForTheOutput", {"export", "old.h5", "--xdmf", "-"}, bad_input,
            {"old.h5 has nothing that XDMF could show", "need a file"}),
    command("ColumnsWithoutCsv", {"export", "old.h5", "--column", "time"}, bad_input, {"--csv"}),
    command("UnknownColumnToExport", {"export", "old.h5", "--csv", "a.csv", "--column", "hight"}, bad_input,
            {"old.h5 has no column 'hight'", "'height'"}),
    command("UnknownColumnToPlot", {"plot", "old.h5", "hight", "-o", "a.png"}, bad_input,
            {"old.h5 has no column 'hight'", "'height'"}),
    command("StrangeColumnToPlot", {"plot", "old.h5", "zzzzzz", "-o", "a.png"}, bad_input,
            {"no column 'zzzzzz'; it has height, time, energy"}),
    command("PictureAsPdf", {"plot", "old.h5", "-o", "a.pdf"}, bad_input, {"a.pdf", ".png or .svg"}),
    command("NothingToPlot", {"plot", "old.h5", "--from", "7", "-o", "a.png"}, bad_input,
            {"0 frames", "at least 2"}),
    command("WordForTime", {"plot", "old.h5", "--from", "soon", "-o", "a.png"}, bad_input,
            {"--from", "soon"}),
    command("UnknownExample", {"examples", "bouncing_bal"}, bad_input,
            {"no example 'bouncing_bal'", "'bouncing_ball'"}),
};

const std::vector<std::string> resume_old = {"run", "scene.yaml", "-o", "old.h5", "--resume"};
std::vector<std::string> resume_with(const std::string& set) {
  return {"run", "scene.yaml", "-o", "old.h5", "--resume", "--set", set};
}

const std::vector<CommandCase> resuming = {
    command("ResumeNothing", {"run", "scene.yaml", "-o", "new.h5", "--resume"}, bad_file,
            {"cannot resume new.h5: there is no such file, so there is nothing to resume",
             "run without --resume"}),
    command("ResumeBeforeFirstResults", {"run", "scene.yaml", "-o", "new.h5", "--resume"}, bad_file,
            {"cannot resume new.h5", "nothing to resume; run without --resume"},
            file("new.h5.part", "half a file")),
    command("ResumeWithAdaptiveSteps", resume_with("time.adaptive.tolerance=1e-3"), bad_input,
            {"cannot resume old.h5: the scene has changed since (its steps were not adaptive)"}),
    command("ResumeWithoutCheckpoint", resume_old, bad_file,
            {"old.h5.checkpoint: No such file", "no checkpoint to resume from; run without --resume"},
            removed("old.h5.checkpoint")),
    command("ResumeWithoutResults", resume_old, bad_file, {"cannot read old.h5: No such file"},
            removed("old.h5")),
    command("ResumeTruncatedCheckpoint", resume_old, bad_file,
            {"old.h5.checkpoint: the checkpoint is damaged", "run without --resume"},
            truncated("old.h5.checkpoint", 0.5)),
    command("ResumeEmptyCheckpoint", resume_old, bad_file,
            {"old.h5.checkpoint: it is not a percuss checkpoint"}, file("old.h5.checkpoint", "")),
    command("ResumeForeignCheckpoint", resume_old, bad_file,
            {"old.h5.checkpoint: it is not a percuss checkpoint"},
            file("old.h5.checkpoint", repeated("text ", 100))),
    command("ResumeWithFlippedBit", resume_old, bad_file,
            {"old.h5.checkpoint: the checkpoint is damaged", "checksum"},
            [](const fs::path& folder) {
              std::string bytes = read_file(folder / "old.h5.checkpoint");
              bytes[bytes.size() / 2] ^= 1;
              write_file(folder / "old.h5.checkpoint", bytes);
            }),
    command("ResumeTruncatedResults", resume_old, bad_file, {"old.h5"}, truncated("old.h5", 0.5)),
    command("ResumeChangedScene", resume_old, bad_input,
            {"cannot resume old.h5: the scene has changed", "mass: 1.0", "mass: 3"},
            file("scene.yaml", with_change("mass: 1\n", "mass: 3\n"))),
    command("ResumeWithOtherStep", resume_with("time.step=0.02"), bad_input,
            {"cannot resume old.h5: the scene has changed", "step: 0.02"}),
    command("ResumeToEarlierEnd", resume_with("time.end=0.5"), bad_input, {"old.h5", "0.5"}),
};

INSTANTIATE_TEST_SUITE_P(Scenes, CommandFault, ::testing::ValuesIn(scene_files), case_name<CommandCase>);
INSTANTIATE_TEST_SUITE_P(Outputs, CommandFault, ::testing::ValuesIn(output_files), case_name<CommandCase>);
INSTANTIATE_TEST_SUITE_P(Results, CommandFault, ::testing::ValuesIn(results_files()), case_name<CommandCase>);
INSTANTIATE_TEST_SUITE_P(Lines, CommandFault, ::testing::ValuesIn(command_lines), case_name<CommandCase>);
INSTANTIATE_TEST_SUITE_P(Resume, CommandFault, ::testing::ValuesIn(resuming), case_name<CommandCase>);

TEST_F(BadInputTest, NumbersOutOfRangeAreExplainedInShort) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"study", "scene.yaml", "--threads", "-1"},
                                             {"study", "scene.yaml", "--trajectories", "0"},
                                             {"run", "scene.yaml", "--worse-than", "-1"},
                                             {"run", "scene.yaml", "--threads", "0"},
                                             {"suggest", "scene.yaml", "--part", "2"},
                                             {"suggest", "scene.yaml", "--tolerance", "nan"},
                                             {"modes", "scene.yaml", "--young", std::string(500, '9')}}) {
    const ProcessResult result = percuss(arguments);
    expect_exit(result, bad_input);
    EXPECT_LT(result.errors.size(), 250u) << result.errors;
  }
  const ProcessResult result = percuss({"study", "scene.yaml", "--threads", "-1"});
  expect_messages(result, {"--threads: -1 is not allowed; it must be a number > 0"});
}

}  // namespace
}  // namespace percuss
