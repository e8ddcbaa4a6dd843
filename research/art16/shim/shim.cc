// What the launcher of research/internal/art11 calls of ART 11 by name, made of what ART 16 has.
#include <cstdlib>

#include "runtime.h"
#include "trace.h"

using art::Runtime;
using art::Trace;

extern "C" {

bool Attach(void*, const char* name, bool daemon, jobject group, bool peer)
    asm("_ZN3art7Runtime19AttachCurrentThreadEPKcbP8_jobjectb");
bool Attach(void*, const char* name, bool daemon, jobject group, bool peer) {
  return Runtime::Current()->AttachCurrentThread(name, daemon, group, peer);
}

void Detach(void*) asm("_ZN3art7Runtime19DetachCurrentThreadEv");
void Detach(void*) { Runtime::Current()->DetachCurrentThread(); }

void SetDebuggable(void*, bool) asm("_ZN3art7Runtime17SetJavaDebuggableEb");
void SetDebuggable(void*, bool) {
  Runtime::Current()->SetRuntimeDebugState(Runtime::RuntimeDebugState::kJavaDebuggable);
}

static int clock_flags;

void SetClock(int) asm("_ZN3art5Trace21SetDefaultClockSourceENS_16TraceClockSourceE");
void SetClock(int clock) { // thread CPU, wall, both
  clock_flags = (clock != 0 ? Trace::kTraceClockSourceWallClock : 0) | (clock != 1 ? Trace::kTraceClockSourceThreadCpu : 0);
}

// The output modes have kept their numbers (0 file, 2 streaming), and the modes (0 every call, 1 samples).
void Start(const char* file, size_t buffer, int flags, int output, int mode, int interval)
    asm("_ZN3art5Trace5StartEPKcmiNS0_15TraceOutputModeENS0_9TraceModeEi");
void Start(const char* file, size_t buffer, int flags, int output, int mode, int interval) {
  flags |= clock_flags;
  if (getenv("ART16_V2") != nullptr) flags |= Trace::kFormatV2 << Trace::kTraceFormatVersionShift;
  Trace::Start(file, buffer, flags, static_cast<art::TraceOutputMode>(output), static_cast<Trace::TraceMode>(mode),
               interval);
}
}
