// What ART asks of the system. The launcher's functions stand before those of libc, as the dynamic linker takes
// the program's own first.
#include "art11.h"
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

volatile bool virtual_time, first_microsecond, stopping, sampler_there, sampler_asleep;
volatile ns app_time, paused, sampler_wakes;
volatile int hint;
__thread struct thread *me;
__thread int own_tid;

// kernel makes a system call: libc's syscall is one of those that stand here, and is wanted before the dynamic
// linker could look the real one up.
static long kernel(long n, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
  return result;
}

// ---- waiting

void wait_on(volatile int *word, int value, long ms) {
  struct timespec t = {ms / 1000, ms % 1000 * 1000000};
  kernel(SYS_futex, (long)word, FUTEX_WAIT_PRIVATE, value, ms ? (long)&t : 0, 0, 0);
}

void wake(volatile int *word) { kernel(SYS_futex, (long)word, FUTEX_WAKE_PRIVATE, INT_MAX, 0, 0, 0); }

void arrived(void) {
  __atomic_add_fetch(&hint, 1, __ATOMIC_SEQ_CST);
  wake(&hint);
}

// ---- ids and threads

static int (*libc_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static int (*libc_setname)(pthread_t, const char *);
static int (*libc_sigwait)(const sigset_t *, int *);
static int (*libc_join)(pthread_t, void **);
static int (*libc_cpuclock)(pthread_t, clockid_t *);
static char *micro_time; // art::MicroTime, and the bytes of its code in this one version of ART
enum { MICRO_TIME_SIZE = 0x60, MAIN_STACK = 2 << 20 };

void prepare_system(void) {
  libc_create = dlsym(RTLD_NEXT, "pthread_create");
  libc_setname = dlsym(RTLD_NEXT, "pthread_setname_np");
  libc_sigwait = dlsym(RTLD_NEXT, "sigwait");
  libc_join = dlsym(RTLD_NEXT, "pthread_join");
  libc_cpuclock = dlsym(RTLD_NEXT, "pthread_getcpuclockid");
  micro_time = dlsym(RTLD_DEFAULT, "_ZN3art9MicroTimeEv");
}

// save_time keeps the process to one core, as only one of its threads has anything to do at a time: a thread of another
// core is woken several times as slowly. Nor does ART touch each page of a stack of 8 MiB: Thread::InstallImplicitProtection.
void save_time(void) {
  cpu_set_t here;
  CPU_ZERO(&here);
  CPU_SET(sched_getcpu(), &here);
  sched_setaffinity(0, sizeof here, &here);
  struct rlimit stack;
  if (!getrlimit(RLIMIT_STACK, &stack) && stack.rlim_cur > MAIN_STACK) {
    stack.rlim_cur = MAIN_STACK;
    setrlimit(RLIMIT_STACK, &stack);
  }
}

// memset gives the inner pages of a large block back, to be pages of zeros at their first use: ART clears the 8 MiB of a
// trace's buffer, of which most truths fill little.
void *memset(void *p, int byte, size_t n) {
  enum { LARGE = 1 << 20, PAGE = 4096 };
  char *at = p;
  if (n >= LARGE && !byte) {
    char *first = (char *)(((uintptr_t)at + PAGE - 1) & -PAGE), *last = (char *)((uintptr_t)(at + n) & -PAGE);
    if (!madvise(first, last - first, MADV_DONTNEED)) {
      memset(at, 0, first - at);
      memset(last, 0, at + n - last);
      return p;
    }
  }
  __asm__ volatile("rep stosb" : "+D"(at), "+c"(n) : "a"(byte) : "memory");
  return p;
}

int real_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *x) { return libc_create(t, a, f, x); }
int real_join(pthread_t t, void **r) { return libc_join(t, r); }

pid_t getpid(void) { return script.pid ? script.pid : kernel(SYS_getpid, 0, 0, 0, 0, 0, 0); }

// ART starts as many workers as the machine has cores, up to four, and lists them.
int get_nprocs(void) { return 2; }
int get_nprocs_conf(void) { return 2; }

