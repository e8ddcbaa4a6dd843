#include "longrun.h"

#include <cstdio>
#include <cstdlib>

#include "app.h"
#include "clock.h"
#include "stubs.h"

#if ART_VERSION < 160

void ReplayLongRunning(size_t, const char*) {
  fprintf(stderr, "this version cannot trace long-running methods\n");
  exit(2);
}

#else

#include "arch/context.h"
#include "barrier.h"
#include "gc/heap.h"
#include "gc/task_processor.h"
#include "oat/oat_quick_method_header.h"
#include "thread.h"
#include "thread_list.h"
#include "trace_profile.h"

namespace art {

// What trace_profile.cc calls. There is one real thread, so a checkpoint runs at once.
size_t ThreadList::RunCheckpoint(Closure* checkpoint, Closure*, bool, bool) {
  for (Thread* thread : list_) {
    checkpoint->Run(thread);
  }
  return 0;
}
bool gc::Heap::AddHeapTask(gc::HeapTask*) { return true; }
void Barrier::Pass(Thread*) {}
Context* Context::Create() { return nullptr; }
bool OatQuickMethodHeader::IsNterpMethodHeader() const { return false; }
void Thread::UpdateTlsLowOverheadTraceEntrypoints(LowOverheadTraceType) {}

}  // namespace art

namespace {

using namespace art;

// Longer than any truth, so that the profile is dumped before the tracer stops.
constexpr uint64_t kDurationNs = uint64_t{1} << 60;

// Enter does what compiled code does at a method's entry: the steps of
// art_quick_record_long_running_entry_trace_event of arm64, the only processor that has it.
void Enter(Thread* thread, ArtMethod* method) {
  uintptr_t** current = thread->GetTraceBufferCurrEntryPtr();
  uintptr_t* next = *current - 2;
  if (next < thread->GetMethodTraceBuffer()) {
    TraceProfiler::FlushBufferAndRecordTraceEvent(method, thread, /* is_entry= */ true);
    return;
  }
  next[1] = reinterpret_cast<uintptr_t>(method);
  next[0] = NowNs() & ~uintptr_t{1};
  *current = next;
}

// Leave does what it does at an exit: art_quick_record_long_running_exit_trace_event.
void Leave(Thread* thread) {
  uintptr_t** current = thread->GetTraceBufferCurrEntryPtr();
  uintptr_t* last = *current;
  if (last <= thread->GetMethodTraceBuffer()) {
    TraceProfiler::FlushBufferAndRecordTraceEvent(nullptr, thread, /* is_entry= */ false);
    return;
  }
  bool after_exit = (*last & 1) != 0;
  if (!after_exit && NowNs() - *last < kLongRunningMethodThreshold) {
    *current = last + 2;
    return;
  }
  *--last = NowNs() | 1;
  *current = last;
}

}  // namespace

void ReplayLongRunning(size_t first, const char* out) {
  TraceProfiler::StartTraceLongRunningMethods(kDurationNs);
  for (size_t i = first; i < app.steps.size(); i++) {
    const Step& step = app.steps[i];
    AppThread& thread = app.threads[step.thread];
    SetNowNs(step.wall_ns);
    SetCurrentThread(thread.thread);
    const AppMethod& method = app.methods[step.method];
    switch (step.kind) {
      case Step::kStart:
        AddThread(thread.thread);
        TraceProfiler::AllocateBuffer(thread.thread);
        break;
      case Step::kEnd:
        TraceProfiler::ReleaseThreadBuffer(thread.thread);
        RemoveThread(thread.thread);
        break;
      case Step::kStop:
        SetCurrentThread(app.threads[0].thread);
        break;
      default:
        if (method.native || method.hidden) {
          break;
        }
        if (step.kind == Step::kEnter) {
          Enter(thread.thread, Method(step.method));
        } else {
          Leave(thread.thread);
        }
    }
  }
  TraceProfiler::Dump(out);
}

#endif
