// The functions of ART that the tracer calls and that are not linked, written anew for
// one real thread, a virtual clock and the app of the script. What the tracer does not
// reach is missing here: the build makes stubs of it that say their name and end the
// program.
#include "stubs.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "android-base/logging.h"
#include "app.h"
#include "art_method-inl.h"
#include "class_linker.h"
#include "clock.h"
#include "gc/heap.h"
#include "gc/scoped_gc_critical_section.h"
#include "instrumentation.h"
#include "jit/jit.h"
#include "mirror/class-inl.h"
#include "runtime.h"
#include "runtime_callbacks.h"
#include "sampler.h"
#include "stack.h"
#include "thread.h"
#include "thread_list.h"
#include "thread_pool.h"
#include "trace.h"

// ART 16 writes past the end of a buffer when format V2 overflows one. Room behind each
// array lets it, and zeros make what it reads there the same every time.
void* operator new[](std::size_t bytes) {
  constexpr size_t kRoom = 1 << 16;
  void* memory = calloc(1, bytes + kRoom);
  if (memory == nullptr) {
    abort();
  }
  return memory;
}

void operator delete[](void* memory) noexcept { free(memory); }

// ---- The clock.

// VirtualCounter is what rdtsc reads (machine.h): microseconds, from 16 on nanoseconds. A read
// takes VirtualStep of them.
extern "C" {
uint64_t VirtualCounter;
uint64_t VirtualStep;
}

namespace {

constexpr uint64_t kUnitNs = ART_VERSION >= 160 ? 1 : 1000;

uint64_t script_ns;
uint64_t charged_ns;     // cost of the reads up to the last change of the clock
uint64_t counter_then;   // VirtualCounter at that change
uint64_t at_switch_ns;   // cost of the reads up to the last change of the current thread
uint64_t cpu_cost_ns;

uint64_t Taken() { return charged_ns + (VirtualCounter - counter_then) * kUnitNs; }

void SetClock(uint64_t ns, uint64_t taken_ns) {
  script_ns = ns;
  charged_ns = taken_ns;
  VirtualCounter = counter_then = (ns + taken_ns) / kUnitNs;
}

// Charge adds the cost of a read that is a call.
void Charge(uint64_t ns) { SetClock(script_ns, Taken() + ns); }

}  // namespace

uint64_t NowNs() { return script_ns + Taken(); }

uint64_t ScriptNs() { return script_ns; }

void SetNowNs(uint64_t ns) { SetClock(ns, Taken()); }

void SetCosts(uint64_t cpu_read_ns, uint64_t wall_read_ns) {
  cpu_cost_ns = cpu_read_ns;
  VirtualStep = wall_read_ns / kUnitNs;
}

// ---- The log: warnings go to standard error, and a fatal one ends the program.

// Missing is called by the build's stubs.
extern "C" [[noreturn]] void Missing(const char* symbol) {
  fprintf(stderr, "the tracer calls what the driver has no stub of: %s\n", symbol);
  _exit(3);
}

namespace android::base {

class LogMessageData {
 public:
  LogSeverity severity;
};

LogMessage::LogMessage(const char* file, unsigned int line, LogSeverity severity, const char*, int)
    : data_(new LogMessageData{severity}) {
  std::cerr << file << ":" << line << ": ";
}

LogMessage::~LogMessage() {
  std::cerr << std::endl;
  if (data_->severity >= FATAL) {
    _exit(4);
  }
}

std::ostream& LogMessage::stream() { return std::cerr; }

bool ShouldLog(LogSeverity severity, const char*) { return severity >= WARNING; }

}  // namespace android::base

