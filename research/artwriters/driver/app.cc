#include "app.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "clock.h"

App app;

namespace {

// Script reads lines and knows where it is.
class Script {
 public:
  explicit Script(const char* path) : path_(path), in_(path) {}

  std::string Line() {
    std::string line;
    number_++;
    if (!std::getline(in_, line)) {
      Fail("the script ends too early, or cannot be opened");
    }
    return line;
  }

  // Fields returns the parts of a line between tabs, which have to be n.
  std::vector<std::string> Fields(size_t n) {
    std::string line = Line();
    std::vector<std::string> fields;
    size_t start = 0;
    for (size_t tab; (tab = line.find('\t', start)) != std::string::npos; start = tab + 1) {
      fields.push_back(line.substr(start, tab - start));
    }
    fields.push_back(line.substr(start));
    if (fields.size() != n) {
      Fail("wrong number of fields: is the script of another version of artgolden?");
    }
    return fields;
  }

  [[noreturn]] void Fail(const char* what) {
    fprintf(stderr, "%s:%d: %s\n", path_, number_, what);
    exit(2);
  }

 private:
  const char* path_;
  std::ifstream in_;
  int number_ = 0;
};

}  // namespace

void App::Read(const char* path) {
  Script script(path);
  size_t thread_count, method_count, step_count;
  std::stringstream head(script.Line());
  if (!(head >> pid >> thread_count >> method_count >> step_count)) {
    script.Fail("four numbers are expected: process, threads, methods, steps");
  }
  while (threads.size() < thread_count) {
    auto fields = script.Fields(3);
    AppThread thread;
    thread.tid = atoi(fields[0].c_str());
    thread.start_ns = strtoull(fields[1].c_str(), nullptr, 10);
    thread.name = fields[2];
    threads.push_back(thread);
  }
  while (methods.size() < method_count) {
    auto fields = script.Fields(8);
    AppMethod method;
    method.class_name = fields[0];
    method.name = fields[1];
    method.signature = fields[2];
    method.file = fields[3];
    method.waits = fields[4] == "1";
    method.collects = fields[5] == "1";
    method.native = fields[6] == "1";
    method.hidden = fields[7] == "1";
    methods.push_back(method);
  }
  while (steps.size() < step_count) {
    std::stringstream line(script.Line());
    char kind;
    Step step;
    if (!(line >> kind >> step.wall_ns >> step.cpu_ns >> step.thread >> step.method)) {
      script.Fail("a step has a letter and four numbers");
    }
    if (strchr("OSX012Z", kind) == nullptr || step.thread < 0 || step.method < 0 ||
        static_cast<size_t>(step.thread) >= thread_count ||
        static_cast<size_t>(step.method) >= method_count) {
      script.Fail("a step of no known kind, or of a thread or method that is not there");
    }
    step.kind = static_cast<Step::Kind>(kind);
    if (step.IsAction()) {
      threads[step.thread].actions.push_back(steps.size());
    }
    steps.push_back(step);
  }
}

AppThread* App::Of(const art::Thread* t) {
  for (AppThread& thread : threads) {
    if (thread.thread == t) {
      return &thread;
    }
  }
  return nullptr;
}

uint64_t App::CpuNs(const AppThread& thread) const {
  uint64_t running = thread.last_cpu_ns + (ScriptNs() - thread.last_wall_ns);
  if (thread.next_action < thread.actions.size()) {
    return std::min(running, steps[thread.actions[thread.next_action]].cpu_ns);
  }
  if (thread.stack.empty() || methods[thread.stack.back()].waits) {
    return thread.last_cpu_ns;
  }
  return running;
}

int App::SamplerTid() const {
  int highest = 0;
  for (const AppThread& thread : threads) {
    highest = std::max(highest, thread.tid);
  }
  return highest + 1;
}
