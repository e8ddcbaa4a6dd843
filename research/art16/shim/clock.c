// The time-stamp counter that ART's tracer reads (machine.h) is the launcher's virtual clock, in nanoseconds.
#include "art11.h"

unsigned long virtual_counter(void) { return virtual_time ? script.start + app_time + paused : 0; }

// VirtualCounter leaves it in edx:eax, as the instruction does, and all other registers as they are.
__asm__(".text\n.globl VirtualCounter\n.type VirtualCounter,@function\nVirtualCounter:\n"
        " push %rbp\n mov %rsp,%rbp\n push %rcx\n push %rsi\n push %rdi\n push %r8\n push %r9\n push %r10\n push %r11\n"
        " sub $264,%rsp\n and $-16,%rsp\n movdqu %xmm0,(%rsp)\n movdqu %xmm1,16(%rsp)\n movdqu %xmm2,32(%rsp)\n"
        " movdqu %xmm3,48(%rsp)\n movdqu %xmm4,64(%rsp)\n movdqu %xmm5,80(%rsp)\n movdqu %xmm6,96(%rsp)\n movdqu %xmm7,112(%rsp)\n"
        " call virtual_counter\n mov %rax,%rdx\n shr $32,%rdx\n mov %eax,%eax\n"
        " movdqu (%rsp),%xmm0\n movdqu 16(%rsp),%xmm1\n movdqu 32(%rsp),%xmm2\n movdqu 48(%rsp),%xmm3\n"
        " movdqu 64(%rsp),%xmm4\n movdqu 80(%rsp),%xmm5\n movdqu 96(%rsp),%xmm6\n movdqu 112(%rsp),%xmm7\n"
        " lea -56(%rbp),%rsp\n pop %r11\n pop %r10\n pop %r9\n pop %r8\n pop %rdi\n pop %rsi\n pop %rcx\n pop %rbp\n ret\n");