namespace art {

uint64_t NanoTime() {
  Charge(VirtualStep * kUnitNs);
  return NowNs();
}
uint64_t MicroTime() { return NanoTime() / 1000; }

// ---- Threads.

static uint64_t CpuNsOf(const Thread* thread) {
  Charge(cpu_cost_ns);
  const AppThread* known = app.Of(thread);
  if (known == nullptr) {
    return 0;
  }
  uint64_t own = thread == CurrentThread() ? Taken() - at_switch_ns : 0;
  return app.CpuNs(*known) + known->taken_ns + own;
}

thread_local Thread* Thread::self_tls_;
bool Thread::is_started_;
ConditionVariable* Thread::resume_cond_;

uint64_t Thread::GetCpuMicroTime() const { return CpuNsOf(this) / 1000; }
#if ART_VERSION >= 160
uint64_t Thread::GetCpuNanoTime() const { return CpuNsOf(this); }
#endif

void Thread::GetThreadName(std::string& name) const {
  const AppThread* known = app.Of(this);
  name = known == nullptr ? "Sampling Profiler" : known->name;
}

void ThreadList::ForEach(void (*f)(Thread*, void*), void* context) {
  for (Thread* thread : list_) {
    f(thread, context);
  }
}

// The tracer attaches its sampling thread only.
static Thread* attached_by;

static bool AttachSampler() {
  attached_by = CurrentThread();
  Thread* thread = NewThread(app.SamplerTid());
  AddThread(thread);
  SetCurrentThread(thread);
  return true;
}

static void DetachSampler() {
#if ART_VERSION <= 140
  // The runtime tells the tracer of every thread that goes, its own one too.
  Trace::StoreExitingThreadInfo(CurrentThread());
#endif
  RemoveThread(CurrentThread());
  SetCurrentThread(attached_by);
}

#if ART_VERSION < 140
bool Runtime::AttachCurrentThread(const char*, bool, jobject, bool) { return AttachSampler(); }
void Runtime::DetachCurrentThread() { DetachSampler(); }
#else
bool Runtime::AttachCurrentThread(const char*, bool, jobject, bool, bool) {
  return AttachSampler();
}
void Runtime::DetachCurrentThread(bool) { DetachSampler(); }
#endif

// ---- Locks: there is one thread, so that nobody waits.

BaseMutex::BaseMutex(const char* name, LockLevel level)
    : name_(name), level_(level), should_respond_to_empty_checkpoint_request_(false) {}
BaseMutex::~BaseMutex() {}

Mutex::Mutex(const char* name, LockLevel level, bool recursive)
    : BaseMutex(name, level), exclusive_owner_(0), recursion_count_(0), recursive_(recursive) {}
Mutex::~Mutex() {}
void Mutex::ExclusiveLock(Thread*) {}
void Mutex::ExclusiveUnlock(Thread*) {}

ConditionVariable::ConditionVariable(const char* name, Mutex& guard) : name_(name), guard_(guard) {}
ConditionVariable::~ConditionVariable() {}
void ConditionVariable::Wait(Thread*) { Missing("ConditionVariable::Wait"); }
void ConditionVariable::WaitHoldingLocks(Thread*) { Missing("ConditionVariable::Wait"); }
void ConditionVariable::Signal(Thread*) {}
void ConditionVariable::Broadcast(Thread*) {}

Mutex* Locks::trace_lock_;
Mutex* Locks::thread_list_lock_;
Mutex* Locks::thread_suspend_count_lock_;

ScopedSuspendAll::ScopedSuspendAll(const char*, bool) {}
ScopedSuspendAll::~ScopedSuspendAll() {}

// ---- The collector holds the sampling thread while it works, and nobody else.

gc::ScopedGCCriticalSection::ScopedGCCriticalSection(Thread* self, GcCause, CollectorType)
    : critical_section_(self, "driver") {
  if (self == nullptr || self->GetTid() != app.SamplerTid()) {
    return;
  }
  while (app.collecting > 0) {
    sampler.Hold();
  }
}
gc::ScopedGCCriticalSection::~ScopedGCCriticalSection() {}

// ---- The pool of threads that write to the file (from 14 QPR2 on): a task runs at once.

#if ART_VERSION >= 145
#if ART_VERSION < 150
#define POOL_CLASS ThreadPool
#else
#define POOL_CLASS AbstractThreadPool
#endif
POOL_CLASS::POOL_CLASS(const char* name, size_t, bool, size_t)
    : name_(name),
      task_queue_lock_("task queue"),
      task_queue_condition_("task queue condition", task_queue_lock_),
      completion_condition_("completion condition", task_queue_lock_),
      creation_barier_(0),
      create_peers_(false),
      worker_stack_size_(0) {}
void POOL_CLASS::CreateThreads() {}
void POOL_CLASS::WaitForWorkersToBeCreated() {}
void POOL_CLASS::StartWorkers(Thread*) {}
void POOL_CLASS::StopWorkers(Thread*) {}
void POOL_CLASS::Wait(Thread*, bool, bool) {}

ThreadPool::~ThreadPool() {}
void ThreadPool::AddTask(Thread* self, Task* task) {
  task->Run(self);
  task->Finalize();
}
size_t ThreadPool::GetTaskCount(Thread*) { return 0; }
void ThreadPool::RemoveAllTasks(Thread*) {}
Task* ThreadPool::TryGetTaskLocked() { return nullptr; }

Barrier::Barrier(int, bool verify) : count_(0), verify_count_on_shutdown_(verify) {}
Barrier::~Barrier() {}
#endif

// ---- The rest of the runtime.

Runtime* Runtime::instance_;
void Runtime::DeoptimizeBootImage() {}
void Runtime::SetStatsEnabled(bool) {}
bool Runtime::UseJitCompilation() const { return false; }
jobject Runtime::GetSystemThreadGroup() const { return nullptr; }
#if ART_VERSION >= 140
void Runtime::SetRuntimeDebugState(RuntimeDebugState state) { runtime_debug_state_ = state; }
#endif

RuntimeCallbacks* Runtime::GetRuntimeCallbacks() {
  static auto* callbacks = static_cast<RuntimeCallbacks*>(calloc(1, sizeof(RuntimeCallbacks)));
  return callbacks;
}
void RuntimeCallbacks::AddClassLoadCallback(ClassLoadCallback*) {}
void RuntimeCallbacks::RemoveClassLoadCallback(ClassLoadCallback*) {}

jit::ScopedJitSuspend::ScopedJitSuspend() {}
jit::ScopedJitSuspend::~ScopedJitSuspend() {}

extern "C" int PaletteTraceBegin(const char*) { return 0; }
extern "C" int PaletteTraceEnd() { return 0; }

extern const bool gUseReadBarrier = false;
extern const bool gUseUserfaultfd = false;

// ---- Names that ART does not read of a dex file, and the classes.

std::string mirror::Class::PrettyDescriptor() {
  return app.methods[Classes().at(this)].class_name;
}

const char* mirror::Class::GetSourceFile() { return app.methods[Classes().at(this)].file.c_str(); }

// A prototype has its method's number.
std::string Signature::ToString() const {
  return app.methods[proto_id_ - dex_file_->proto_ids_].signature;
}

ArtMethod* ArtMethod::GetNonObsoleteMethod() { return this; }

void ClassLinker::VisitClasses(ClassVisitor* visitor) {
  for (const auto& [object, method] : Classes()) {
    auto* klass = static_cast<mirror::Class*>(const_cast<void*>(object));
    (*visitor)(ObjPtr<mirror::Class>(klass));
  }
}

// ---- The walk of a stack: the frames of the app's thread, innermost first.

static ArtMethod* visited;

StackVisitor::StackVisitor(Thread* thread, Context* context, StackWalkKind kind, bool)
    : thread_(thread),
      walk_kind_(kind),
      cur_shadow_frame_(nullptr),
      cur_quick_frame_(nullptr),
      cur_quick_frame_pc_(0),
      cur_oat_quick_method_header_(nullptr),
      num_frames_(0),
      cur_depth_(0),
      cur_inline_info_(nullptr, CodeInfo()),
      cur_stack_map_(0, StackMap()),
      context_(context),
      check_suspended_(false) {}

ArtMethod* StackVisitor::GetMethod() const { return visited; }

template <StackVisitor::CountTransitions kCount>
void StackVisitor::WalkStack(bool) {
  const AppThread* thread = app.Of(thread_);
  if (thread == nullptr) {
    return;
  }
  for (size_t i = thread->stack.size(); i-- > 0;) {
    int method = thread->stack[i];
    if (app.methods[method].hidden) {
      continue;
    }
    visited = Method(method);
    // Only the long-running methods of 16 ask for the header: any one means compiled code.
    static const uint64_t kHeader[8] = {};
    cur_oat_quick_method_header_ = app.methods[method].native
                                       ? nullptr
                                       : reinterpret_cast<const OatQuickMethodHeader*>(kHeader);
    if (!VisitFrame()) {
      return;
    }
  }
}
template void StackVisitor::WalkStack<StackVisitor::CountTransitions::kYes>(bool);
template void StackVisitor::WalkStack<StackVisitor::CountTransitions::kNo>(bool);

// ---- Instrumentation: main.cc tells the tracer of calls while it listens.

namespace instrumentation {

static InstrumentationListener* listener;

void InstrumentationListener::FieldWritten(Thread*, Handle<mirror::Object>, ArtMethod*, uint32_t,
                                           ArtField*, Handle<mirror::Object>) {}

#if ART_VERSION < 145
void Instrumentation::AddListener(InstrumentationListener* l, uint32_t) { listener = l; }
void Instrumentation::RemoveListener(InstrumentationListener*, uint32_t) { listener = nullptr; }
#else
void Instrumentation::AddListener(InstrumentationListener* l, uint32_t, bool) { listener = l; }
void Instrumentation::RemoveListener(InstrumentationListener*, uint32_t, bool) {
  listener = nullptr;
}
#endif

// ReportOpenFrames tells of the frames that are open when tracing starts, thread by
// thread and outermost first, as InstrumentThreadStack of ART's instrumentation.cc does.
static void ReportOpenFrames(InstrumentationListener* l) {
  for (const AppThread& thread : app.threads) {
    if (!thread.alive) {
      continue;
    }
    for (int method : thread.stack) {
      if (!app.methods[method].hidden) {
        l->MethodEntered(thread.thread, Method(method));
      }
    }
  }
}

#if ART_VERSION < 140
void Instrumentation::EnableMethodTracing(const char*, bool) { ReportOpenFrames(listener); }
#else
void Instrumentation::EnableMethodTracing(const char*, InstrumentationListener* l, bool) {
  ReportOpenFrames(l);
}
void Instrumentation::UpdateEntrypointsForDebuggable() {}
#endif
void Instrumentation::DisableMethodTracing(const char*) {}
#if ART_VERSION == 140
void Instrumentation::MaybeSwitchRuntimeDebugState(Thread*) {}
#endif

}  // namespace instrumentation
}  // namespace art

void AddThread(art::Thread* thread) {
  art::Runtime::instance_->thread_list_->list_.push_back(thread);
}

void RemoveThread(art::Thread* thread) {
  art::Runtime::instance_->thread_list_->list_.remove(thread);
}

art::Thread* CurrentThread() { return art::Thread::self_tls_; }

void SetCurrentThread(art::Thread* thread) {
  if (AppThread* known = app.Of(art::Thread::self_tls_)) {
    known->taken_ns += Taken() - at_switch_ns;
  }
  at_switch_ns = Taken();
  art::Thread::self_tls_ = thread;
}

bool Listening() { return art::instrumentation::listener != nullptr; }
