#pragma once

/// Ctrl-C and SIGTERM ask a run to stop after the current step; a second one ends the program at once.
namespace interrupt {

void install();
int received_signal();  ///< 0 if none

}  // namespace interrupt
