// The program's launcher: it runs p.App on ART in real time, traced by ART, and writes the program's own log. Nothing
// stands between ART and the system but usleep, which notes when the sampling thread sleeps.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <jni.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern void trace_start(const char *, size_t, int, int, int, int) __asm__("_ZN3art5Trace5StartEPKcmiNS0_15TraceOutputModeENS0_9TraceModeEi");
extern void trace_stop(void) __asm__("_ZN3art5Trace4StopEv");

static const char *out, *log_name;
static int interval; // us; 0: instrumented
static bool cores;   // the program has one, the sampling thread has another
static int threads;
static int64_t end;  // when the program has to

// ---- the log: a list for each thread, and one of the sleeps, whose tid is 0

enum { LISTS = 32 };
struct list { int64_t tid, count, *note; };
static struct list lists[LISTS];
static volatile int list_count = 1; // the first is that of the sleeps
static const long room = 8 << 20;   // notes of a list: memory that is not written takes none

static __thread struct list *mine;

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void *memory(size_t n) {
  void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED)
    exit(4);
  return p;
}

static void note(struct list *l, int64_t what) {
  if (l->count == room) {
    fprintf(stderr, "art11: the log is full\n");
    _exit(4);
  }
  l->note[l->count++] = what;
}

// rank lets a thread that wakes up run at once, as the system's ordinary scheduling does, where the program was started
// with real-time priority: it would wait for the one that computes to block, which that does for each sample.
static void rank(int priority) {
  int policy = sched_getscheduler(0);
  if (cores && (policy == SCHED_RR || policy == SCHED_FIFO))
    sched_setscheduler(0, SCHED_RR, &(struct sched_param){priority});
}

static struct list *own(void) {
  if (!mine) {
    char name[16] = "";
    prctl(PR_GET_NAME, name);
    rank(strncmp(name, "busy", 4) ? 2 : 1);
    mine = &lists[__atomic_fetch_add(&list_count, 1, __ATOMIC_SEQ_CST)];
    mine->note = memory(8 * room), mine->tid = syscall(SYS_gettid);
  }
  return mine;
}

// A note is the time in nanoseconds, the method in 7 bits, and whether it is left.
static void enter(jint method) { note(own(), now() << 8 | method << 1); }
static void leave(jint method) { note(own(), now() << 8 | method << 1 | 1); }
static jboolean more(void) { return now() < end; }

static void write_log(void) {
  FILE *f = fopen(log_name, "w");
  if (!f)
    exit(4);
  for (int i = 0; i < list_count; i++) {
    fwrite(&lists[i], 8, 2, f);
    fwrite(lists[i].note, 8, lists[i].count, f);
  }
  if (fclose(f))
    exit(4);
}

// ---- the sampling thread

static void keep_to(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  if (sched_setaffinity(0, sizeof set, &set)) {
    perror("art11: sched_setaffinity");
    _exit(5);
  }
}

int usleep(useconds_t us) {
  struct timespec t = {us / 1000000, us % 1000000 * 1000L};
  if (!interval || us != interval)
    return nanosleep(&t, NULL);
  struct list *l = &lists[0];
  if (!l->count && cores)
    keep_to(1), rank(3);
  note(l, now());
  nanosleep(&t, NULL);
  note(l, now());
  return 0;
}

// share_cores gives the program ordinary scheduling: at real-time priority the sampling thread would wait for a tenth of
// a second for its turn. Ahead of other programs, where that is allowed.
static void share_cores(void) {
  sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){0});
  setsid();
  FILE *group = fopen("/proc/self/autogroup", "w");
  if (group) {
    fputs("-15", group);
    fclose(group);
  }
  setpriority(PRIO_PROCESS, 0, -15);
}

// ---- the run

static volatile int finished;

enum { FINISH = 11 }; // its number in the log

// finish waits for the end of all threads. The main thread stops the trace there.
static void finish(JNIEnv *e, jclass c) {
  enter(FINISH);
  __atomic_add_fetch(&finished, 1, __ATOMIC_SEQ_CST);
  if (getpid() != syscall(SYS_gettid))
    for (;;)
      pause();
  while (finished < threads)
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  trace_stop();
  write_log();
  fflush(NULL);
  _exit(0); // not exit: ART's threads still run
}

static void die(JNIEnv *e, const char *what) {
  fprintf(stderr, "art11: %s\n", what);
  if ((*e)->ExceptionCheck(e))
    (*e)->ExceptionDescribe(e);
  _exit(3);
}

// program OUT LOG INTERVAL-us CORES THREADS BUSY SECONDS SEED -Xoption...
int main(int count, char **args) {
  JavaVMOption options[64];
  int n = 0;
  if (count < 9)
    return 2;
  out = args[1], log_name = args[2], interval = atoi(args[3]), cores = atoi(args[4]), threads = atoi(args[5]);
  int busy = atoi(args[6]), seed = atoi(args[8]);
  if (cores)
    keep_to(0);
  else
    share_cores();
  for (int i = 9; i < count && n < 64; i++)
    options[n++] = (JavaVMOption){args[i], NULL};
  JavaVMInitArgs a = {JNI_VERSION_1_6, n, options, JNI_FALSE};
  JavaVM *vm;
  JNIEnv *e;
  if (JNI_CreateJavaVM(&vm, (void **)&e, &a)) {
    fprintf(stderr, "art11: the runtime does not start\n");
    return 2;
  }
  jclass c = (*e)->FindClass(e, "p/App");
  JNINativeMethod natives[] = {{"enter", "(I)V", enter}, {"leave", "(I)V", leave}, {"more", "()Z", more}, {"finish", "()V", finish}};
  if (!c || (*e)->RegisterNatives(e, c, natives, 4))
    die(e, "the program's class cannot be prepared");
  if (cores)
    (*e)->SetStaticObjectField(e, c, (*e)->GetStaticFieldID(e, c, "core", "Ljava/lang/Object;"), c);
  jmethodID init = (*e)->GetMethodID(e, c, "<init>", "(Ljava/lang/String;ZI)V"), begin = (*e)->GetMethodID(e, c, "start", "()V"),
            run = (*e)->GetMethodID(e, c, "run", "()V");
  jobject app[LISTS];
  for (int i = 0; i < threads && i < LISTS - 1; i++) {
    char name[16];
    snprintf(name, sizeof name, i < busy ? "busy-%d" : "worker-%d", i);
    // Of the threads the main one is the last: it does not compute much.
    app[i] = (*e)->NewObject(e, c, init, (*e)->NewStringUTF(e, name), i < busy, 12345 + 7919 * (i + threads * seed));
    if (!app[i])
      die(e, "a thread cannot be made");
  }
  lists[0].note = memory(8 * room);
  trace_start(out, 256 << 20, 0, 0, interval > 0, interval ? interval : 1000);
  end = now() + atoi(args[7]) * 1000000000LL;
  for (int i = 0; i + 1 < threads; i++)
    (*e)->CallVoidMethod(e, app[i], begin);
  (*e)->CallVoidMethod(e, app[threads - 1], run);
  die(e, "the main thread has ended");
}
