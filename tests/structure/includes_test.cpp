#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

/// Reads the include table of docs/architecture.md and checks every #include of the library against it.
namespace {

namespace fs = std::filesystem;
const fs::path root = PERCUSS_SOURCE_DIR;

/// Every file of the rooms: what is theirs alone, and the headers that are installed.
std::vector<fs::path> files_of(const std::string& room) {
  std::vector<fs::path> files;
  for (const char* part : {"src/percuss", "include/percuss"})
    if (fs::exists(root / part / room))
      for (const auto& entry : fs::recursive_directory_iterator(root / part / room))
        if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp")
          files.push_back(entry.path());
  return files;
}

/// Room -> rooms it may include, from the table between the two marks in docs/architecture.md.
std::map<std::string, std::set<std::string>> read_table() {
  std::map<std::string, std::set<std::string>> table;
  std::ifstream page(root / "docs/architecture.md");
  const std::regex table_row(R"(\| (\w+) \| ([\w, ]+) \|.*)");
  std::string line;
  bool inside = false;
  while (std::getline(page, line)) {
    if (line.find("<!-- include table -->") != line.npos) inside = !inside;
    std::smatch row;
    if (!inside || !std::regex_match(line, row, table_row) || row[1] == "room") continue;
    std::istringstream rooms(row[2]);
    std::string room;
    auto& allowed = table[row[1]];
    allowed.insert(row[1]);
    while (std::getline(rooms, room, ',')) allowed.insert(room.substr(room.find_first_not_of(' ')));
  }
  return table;
}

/// Libraries that only one room may know.
const std::map<std::string, std::string> guarded = {{"yaml-cpp", "io"}, {"hdf5.h", "io"},
                                                    {"H5", "io"},       {"nlohmann", "io"},
                                                    {"gmsh", "io"},     {"Spectra", "math"}};

void check_file(const fs::path& file, const std::string& room, const std::set<std::string>& allowed) {
  static const std::regex include_of_a_room(R"(^\s*#include "percuss/(\w+)/)");
  std::ifstream stream(file);
  std::string line;
  while (std::getline(stream, line)) {
    std::smatch match;
    if (std::regex_search(line, match, include_of_a_room)) {
      EXPECT_TRUE(allowed.contains(match[1])) << file << " must not include " << match[1];
    }
    for (const auto& [library, owner] : guarded)
      if (line.starts_with("#include <" + library)) {
        EXPECT_EQ(room, owner) << file << " must not know " << library;
      }
  }
}

TEST(Structure, RoomsIncludeOnlyWhatTheTableAllows) {
  const auto table = read_table();
  ASSERT_GE(table.size(), 9u) << "the table in docs/architecture.md was not found";
  int files = 0;
  for (const auto& folder : fs::directory_iterator(root / "src/percuss")) {
    if (!folder.is_directory()) continue;
    const std::string room = folder.path().filename();
    ASSERT_TRUE(table.contains(room)) << room << " is not in the table";
    for (const auto& file : files_of(room)) {
      check_file(file, room, table.at(room));
      ++files;
    }
  }
  EXPECT_GT(files, 30);
}

/// A program that uses percuss has these headers, those of Eigen and of the language, and nothing else.
TEST(Structure, InstalledHeadersIncludeInstalledHeadersAlone) {
  const std::regex include(R"(^\s*#include (["<])([^">]+)[">])");
  int headers = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root / "include")) {
    if (entry.path().extension() != ".h") continue;
    ++headers;
    std::ifstream stream(entry.path());
    std::smatch match;
    for (std::string line; std::getline(stream, line);) {
      if (!std::regex_search(line, match, include)) continue;
      const std::string header = match[2];
      if (match[1] == "\"")
        EXPECT_TRUE(fs::exists(root / "include" / header)) << entry.path() << ": " << line;
      else
        EXPECT_TRUE(header.starts_with("Eigen/") || header.find_first_of("./") == header.npos)
            << entry.path() << ": " << line;
    }
  }
  EXPECT_GT(headers, 40);
  EXPECT_LT(headers, 90) << "every header here is a promise";
}