// ART's own threads have tids in the order of their creation: workers, the signal catcher, the sampling thread.
static int last_own_tid = 30000;

struct birth { void *(*f)(void *); void *x; int tid; };
static volatile int idle;         // the thread that was created last waits for something
static __thread bool newborn, named;

static void *born(void *p) {
  struct birth b = *(struct birth *)p;
  free(p);
  own_tid = b.tid, newborn = true;
  return b.f(b.x);
}

// Each of ART's threads is waited for until it is listed and idle, so that the list is the same each time.
int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *x) {
  if (!libc_create)
    prepare_system();
  if (virtual_time)
    return libc_create(t, a, f, x);
  struct birth *b = malloc(sizeof *b);
  *b = (struct birth){f, x, ++last_own_tid};
  idle = 0;
  int result = libc_create(t, a, born, b);
  for (int i = 0; !result && i < 10000 && !idle; i++)
    wait_on(&idle, 0, 1);
  return result;
}

// A thread gives itself its name once it is in the list: art::Thread::Attach.
int pthread_setname_np(pthread_t t, const char *name) {
  if (newborn)
    named = true;
  return libc_setname(t, name);
}

// waits marks a new thread of ART's as listed and idle. One that waits before it has its name only waits for a lock,
// and another thread might get into the list before it.
static void waits(void) {
  if (newborn && named) {
    newborn = false, idle = 1;
    wake(&idle);
  }
}

// The signal catcher waits like this.
int sigwait(const sigset_t *set, int *signal) {
  waits();
  return libc_sigwait(set, signal);
}

long syscall(long n, ...) {
  va_list list;
  long x[6];
  va_start(list, n);
  for (int i = 0; i < 6; i++)
    x[i] = va_arg(list, long);
  va_end(list);
  if (n == SYS_gettid && script.pid) {
    if (!own_tid)
      own_tid = __atomic_add_fetch(&last_own_tid, 1, __ATOMIC_SEQ_CST);
    return own_tid;
  }
  if (n == SYS_futex && (x[1] & FUTEX_CMD_MASK) == FUTEX_WAIT) { // how ART's own locks wait
    if (me)
      arrived();
    waits();
    if (virtual_time)
      x[3] = 0; // a time limit does not pass on a clock that stands still
  }
  long result = kernel(n, x[0], x[1], x[2], x[3], x[4], x[5]);
  if (result < 0 && result > -4096) {
    errno = -result;
    return -1;
  }
  return result;
}

// ---- the sampling thread

static pthread_t sampler;
static volatile int sampler_go;
static __thread bool is_sampler;
static int walked; // threads of this sample

// Only the sampling thread sleeps by usleep for just its interval.
int usleep(useconds_t us) {
  if (!virtual_time || me || (int)us != script.interval) {
    struct timespec t = {us / 1000000, us % 1000000 * 1000L};
    kernel(SYS_nanosleep, (long)&t, 0, 0, 0, 0, 0);
    return 0;
  }
  sampler = pthread_self(), is_sampler = true, sampler_go = 0;
  sampler_wakes = app_time + us * 1000LL + script.overshoot;
  sampler_there = true;
  __atomic_store_n(&sampler_asleep, true, __ATOMIC_SEQ_CST);
  arrived();
  while (!__atomic_load_n(&sampler_go, __ATOMIC_SEQ_CST))
    wait_on(&sampler_go, 0, 0);
  return 0;
}

void wake_sampler(void) {
  if (sampler_wakes > app_time)
    app_time = sampler_wakes;
  sampler_asleep = false, walked = 0;
  __atomic_store_n(&sampler_go, 1, __ATOMIC_SEQ_CST);
  wake(&sampler_go);
}

// Trace::StopTracing joins the sampling thread, which sees the stop after its sleep.
int pthread_join(pthread_t t, void **r) {
  if (virtual_time && sampler_there && pthread_equal(t, sampler)) {
    sampler_there = false;
    wake_sampler();
  }
  return libc_join(t, r);
}

