#include "say.h"

#include <cerrno>
#include <system_error>

#include "percuss/io/printable.h"

void write_printable(std::FILE* stream, const std::string& text, std::string_view kept) {
  const std::string shown = percuss::printable(text, kept);
  if (std::fwrite(shown.data(), 1, shown.size(), stream) != shown.size() && stream != stderr)
    throw std::system_error(errno, std::generic_category());
}
