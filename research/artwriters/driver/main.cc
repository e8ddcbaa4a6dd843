// The driver of one version of ART's tracer: it replays a script's app, tells the tracer
// of its calls or lets it sample, and leaves the trace that the tracer writes.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "app.h"
#include "clock.h"
#include "instrumentation.h"
#include "longrun.h"
#include "mirror/object.h"
#include "runtime.h"
#include "sampler.h"
#include "stubs.h"
#include "thread.h"
#include "trace.h"

namespace {

using namespace art;

#if ART_VERSION <= 140
using OutputMode = Trace::TraceOutputMode;
#else
using OutputMode = TraceOutputMode;
#endif

constexpr char kUsage[] =
    "usage: %s SCRIPT OUT i|s|l INTERVAL-US dual|wall|cpu v1|v2 file|stream BUFFER-BYTES "
    "[CPU-READ-NS WALL-READ-NS]\n";

// Word returns which of two words an argument is, and ends the program if it is neither.
bool Word(const char* argument, const char* no, const char* yes) {
  if (strcmp(argument, yes) != 0 && strcmp(argument, no) != 0) {
    fprintf(stderr, "\"%s\" is neither \"%s\" nor \"%s\"\n", argument, no, yes);
    exit(2);
  }
  return strcmp(argument, yes) == 0;
}

// Flags returns the flags of Trace::Start: of its enum and, from 14 on, of the clock.
int Flags(const char* clock, bool v2) {
  bool wall = strcmp(clock, "wall") == 0;
  bool cpu = strcmp(clock, "cpu") == 0;
#if ART_VERSION < 140
  Trace::SetDefaultClockSource(wall  ? TraceClockSource::kWall
                               : cpu ? TraceClockSource::kThreadCpu
                                     : TraceClockSource::kDual);
  return 0;
#else
  constexpr int kWallClock = 0x010, kThreadCpuClock = 0x100, kFormatV2 = 2;
  int flags = wall ? kWallClock : cpu ? kThreadCpuClock : kWallClock | kThreadCpuClock;
  return v2 ? flags | kFormatV2 : flags;
#endif
}

// OpenFrames puts on the stacks what is open when the trace starts, and returns the
// number of the first step after that.
size_t OpenFrames() {
  for (AppThread& thread : app.threads) {
    if (thread.start_ns == 0) {
      thread.alive = true;
      AddThread(thread.thread);
    }
  }
  size_t i = 0;
  for (; i < app.steps.size() && app.steps[i].kind == Step::kOpen; i++) {
    const Step& step = app.steps[i];
    AppThread& thread = app.threads[step.thread];
    thread.stack.push_back(step.method);
    thread.last_cpu_ns = step.cpu_ns;
    app.collecting += app.methods[step.method].collects;
  }
  return i;
}

// Sample lets the sampling thread run as often as it wakes up before a step. At one
// instant the step comes first, but for the end of the trace.
void Sample(const Step& step) {
  if (sampler.Held() && app.collecting == 0 && step.wall_ns > app.collection_end_ns) {
    SetNowNs(app.collection_end_ns);
    sampler.Release();
  }
  while (sampler.Exists() && !sampler.Held() &&
         (sampler.WakeNs() < step.wall_ns ||
          (sampler.WakeNs() == step.wall_ns && step.kind == Step::kStop))) {
    SetNowNs(sampler.WakeNs());
    sampler.Run();
  }
}

void Start(AppThread& thread) {
  thread.alive = true;
  thread.last_wall_ns = ScriptNs();
  AddThread(thread.thread);
}

// End does what Thread::Destroy of the version does for the tracer.
void End(AppThread& thread) {
#if ART_VERSION >= 140
  if (thread.thread->GetMethodTraceBuffer() != nullptr) {
    Trace::FlushThreadBuffer(thread.thread);
  }
#endif
#if ART_VERSION <= 140
  Trace::StoreExitingThreadInfo(thread.thread);
#endif
  thread.alive = false;
  RemoveThread(thread.thread);
}

// Tell tells the tracer of an action.
void Tell(Step::Kind kind, Thread* thread, ArtMethod* method) {
  Trace* trace = Trace::the_trace_;
  if (kind == Step::kEnter) {
    trace->MethodEntered(thread, method);
  } else if (kind == Step::kExit) {
    JValue result;
    trace->MethodExited(thread, method, instrumentation::OptionalFrame{}, result);
  } else {
#if ART_VERSION < 140
    trace->MethodUnwind(thread, Handle<mirror::Object>(), method, 0);
#else
    trace->MethodUnwind(thread, method, 0);
#endif
  }
}

void Act(const Step& step, AppThread& thread) {
  thread.last_wall_ns = ScriptNs();
  thread.last_cpu_ns = step.cpu_ns;
  thread.next_action++;
  bool enters = step.kind == Step::kEnter;
  if (enters) {
    thread.stack.push_back(step.method);
  } else {
    thread.stack.pop_back();
  }
  const AppMethod& method = app.methods[step.method];
  if (method.collects) {
    app.collecting += enters ? 1 : -1;
    if (app.collecting == 0) {
      app.collection_end_ns = NowNs();
    }
  }
  if (Listening() && !method.hidden) {
    Tell(step.kind, thread.thread, Method(step.method));
  }
}

// Replay does the steps from first on.
void Replay(size_t first) {
  for (size_t i = first; i < app.steps.size(); i++) {
    const Step& step = app.steps[i];
    Sample(step);
    SetNowNs(step.wall_ns);
    AppThread& thread = app.threads[step.thread];
    SetCurrentThread(thread.thread);
    switch (step.kind) {
      case Step::kStart:
        Start(thread);
        break;
      case Step::kEnd:
        End(thread);
        break;
      case Step::kStop:
        SetCurrentThread(app.threads[0].thread);
        break;
      default:
        Act(step, thread);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 9 && argc != 11) {
    fprintf(stderr, kUsage, argv[0]);
    return 2;
  }
  const char* out = argv[2];
  bool long_running = strcmp(argv[3], "l") == 0;
  bool sampling = !long_running && Word(argv[3], "i", "s");
  int interval_us = atoi(argv[4]);
  int flags = Flags(argv[5], Word(argv[6], "v1", "v2"));
  bool streaming = Word(argv[7], "file", "stream");
  size_t buffer_bytes = strtoul(argv[8], nullptr, 0);

  app.Read(argv[1]);
  MakeObjects();
  SetNowNs(0);
  if (argc == 11) {
    SetCosts(strtoull(argv[9], nullptr, 0), strtoull(argv[10], nullptr, 0));
  }
  SetCurrentThread(app.threads[0].thread);
  size_t first = OpenFrames();
  if (long_running) {
    ReplayLongRunning(first, out);
    fflush(nullptr);
    _exit(0);
  }
  Trace::Start(out, buffer_bytes, flags, streaming ? OutputMode::kStreaming : OutputMode::kFile,
               sampling ? Trace::TraceMode::kSampling : Trace::TraceMode::kMethodTracing,
               interval_us);
  if (Trace::the_trace_ == nullptr) {
    fprintf(stderr, "the tracer has not started\n");
    return 1;
  }
  if (sampling) {
    sampler.Run();
  }
  Replay(first);
  SetCosts(0, 0);  // the emulation's elapsed time ends where the stop is called
  Trace::Stop();
  fflush(nullptr);
  // Destructors of ART's objects would want a runtime.
  _exit(0);
}
