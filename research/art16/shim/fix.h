// What ART 16 takes for granted of its C library and compiler.
#pragma once
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#undef MINSIGSTKSZ
#define MINSIGSTKSZ 2048
#define ART_CLANG_PATH "/usr/lib/llvm-19"
