// The director: a thread of its own that replays the script step by step. While it waits nothing else happens, so
// every run goes the same way.
#include "art11.h"
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *runtime __asm__("_ZN3art7Runtime9instance_E");
extern bool attach(void *, const char *, bool, jobject, bool) __asm__("_ZN3art7Runtime19AttachCurrentThreadEPKcbP8_jobjectb");
extern void trace_start(const char *, size_t, int, int, int, int) __asm__("_ZN3art5Trace5StartEPKcmiNS0_15TraceOutputModeENS0_9TraceModeEi");
extern void trace_stop(void) __asm__("_ZN3art5Trace4StopEv");
extern void set_clock(int) __asm__("_ZN3art5Trace21SetDefaultClockSourceENS_16TraceClockSourceE");
extern void set_debuggable(void *, bool) __asm__("_ZN3art7Runtime17SetJavaDebuggableEb");
extern void collection_begins(void *, void *, int, int) __asm__("_ZN3art2gc23ScopedGCCriticalSectionC1EPNS_6ThreadENS0_7GcCauseENS0_13CollectorTypeE");
extern void collection_ends(void *) __asm__("_ZN3art2gc23ScopedGCCriticalSectionD1Ev");

// ---- a trace for DDMS
//
// ART publishes it to its callbacks (art::DdmCallback), of which this is one: two destructors, DdmPublishChunk. The file
// then has the chunk as a debugger receives it: type, length, content.

extern void start_ddms(size_t, int, int, int) __asm__("_ZN3art5Trace9StartDDMSEmiNS0_9TraceModeEi") __attribute__((weak));
extern void *callbacks(void *) __asm__("_ZN3art7Runtime19GetRuntimeCallbacksEv") __attribute__((weak));
extern void add_ddm(void *, void *) __asm__("_ZN3art16RuntimeCallbacks14AddDdmCallbackEPNS_11DdmCallbackE") __attribute__((weak));

struct bytes { const unsigned char *at; size_t n; }; // art::ArrayRef

static void put32(FILE *f, unsigned x) {
  for (int shift = 24; shift >= 0; shift -= 8)
    fputc(x >> shift & 0xff, f);
}

static void publish(void *self, unsigned type, const struct bytes *chunk) {
  FILE *f = fopen(script.out, "w");
  if (!f)
    _exit(4);
  put32(f, type);
  put32(f, chunk->n);
  fwrite(chunk->at, 1, chunk->n, f);
  if (fclose(f))
    _exit(4);
}

static void destroy(void *self) {}
static void *ddm_functions[] = {destroy, destroy, publish};
static void *ddm_callback = ddm_functions; // an object: the pointer to its functions

static void start_trace(void) {
  enum { COUNT_ALLOCATIONS = 1 };
  if (script.ddms) {
    add_ddm(callbacks(runtime), &ddm_callback);
    start_ddms(script.buffer, 0, script.sampled, script.interval);
    return;
  }
  trace_start(script.out, script.buffer, script.count ? COUNT_ALLOCATIONS : 0, script.streaming ? 2 : 0, script.sampled, script.interval);
}

static void settle_sampler(void) {
  for (int seen = hint; !__atomic_load_n(&sampler_asleep, __ATOMIC_SEQ_CST); seen = hint)
    wait_on(&hint, seen, 2);
}

// ---- the garbage collector
//
// While a method that collects is open the director holds what a collection holds (ScopedGCCriticalSection), and
// a sample waits for it: art::Trace::RunSamplingThread. Where the collecting thread is when the section ends is a race
// on a device. Here it has done all that it does at that instant.

static char section[256]; // a ScopedGCCriticalSection, and room to spare
static int collecting, collected;
static int opened_collecting; // open when the trace starts, which would wait for a collection to end
static bool sampler_held;

static void collect(JNIEnv *e, int by) {
  enum { CAUSE_FOR_TRACE = 8, COLLECTOR_INSTRUMENTATION = 8 };
  if (!script.sampled)
    return;
  if (by > 0 && collecting++ == 0)
    collection_begins(section, ((void **)e)[1], CAUSE_FOR_TRACE, COLLECTOR_INSTRUMENTATION);
  if (by < 0 && --collecting == 0) {
    collection_ends(section);
    if (sampler_held)
      settle_sampler();
    sampler_held = false;
  }
}

// ---- the steps

// sample runs the samples that are due before an app time.
static void sample(ns before) {
  while (sampler_there && sampler_asleep && sampler_wakes < before) {
    paused += script.tick;
    wake_sampler();
    if (collecting) {
      sampler_held = true;
      return;
    }
    settle_sampler();
  }
}

