#include "sampler.h"

#include <pthread.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "app.h"
#include "clock.h"
#include "stubs.h"

Sampler sampler;

namespace {

constexpr size_t kStackBytes = 1 << 20;
constexpr pthread_t kHandle = 77;  // any number: the tracer compares it with itself

ucontext_t main_context;
ucontext_t sampler_context;
art::Thread* sampler_thread;  // which Thread it is for the tracer, once it is attached

}  // namespace

void Sampler::Main() {
  sampler.body_(sampler.argument_);
  sampler.exists_ = false;
  sampler_thread = nullptr;
  sampler.Yield();
}

void Sampler::Yield() { swapcontext(&sampler_context, &main_context); }

void Sampler::Run() {
  art::Thread* caller = CurrentThread();
  if (sampler_thread != nullptr) {
    SetCurrentThread(sampler_thread);
  }
  swapcontext(&main_context, &sampler_context);
  if (exists_) {
    sampler_thread = CurrentThread();
  }
  SetCurrentThread(caller);
}

void Sampler::Hold() {
  held_ = true;
  Yield();
}

void Sampler::Release() {
  held_ = false;
  Run();
}

void Sampler::Create(void* (*body)(void*), void* argument) {
  static std::vector<char> stack(kStackBytes);
  body_ = body;
  argument_ = argument;
  exists_ = true;
  getcontext(&sampler_context);
  sampler_context.uc_stack.ss_sp = stack.data();
  sampler_context.uc_stack.ss_size = stack.size();
  makecontext(&sampler_context, Main, 0);
}

// The trace has stopped. A thread that the collector holds goes on at once, as no step
// follows that would let it; then it wakes up once more and sees the stop.
void Sampler::Join() {
  if (exists_ && held_) {
    app.collecting = 0;
    Release();
  }
  if (exists_) {
    SetNowNs(std::max(NowNs(), wake_ns_));
    Run();
  }
}

// Whoever sleeps while there is no sampling thread is the only thread: the clock moves.
void Sampler::Sleep(uint64_t ns) {
  if (!exists_) {
    SetNowNs(NowNs() + ns);
    return;
  }
  wake_ns_ = NowNs() + ns;
  Yield();
}

// What the tracer's calls of the C library become.
extern "C" {

int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t*, void* (*body)(void*),
                          void* argument) {
  *thread = kHandle;
  sampler.Create(body, argument);
  return 0;
}

int __wrap_pthread_join(pthread_t, void**) {
  sampler.Join();
  return 0;
}

pthread_t __wrap_pthread_self() { return kHandle; }

int __wrap_usleep(useconds_t us) {
  sampler.Sleep(uint64_t{us} * 1000);
  return 0;
}

pid_t __wrap_getpid() { return app.pid; }

}  // extern "C"
