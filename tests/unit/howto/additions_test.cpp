#include <array>
#include <fstream>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

/// The pages that show how to extend percuss, and the patches that do it. tests/howto/build_additions applies
/// these.
namespace percuss {
namespace {

const std::string root = PERCUSS_SOURCE_DIR "/docs/";

struct Addition {
  const char *name, *page;
};
constexpr std::array<Addition, 6> additions = {{{"law", "add_a_law"},
                                                {"shape", "add_a_shape"},
                                                {"element", "add_an_element"},
                                                {"joint", "add_a_joint"},
                                                {"solver", "add_a_solver"},
                                                {"integrator", "add_an_integrator"}}};

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(root + path).rdbuf();
  return text.str();
}
std::string patch_of(const Addition& addition) {
  return text_of(fmt::format("howto/additions/{}.patch", addition.name));
}

TEST(HowtoPages, ShowPartsOfTheirPatches) {
  constexpr std::string_view begin = "```diff\n", end = "```\n";
  for (const Addition& addition : additions) {
    const std::string page = text_of(fmt::format("howto/{}.md", addition.page)), patch = patch_of(addition);
    int blocks = 0;
    for (size_t at = page.find(begin); at != page.npos; at = page.find(begin, at)) {
      at += begin.size();
      const std::string block = page.substr(at, page.find(end, at) - at);
      EXPECT_NE(("\n" + patch).find("\n" + block), patch.npos)
          << addition.page << " shows what is not in the patch:\n"
          << block;
      ++blocks;
    }
    EXPECT_GE(blocks, 2) << addition.page;
  }
}

/// The files of a patch stand in the table of its page, and their numbers in docs/architecture.md.
TEST(HowtoPages, TellWhichFilesAnAdditionTouches) {
  const std::string architecture = text_of("architecture.md");
  for (const Addition& addition : additions) {
    const std::string page = text_of(fmt::format("howto/{}.md", addition.page));
    std::istringstream patch(patch_of(addition));
    int files = 0, made = 0, in_library = 0, added = 0, removed = 0;
    bool is_new = false;
    for (std::string line; std::getline(patch, line);) {
      if (line.starts_with("--- ")) {
        is_new = line == "--- /dev/null";
      } else if (line.starts_with("+++ b/")) {
        const std::string file = line.substr(6);
        EXPECT_NE(page.find(fmt::format("| `{}` | {} |", file, is_new ? "new" : "changed")), page.npos)
            << addition.page << " does not tell of " << file;
        ++files;
        made += is_new;
        in_library += file.starts_with("src/") || file.starts_with("include/");
      } else {
        added += line.starts_with("+");
        removed += line.starts_with("-");
      }
    }
    const std::string row = fmt::format("| [{}](howto/{}.md) | {} | {} | {} | {} | {} |\n", addition.name,
                                        addition.page, files - made, made, in_library, added, removed);
    EXPECT_NE(architecture.find(row), architecture.npos) << "docs/architecture.md needs the row\n" << row;
  }
}

}  // namespace
}  // namespace percuss
