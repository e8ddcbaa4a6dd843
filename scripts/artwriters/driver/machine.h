// machine.h is compiled in front of ART's trace.cc, whose text stays as it is. It
// names two instructions anew, so that the tracer reads the script's clock instead
// of this processor's. An assembler takes a macro before an instruction.
#pragma once

// The time-stamp counter is VirtualCounter (clock.h).
asm(".macro rdtsc\n"
    "  mov VirtualCounter(%rip), %eax\n"
    "  mov 4+VirtualCounter(%rip), %edx\n"
    ".endm");

// The processor says that it has leaf 0x15 (eax of leaf 0), and in that leaf that its
// counter runs at ecx * ebx / eax = 1 MHz. ART makes a scale of exactly 1 of this, in
// 14 and 15 for microseconds, and in 16 for nanoseconds, as it counts a million of
// them in a second there.
asm(".macro cpuid\n"
    "  mov $0x15, %eax\n"
    "  mov $0x15, %ebx\n"
    "  mov $1000000, %ecx\n"
    ".endm");
