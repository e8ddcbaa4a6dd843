// machine.h is compiled in front of ART's trace.cc, whose text stays as it is. It
// names two instructions anew, so that the tracer reads the script's clock instead
// of this processor's. An assembler takes a macro before an instruction.
#pragma once

// The time-stamp counter is VirtualCounter. Each read takes VirtualStep (stubs.cc). The
// instruction keeps the flags, and so does the macro; the files are compiled without a red zone.
asm(".macro rdtsc\n"
    "  pushfq\n"
    "  push %rcx\n"
    "  mov VirtualStep(%rip), %rcx\n"
    "  add %rcx, VirtualCounter(%rip)\n"
    "  pop %rcx\n"
    "  popfq\n"
    "  mov VirtualCounter(%rip), %eax\n"
    "  mov 4+VirtualCounter(%rip), %edx\n"
    ".endm");

// The processor answers 0x15 as its last leaf (eax of leaf 0), and in leaf 0x15 that its
// counter runs at ecx * ebx / eax = 1 MHz. Of this ART makes a scale of exactly 1: in 14
// and 15 the counter is in microseconds, and in 16 in nanoseconds, since
// GetScalingFactorForX86 takes 1000 * 1000 for a second's nanoseconds there.
asm(".macro cpuid\n"
    "  mov $0x15, %eax\n"
    "  mov $0x15, %ebx\n"
    "  mov $1000000, %ecx\n"
    ".endm");