static void event(JNIEnv *e, const struct step *s) {
  struct thread *t = &script.thread[s->thread];
  enum command command = s->op == EXIT ? RETURN : s->op == UNWIND ? THROW : CALL;
  t->wall_last = s->at, t->cpu_last = s->cpu, t->next = s->next;
  order(e, t, command, s->method);
}

static void sampled(JNIEnv *e, int i) {
  start_trace();
  settle_sampler();
  listed(NULL);
  for (int k = 0; k < opened_collecting; k++)
    collect(e, 1);
  for (; i < script.steps; i++) {
    struct step *s = &script.step[i];
    bool collects = script.method[s->method].collects;
    if (s->at > app_time)
      for (; collected; collected--)
        collect(e, -1);
    sample(s->at);
    if (s->at > app_time)
      app_time = s->at;
    if (s->op == START) {
      start_thread(e, &script.thread[s->thread]);
    } else if (s->op == END) {
      end_thread(&script.thread[s->thread]);
    } else {
      event(e, s);
      if (collects && s->op == ENTER)
        collect(e, 1);
      else if (collects)
        collected++;
    }
  }
}

// stop_sampled stops the trace at a time. A sample that a collection holds up then has taken the_trace_ already
// (Trace::RunSamplingThread): it is taken once the collection ends, and the stop waits for the sleep after it.
static void stop_sampled(JNIEnv *e, ns at) {
  if (at > app_time)
    for (; collected; collected--)
      collect(e, -1);
  sample(at + 1);
  if (at > app_time)
    app_time = at;
  if (collecting) {
    collecting = 1;
    collect(e, -1);
  }
  trace_stop();
}

// ---- instrumented: each thread falls behind by what its own events cost

// place returns when a step gets its place in the trace's buffer, which is the order of the file.
static ns place(const struct step *s, ns trace_began) {
  ns reading = (script.clock != 1 ? script.cpu_read : 0) + (script.clock != 0 ? script.wall_read : 0);
  switch (s->op) {
  case START:
    return s->at + trace_began;
  case END:
    return s->at - 1 + script.thread[s->thread].delay;
  default:
    if (script.method[s->method].hidden)
      reading = 0;
    return s->at + script.thread[s->thread].delay + reading + s->late;
  }
}

static void instrumented_step(JNIEnv *e, const struct step *s, ns trace_began) {
  struct thread *t = &script.thread[s->thread];
  switch (s->op) {
  case START:
    t->delay = trace_began;
    start_thread(e, t);
    break;
  case END:
    end_thread(t);
    break;
  default:
    app_time = s->at + t->delay;
    ns before = app_time;
    event(e, s);
    me = t; // who pays for the rest of the event
    charge_hook();
    me = NULL;
    t->delay += app_time - before;
  }
}

static ns instrumented(JNIEnv *e, int i, ns end) {
  me = &script.thread[0]; // it is the main thread that starts the trace, and pays for that
  start_trace();
  charge_hook();
  me = NULL;
  ns began = app_time, last = app_time;
  for (int k = 0; k < script.threads; k++)
    script.thread[k].delay = began;
  int *head = malloc(script.threads * sizeof *head), *after = malloc(script.steps * sizeof *after);
  for (int k = 0; k < script.threads; k++)
    head[k] = -1;
  for (int k = script.steps - 1; k >= i; k--) // each thread's steps, one after the other
    after[k] = head[script.step[k].thread], head[script.step[k].thread] = k;
  for (;;) {
    int best = -1;
    ns first = LLONG_MAX;
    for (int k = 0; k < script.threads; k++) {
      ns at = head[k] < 0 ? LLONG_MAX : place(&script.step[head[k]], began);
      if (at < first || (at == first && at < LLONG_MAX && head[k] < best))
        best = head[k], first = at;
    }
    if (best < 0)
      break;
    struct step *s = &script.step[best];
    head[s->thread] = after[best];
    instrumented_step(e, s, began);
    if (first > last)
      last = first;
  }
  ns stop = end + began;
  for (int k = 0; k < script.threads; k++)
    if (script.thread[k].alive && end + script.thread[k].delay > stop)
      stop = end + script.thread[k].delay;
  return stop > last ? stop : last;
}

// ---- a trace before the trace

