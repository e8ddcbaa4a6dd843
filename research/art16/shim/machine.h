// machine.h is compiled in front of ART's trace.cc and trace_profile.cc, whose texts stay as they are: an assembler takes a macro
// before an instruction. See research/artwriters/driver/machine.h.
#pragma once

// The time-stamp counter is VirtualCounter (clock.c). 128 bytes below the stack pointer belong to who reads it.
asm(".macro rdtsc\n"
    "  sub $128, %rsp\n"
    "  call VirtualCounter\n"
    "  add $128, %rsp\n"
    ".endm");

// ART makes a scale of 1 of this: its counter is in nanoseconds.
asm(".macro cpuid\n"
    "  mov $0x15, %eax\n"
    "  mov $0x15, %ebx\n"
    "  mov $1000000, %ecx\n"
    ".endm");
