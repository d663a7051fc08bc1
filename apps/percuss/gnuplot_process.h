#pragma once

#include <string>

/// How gnuplot ended.
struct GnuplotEnd {
  int error = 0;              ///< errno if it could not be started
  bool has_finished = false;  ///< with exit code 0 and a whole picture
  std::string message = {};   ///< the last line that it wrote about an error
};

/// Runs gnuplot on the script; what it draws goes to `picture`, an open file. No shell, no file names, and
/// none of the user's own settings take part.
GnuplotEnd feed_gnuplot(const std::string& script, int picture);
