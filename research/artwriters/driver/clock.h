// The virtual clock: nothing reads the machine's.
#pragma once

#include <cstdint>

// NowNs returns the time since the script's start: the script's time, and the cost of all clock
// reads so far.
uint64_t NowNs();

// ScriptNs returns the script's time, which the costs do not change.
uint64_t ScriptNs();

// SetNowNs moves the clock to a time of the script.
void SetNowNs(uint64_t ns);

// SetCosts sets the time that each read of a clock takes before it returns: a whole number of
// microseconds, because a counter of microseconds cannot add less.
void SetCosts(uint64_t cpu_read_ns, uint64_t wall_read_ns);
