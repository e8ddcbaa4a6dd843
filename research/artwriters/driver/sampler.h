// The tracer's sampling thread, which runs as a coroutine of the only real thread.
// The tracer makes it by pthread_create and puts it to sleep by usleep; the linker
// turns both, and what goes with them, to sampler.cc (--wrap).
#pragma once

#include <cstdint>

// Sampler is the thread, if the tracer has made it.
class Sampler {
 public:
  // Exists says whether it has been made and has not returned.
  bool Exists() const { return exists_; }

  // Held says whether it waits for the garbage collector.
  bool Held() const { return held_; }

  // WakeNs is when its sleep ends.
  uint64_t WakeNs() const { return wake_ns_; }

  // Run lets it run until it sleeps, is held, or returns.
  void Run();

  // Hold is called by the thread itself: it stands still until Release.
  void Hold();

  // Release ends the hold and lets it run.
  void Release();

  // What pthread_create, pthread_join and usleep do.
  void Create(void* (*body)(void*), void* argument);
  void Join();
  void Sleep(uint64_t ns);

 private:
  static void Main();
  void Yield();

  bool exists_ = false;
  bool held_ = false;
  uint64_t wake_ns_ = 0;
  void* (*body_)(void*) = nullptr;
  void* argument_ = nullptr;
};

extern Sampler sampler;