// ---- what tracing costs

// ART's list of threads, for the pause of a sample: with the wall clock alone nothing tells whose turn it is.
static struct thread **list;
static int list_size;

void listed(struct thread *t) {
  list = realloc(list, (list_size + 1) * sizeof *list);
  list[list_size++] = t;
}

void unlisted(struct thread *t) {
  int n = 0;
  for (int i = 0; i < list_size; i++)
    if (list[i] != t)
      list[n++] = list[i];
  list_size = n;
}

// One thread has been walked, of which the clocks are about to be read.
static void charge_walk(void) {
  struct thread *t = list[walked++ % list_size];
  paused += script.per_thread + (t ? script.per_frame * t->shown : 0);
}

static int complete; // readings of the trace's clocks
static bool owed;    // the last of them was an event's, whose rest is still to be charged

static void cost(ns time) {
  app_time += time;
  if (me)
    me->extra += time;
}

void charge_hook(void) {
  if (owed)
    cost(script.hook);
  owed = false;
}

// ART measures its clocks 32000 times before the first event: Trace::GetClockOverheadNanoSeconds.
static void read_complete(void) { owed = ++complete > 32000; }

// A thread's CPU clock is read; twice it is the measurement's own.
static void charge_cpu(void) {
  static int reads;
  int n = ++reads;
  charge_hook();
  cost(script.cpu_read);
  if (script.clock == 0 && n != 1 && n != 32002)
    read_complete();
}

// The wall clock is read by art::MicroTime. The first reading is the trace's start.
static void charge_wall(void) {
  static int reads;
  if (!reads++)
    return;
  if (script.clock == 1)
    charge_hook();
  cost(script.wall_read);
  read_complete();
}

static bool charges(void) { return !script.sampled && me && !stopping; }

// ---- clocks

enum { CPU_CLOCKS = -1000000, NO_CLOCK = -1 }; // of the i-th thread: CPU_CLOCKS - i

// A thread runs on between its events, until it has used the CPU time of the next one, and stands still where its
// innermost method waits.
static ns cpu_of(struct thread *t) {
  if (first_microsecond)
    return 1000;
  if (!script.sampled)
    return t->cpu_last + t->extra;
  ns run = app_time > t->wall_last ? app_time - t->wall_last : 0;
  if (t->next >= 0) {
    ns most = script.step[t->next].cpu;
    return t->cpu_last + run < most ? t->cpu_last + run : most;
  }
  if (t->depth && !script.method[t->stack[t->depth - 1]].waits)
    return t->cpu_last + run;
  return t->cpu_last;
}

int pthread_getcpuclockid(pthread_t id, clockid_t *clock) {
  if (!virtual_time)
    return libc_cpuclock(id, clock);
  if (is_sampler)
    charge_walk();
  *clock = NO_CLOCK;
  if (me && pthread_equal(id, pthread_self()))
    id = me->id;
  for (int i = 0; i < script.threads; i++)
    if (script.thread[i].alive && pthread_equal(script.thread[i].id, id))
      *clock = CPU_CLOCKS - i;
  return 0;
}

int clock_gettime(clockid_t clock, struct timespec *ts) {
  if (!virtual_time)
    return kernel(SYS_clock_gettime, clock, (long)ts, 0, 0, 0, 0) ? -1 : 0;
  ns shown = 0;
  if (clock <= CPU_CLOCKS) {
    if (charges())
      charge_cpu();
    shown = cpu_of(&script.thread[CPU_CLOCKS - clock]);
  } else if (clock != NO_CLOCK) {
    bool traces = (size_t)((char *)__builtin_return_address(0) - micro_time) < MICRO_TIME_SIZE;
    if (traces && is_sampler && script.clock == 1)
      charge_walk();
    if (traces && charges())
      charge_wall();
    shown = script.start + app_time + paused;
  }
  *ts = (struct timespec){shown / 1000000000, shown % 1000000000};
  return 0;
}