// trace_before has ART write another trace, which meets each thread that is there, once, at its first microsecond of CPU
// time.
static void trace_before(JNIEnv *e) {
  char out[sizeof script.out + 8];
  snprintf(out, sizeof out, "%s.before", script.out);
  set_clock(script.clock);
  virtual_time = first_microsecond = true;
  bool samples = script.again == AFTER_SAMPLES;
  trace_start(out, 8 << 20, 0, 0, samples, script.interval);
  if (samples)
    settle_sampler();
  int shown = 0;
  while (shown < script.methods - 1 && script.method[shown].hidden)
    shown++;
  for (int k = 0; k < script.threads; k++)
    if (script.thread[k].start == 0) {
      order(e, &script.thread[k], CALL, shown);
      if (!samples)
        order(e, &script.thread[k], RETURN, shown);
    }
  if (samples) {
    wake_sampler();
    settle_sampler();
  }
  trace_stop();
  for (int k = 0; samples && k < script.threads; k++)
    if (script.thread[k].start == 0)
      order(e, &script.thread[k], RETURN, shown);
  virtual_time = first_microsecond = false;
  app_time = paused = 0;
}

// ---- objects
//
// The allocation statistics of a trace count all objects, and the collections that an allocation waits for.

extern int collect_garbage(void *, int, int, bool) __asm__("_ZN3art2gc4Heap22CollectGarbageInternalENS0_9collector6GcTypeENS0_7GcCauseEb") __attribute__((weak));

static void make_objects(JNIEnv *e) {
  enum { HEAP = 0x1a0, FULL = 3, FOR_ALLOC = 1, EXPLICIT = 3 }; // HEAP: of art::Runtime::heap_, in this one version of ART
  for (int i = 0; i < script.objects; i++)
    (*e)->DeleteLocalRef(e, (*e)->AllocObject(e, class_O));
  for (int i = 0; i < script.collections; i++) {
    collect_garbage(*(void **)((char *)runtime + HEAP), FULL, FOR_ALLOC, false);
    collect_garbage(*(void **)((char *)runtime + HEAP), FULL, EXPLICIT, false); // is not counted
  }
}

// ---- all of it

void *direct(void *p) {
  volatile int *ready = p;
  JNIEnv *e;
  own_tid = 1;
  attach(runtime, "ctl", false, NULL, false);
  (*vm)->GetEnv(vm, (void **)&e, JNI_VERSION_1_6);
  for (int k = 0; k < script.threads; k++)
    prepare_thread(e, &script.thread[k]);
  script.thread[0].turns_wanted++;
  *ready = 1;
  wake(ready);
  while (__atomic_load_n(&script.thread[0].turns, __ATOMIC_SEQ_CST) < 1)
    usleep(100);
  listed(&script.thread[0]);
  for (int own = 0; own < 4; own++) // two workers, the signal catcher, the director
    listed(NULL);
  for (int k = 1; k < script.threads; k++)
    if (script.thread[k].start == 0)
      start_thread(e, &script.thread[k]);
  if (script.again && script.methods)
    trace_before(e);
  int i = 0;
  for (; i < script.steps && script.step[i].op == OPEN; i++) {
    event(e, &script.step[i]);
    opened_collecting += script.method[script.step[i].method].collects;
  }
  ns end = script.step[script.steps - 1].at;
  script.steps--; // the last one only tells when the trace is stopped
  set_clock(script.clock);
  virtual_time = true;
  if (script.sampled) {
    sampled(e, i);
    stop_sampled(e, end);
  } else {
    app_time = instrumented(e, i, end);
    stopping = true;
    if (script.count)
      make_objects(e);
    trace_stop();
  }
  fflush(NULL);
  _exit(0); // not exit: ART's threads still run
}

// print_methods writes the truth's methods in the order of their addresses, which is that of the file's table.
static void print_methods(void) {
  for (int i = 0; i < script.methods; i++)
    printf("%p %d\n", (void *)script.method[i].id, i);
  fflush(stdout);
}

// art11 SCRIPT -Xoption...
int main(int count, char **args) {
  JavaVMOption options[64];
  int n = 0;
  prepare_system();
  save_time();
  read_script(args[1]);
  me = &script.thread[0], own_tid = me->tid, me->id = pthread_self(), me->alive = true;
  for (int i = 2; i < count && n < 64; i++)
    options[n++] = (JavaVMOption){args[i], NULL};
  JavaVMInitArgs a = {JNI_VERSION_1_6, n, options, JNI_FALSE};
  JNIEnv *e;
  if (JNI_CreateJavaVM(&vm, (void **)&e, &a)) {
    fprintf(stderr, "art11: the runtime does not start\n");
    return 2;
  }
  prepare_frames(e);
  print_methods();
  if (script.debuggable)
    set_debuggable(runtime, true);
  int ready = 0;
  pthread_t director;
  real_create(&director, NULL, direct, &ready);
  while (!__atomic_load_n(&ready, __ATOMIC_SEQ_CST))
    wait_on(&ready, 0, 0);
  run_frames(e, NULL);
  for (;;)
    pause(); // the main thread has ended before the trace
}