/// What a law is made of is known to laws and to the descriptions in models and files alone: a scheme asks
/// the law. Kinds of contacts are known where contacts are found.
TEST(Structure, NoSchemeReadsWhatALawIsMadeOf) {
  const std::regex part_of_a_law(R"((\.|->)(restitution|tangential_restitution|friction|mu)\b)"),
      kind_of_contact(R"(\bContactKind\b)");
  int lines = 0;
  for (const char* room : {"integrators", "simulation"})
    for (const auto& file : files_of(room)) {
      std::ifstream stream(file);
      for (std::string line; std::getline(stream, line); ++lines) {
        line = std::regex_replace(line, std::regex(R"("[^"]*"|//.*)"), "");  // texts and comments may
        EXPECT_FALSE(std::regex_search(line, part_of_a_law)) << file << ": " << line;
        EXPECT_FALSE(std::regex_search(line, kind_of_contact)) << file << ": " << line;
      }
    }
  EXPECT_GT(lines, 5000);
}

/// Contacts have as many rows as their laws say: Contact::row and BlockMatrix know where they are.
TEST(Structure, NobodyCountsRowsOfContactsInThrees) {
  const std::regex in_threes(R"(\[3 \* (static_cast<\w+>\()?(c|k|contact|cone)\b)");
  int lines = 0;
  for (const char* room : {"contacts", "integrators", "simulation", "nonsmooth"})
    for (const auto& file : files_of(room)) {
      std::ifstream stream(file);
      for (std::string line; std::getline(stream, line); ++lines)
        EXPECT_FALSE(std::regex_search(line, in_threes)) << file << ": " << line;
    }
  EXPECT_GT(lines, 10000);
}

/// Two types of one name compile and link, and then destroy each other's memory.
TEST(Structure, NoTwoHeadersDefineTypesOfTheSameName) {
  const std::regex definition(R"(^(struct|class|enum class) (\w+)( final)?( :.*)? \{)");
  std::map<std::string, fs::path> types;
  for (const auto& file : files_of("")) {
    if (file.extension() != ".h") continue;
    std::ifstream stream(file);
    std::string line;
    std::smatch match;
    while (std::getline(stream, line)) {
      if (!std::regex_search(line, match, definition)) continue;
      const auto [known, is_new] = types.emplace(match[2], file);
      EXPECT_TRUE(is_new) << match[2] << " in " << file << " and in " << known->second;
    }
  }
  EXPECT_GT(types.size(), 100u);
}

/// The code cites equations by these numbers.
TEST(Structure, EveryEquationOfAPageHasItsOwnNumber) {
  int pages = 0;
  for (const auto& entry : fs::directory_iterator(root / "docs/theory")) {
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const std::string page = text.str();
    const std::regex tag(R"(\\tag\{([^}]+)\})");
    std::set<std::string> numbers;
    for (std::sregex_iterator found(page.begin(), page.end(), tag), end; found != end; ++found)
      EXPECT_TRUE(numbers.insert((*found)[1]).second) << (*found)[1] << " twice in " << entry.path();
    pages += !numbers.empty();
  }
  EXPECT_GT(pages, 8);
}

TEST(Structure, TheTableHasNoCycle) {
  const auto table = read_table();
  for (const auto& [room, allowed] : table)
    for (const auto& other : allowed)
      if (other != room && table.contains(other)) {
        EXPECT_FALSE(table.at(other).contains(room)) << room << " <-> " << other;
      }
}

TEST(Structure, NothingBelowSimulationTouchesFilesOrTheEnvironment) {
  const std::regex forbidden(R"(#include <(fstream|iostream|cstdio|filesystem)>|getenv|std::c(out|err))");
  for (const char* room : {"math", "geometry", "model", "dynamics", "collision", "contacts", "nonsmooth",
                           "integrators", "simulation"})
    for (const auto& file : files_of(room)) {
      std::ifstream stream(file);
      std::string line;
      while (std::getline(stream, line))
        EXPECT_FALSE(std::regex_search(line, forbidden)) << file << ": " << line;
    }
}

}  // namespace
