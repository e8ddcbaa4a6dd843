// The launcher replays a truth inside Debian's ART 11 while ART's own tracer traces it. Time, thread ids and
// the process id are numbers that the launcher gives out, so that a run has the same bytes each time.
//
//   script.c   reads what is to be replayed and how it is to be traced
//   system.c   stands between ART and the system: clocks, sleeps, ids
//   frames.c   makes the frames of a thread: native methods and interpreted ones that do what they are told
//   replay.c   the director: takes one step after the other, and lets the sampling thread go when it is due
//   stubs.c    libraries that ART wants and Debian has not
#ifndef ART11_H
#define ART11_H

#define _GNU_SOURCE
#include <jni.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef long long ns; // a time or a length in nanoseconds

// What a step of the script does. The first three are the tracer's own actions; OPEN is a call that began before
// the trace, STOP the end of it.
enum op { ENTER = 0, EXIT = 1, UNWIND = 2, OPEN = 'O', START = 'S', END = 'X', STOP = 'Z' };

// Step is one thing that a thread does.
struct step {
  enum op op;
  ns at;     // true time since the trace's start
  ns cpu;    // what the thread's CPU clock shows then
  int thread, method;
  ns late;   // instrumented: how long the event waits for its place in the buffer
  int next;  // the thread's next event, or -1
};

// Thread is one of the app's threads.
struct thread {
  int tid;
  ns start;             // when it starts; 0: before the trace
  char name[128];
  pthread_t id;
  bool alive;
  void *self;           // art::Thread

  // What it is told to do while it is in a native frame, or in none.
  volatile int go;      // it may do it
  volatile int turns;   // how often it has come to wait for that
  int turns_wanted;     // how often it will have when the step is done
  int command, argument;

  // The same for an interpreted frame: see frames.c.
  jobject told, lock[2];
  int seq;

  int *stack, depth, room; // methods of the open frames, hidden ones too
  int shown;               // how many of them ART sees
  ns wall_last, cpu_last;  // of its last event
  int next;                // step of its next event, or -1
  ns delay, extra;         // instrumented: wall and CPU time that tracing has taken so far
};

// Method is one of the truth's methods. A hidden one stands for code of the runtime's own: it has no frame that
// ART could see. A method of a proxy calls two others, FORWARD and HANDLE, which do nothing else.
enum kind { PLAIN = 0, NATIVE = 1, PROXY = 2, FORWARD = 3, HANDLE = 4 };
struct method {
  enum kind kind;
  bool waits, collects, hidden;
  char class[64]; // whose method it is, "v/J0"
  jobject object; // of that class
  jmethodID id;
};

// Script is what is to be done; script.c fills it in.
extern struct script {
  char out[4096];
  bool sampled;
  int interval;            // us
  int clock;               // art::TraceClockSource: 0 thread CPU, 1 wall, 2 both
  bool streaming, debuggable;
  enum { FIRST = 0, AFTER_CALLS = 1, AFTER_SAMPLES = 2 } again; // after another trace
  bool count;              // objects
  int objects, collections; // made while the trace runs
  bool ddms;               // the trace is published as a chunk, not written to a file
  long buffer;             // bytes
  ns start;                // what the wall clock shows when the trace starts
  int pid;
  ns tick, per_thread, per_frame, overshoot; // a sample's pause, and how much too long a sleep is
  ns cpu_read, wall_read, hook;              // an instrumented event's cost
  int threads, methods, steps;
  struct thread *thread;
  struct method *method;
  struct step *step;
} script;
void read_script(const char *path);

// system.c
extern volatile bool virtual_time;     // from here on time is a number
extern volatile ns app_time;           // since the start of the trace, without the pauses of samples
extern volatile ns paused;             // all pauses so far
extern __thread struct thread *me;     // the app's thread that runs here or is stood in for, or none
extern __thread int own_tid;           // what gettid says here
extern volatile int hint;              // counts whatever the director could wait for
extern volatile bool sampler_there, sampler_asleep;
extern volatile ns sampler_wakes;      // app time at which its sleep is over
extern volatile bool stopping;         // the trace is being stopped: nothing is charged any more
extern volatile bool first_microsecond; // every CPU clock shows just that
void prepare_system(void);
void save_time(void);
void wake_sampler(void);               // its sleep is over
void wait_on(volatile int *word, int value, long ms); // until it has another value; 0 ms: for ever
void wake(volatile int *word);
void arrived(void);                    // what the director waits for may have happened
void charge_hook(void);                // an instrumented event that has read its clocks is done
int real_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int real_join(pthread_t, void **);
void listed(struct thread *);          // a thread is at the end of ART's list now; none: one that is not the app's
void unlisted(struct thread *);

// frames.c
enum command { CALL = 1, RETURN, THROW };
extern JavaVM *vm;
extern jclass class_O; // of objects of 48 bytes
void prepare_frames(JNIEnv *);
void prepare_thread(JNIEnv *, struct thread *); // before the trace starts: the constructors would be in it
void run_frames(JNIEnv *, jobject);             // the body of all native methods, and of the threads themselves
void start_thread(JNIEnv *, struct thread *);
void end_thread(struct thread *);
void order(JNIEnv *, struct thread *, enum command, int method); // do it, and wait until it is done

// replay.c
void *direct(void *);
#endif
