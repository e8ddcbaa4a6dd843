// The virtual clock: nothing reads the machine's.
#pragma once

#include <cstdint>

// NowNs returns the time since the script's start.
uint64_t NowNs();

// SetNowNs moves the clock.
void SetNowNs(uint64_t ns);
