// The app that a script describes: what artgolden.Truth.Script writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace art {
class Thread;
}

// AppMethod is a method of the app.
struct AppMethod {
  std::string class_name;  // with dots
  std::string name;
  std::string signature;
  std::string file;
  bool waits;     // its own time uses no CPU
  bool collects;  // the garbage collector works while it is open
  bool native;    // or inlined: it has no compiled code of its own
  bool hidden;    // of the runtime: it has no frame
};

// AppThread is a thread of the app, and where it is at the moment.
struct AppThread {
  int tid;
  uint64_t start_ns;
  std::string name;

  art::Thread* thread = nullptr;  // what the tracer knows of it
  bool alive = false;
  std::vector<int> stack;  // methods, outermost first

  std::vector<size_t> actions;  // its steps that enter or leave a method
  size_t next_action = 0;       // the first of them that has not happened
  uint64_t last_wall_ns = 0;    // time of the last one
  uint64_t last_cpu_ns = 0;     // and the thread's CPU clock then
  uint64_t taken_ns = 0;        // by reads of clocks; not part of these
};

// Step is one thing that happens.
struct Step {
  enum Kind : char {
    kOpen = 'O',    // a method is open when the trace starts
    kStart = 'S',   // a thread starts
    kEnd = 'X',     // a thread has ended
    kEnter = '0',   // a method is entered,
    kExit = '1',    // returns,
    kUnwind = '2',  // or is left by an exception
    kStop = 'Z',    // the trace stops
  };
  Kind kind;
  uint64_t wall_ns;
  uint64_t cpu_ns;
  int thread;
  int method;

  bool IsAction() const { return kind == kEnter || kind == kExit || kind == kUnwind; }
};

// App is the whole of it.
struct App {
  int pid = 0;
  std::vector<AppThread> threads;
  std::vector<AppMethod> methods;
  std::vector<Step> steps;  // by time

  int collecting = 0;              // methods open that collect
  uint64_t collection_end_ns = 0;  // when the last of them was left

  // Read reads a script. It ends the program if the script cannot be read.
  void Read(const char* path);

  // Of returns the thread that the tracer knows as t, or null.
  AppThread* Of(const art::Thread* t);

  // CpuNs returns the CPU clock of a thread now, without reads of clocks. Between two actions the thread runs
  // until its clock shows what it shows at the second one. After its last action it
  // runs on, unless its innermost method waits or it has none.
  uint64_t CpuNs(const AppThread& thread) const;

  // SamplerTid returns a tid for the tracer's own thread: the one after the app's.
  int SamplerTid() const;
};

extern App app;
