// Tracing of long-running methods (trace_profile.cc), from 16 on.
#pragma once

#include <cstddef>

// ReplayLongRunning traces the steps from first on, and dumps the profile to a file. It ends the
// program if the version has no such tracer.
void ReplayLongRunning(size_t first, const char* out);
