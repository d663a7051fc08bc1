#include "viewer_bundle.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "percuss/io/io_error.h"

namespace fs = std::filesystem;

std::string read_viewer_page() {
  const fs::path prefix = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  const fs::path page = prefix / "share" / "percuss" / "viewer" / "index.html";
  std::ifstream stream(page, std::ios::binary);
  if (!stream)
    throw percuss::IoError::cannot(
        "read", page.string(), "the viewer has not been built",
        "run scripts/build_viewer in the sources of percuss, and install it again");
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}
