// The logged program in C: threads that do the phases of README.md and write down when they
// enter and leave each method.
//
//	cc -O1 -g -fno-omit-frame-pointer -fno-inline -fno-optimize-sibling-calls -pthread logged.c -o logged
//	./logged SECONDS SEED THREADS LOG
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { ROOT, WORK, P50, P25, P12, P6, P2, P05, DEEP, BOTTOM, LEAVES, LEAF, REST, DOSLEEP, BURST, LOCKED, DOLOCK, METHODS };

static const char *names[METHODS] = { "root", "work", "p50", "p25", "p12", "p6", "p2", "p05", "deep", "bottom",
	"leaves", "leaf", "rest", "doSleep", "burst", "locked", "doLock" };

// What a record says of its method.
enum { ENTER, LEAVE, OFF, CPU };

struct thread {
	uint64_t *log;
	size_t records;
	uint64_t random;
	uint64_t wall, cpu; // when it looked at its CPU clock last, in ticks, and what that showed in ns
	pid_t tid;
	double sum;
};

static uint64_t start, deadline;
static size_t room;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define ALWAYS static inline __attribute__((always_inline))

// system_call makes one without the C library, whose functions follow no frame pointers: perf would lose the frame that
// calls them.
ALWAYS long system_call(long number, long a, long b) {
#ifdef __x86_64__
	long result;
	__asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b) : "rcx", "r11", "memory");
	return result;
#else
	return syscall(number, a, b);
#endif
}

ALWAYS uint64_t clock_ns(clockid_t id) {
	struct timespec t;
	system_call(SYS_clock_gettime, id, (long)&t);
	return t.tv_sec * UINT64_C(1000000000) + t.tv_nsec;
}

// ticks is a clock that is read without a call: the time stamp counter, or else the nanoseconds of CLOCK_MONOTONIC. How many
// of its ticks a nanosecond has is measured from the begin of the run to its end, so records have ticks until then.
ALWAYS uint64_t ticks(void) {
#ifdef __x86_64__
	return __builtin_ia32_rdtsc();
#else
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * UINT64_C(1000000000) + t.tv_nsec;
#endif
}

static double per_ns = 1; // ticks, as far as it is known before the run

ALWAYS void record(struct thread *t, int method, int kind, uint64_t value) {
	if (t->records < room)
		t->log[t->records++] = value << 8 | kind << 5 | method;
}

ALWAYS void enter(struct thread *t, int method) { record(t, method, ENTER, ticks() - start); }
ALWAYS void leave(struct thread *t, int method) { record(t, method, LEAVE, ticks() - start); }

// spin looks at the clock after each chunk of work, some 2 us long. Where two looks are further apart than this, the
// thread was interrupted, or off its core, which its CPU clock tells apart.
#define GAP 20000
static long chunk = 1000; // turns

ALWAYS double turn(long turns, double x) {
	for (; turns > 0; turns--) x = x * 0.999 + 1;
	return x;
}

// calibrate finds how many ticks a nanosecond has, to some thousandth, and makes a chunk 2 us long.
static void calibrate(void) {
	double x = 1;
	uint64_t began = clock_ns(CLOCK_MONOTONIC), from = ticks(), least = UINT64_MAX;
	for (int i = 0; i < 100; i++) {
		uint64_t before = ticks();
		x = turn(100000, x);
		uint64_t took = ticks() - before;
		if (took < least) least = took;
	}
	per_ns = (double)(ticks() - from) / (clock_ns(CLOCK_MONOTONIC) - began);
	chunk = 2000 * per_ns * 100000 / least;
	if (x == 0) abort(); // never, but the compiler cannot know
}

// look looks at the CPU clock, and writes down how long the thread was off its core since it did so last.
ALWAYS void look(struct thread *t, int write) {
	uint64_t cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID), wall = ticks();
	int64_t off = (wall - t->wall) / per_ns - (cpu - t->cpu);
	if (write && off > 2000) record(t, 0, OFF, off);
	t->wall = wall;
	t->cpu = cpu;
}

// spin works for so many ns. Time off the core does not count.
ALWAYS void spin(struct thread *t, int64_t ns) {
	uint64_t last = ticks();
	int64_t left = ns * per_ns, gap = GAP * per_ns, one = 1000 * per_ns;
	double x = 1;
	while (left > 0) {
		x = turn(left < one ? chunk * left / (2 * one) : chunk, x);
		uint64_t now = ticks();
		if ((int64_t)(now - last) > gap) {
			look(t, 1);
			now = t->wall;
		} else
			left -= now - last;
		last = now;
	}
	t->sum = x;
}

static uint64_t draw(struct thread *t) { // xorshift64
	t->random ^= t->random << 13;
	t->random ^= t->random >> 7;
	return t->random ^= t->random << 17;
}

// around is a time of that mean, from half of it to one and a half.
static int64_t around(struct thread *t, int64_t mean) { return mean / 2 + draw(t) % mean; }

#define PLAIN(name, method) \
	static __attribute__((noinline)) void name(struct thread *t) { enter(t, method); spin(t, around(t, 300000)); leave(t, method); }
PLAIN(p50, P50)
PLAIN(p25, P25)
PLAIN(p12, P12)
PLAIN(p6, P6)
PLAIN(p2, P2)
PLAIN(p05, P05)

static __attribute__((noinline)) void work(struct thread *t) {
	enter(t, WORK);
	for (int i = 0; i < 4; i++) {
		unsigned x = draw(t) % 955;
		if (x < 500) p50(t);
		else if (x < 750) p25(t);
		else if (x < 870) p12(t);
		else if (x < 930) p6(t);
		else if (x < 950) p2(t);
		else p05(t);
	}
	leave(t, WORK);
}

static __attribute__((noinline)) void bottom(struct thread *t) {
	enter(t, BOTTOM);
	spin(t, around(t, 300000));
	leave(t, BOTTOM);
}

static __attribute__((noinline)) void deep(struct thread *t, int more) {
	enter(t, DEEP);
	if (more > 0) deep(t, more - 1);
	else bottom(t);
	leave(t, DEEP);
}

static __attribute__((noinline)) void leaf(struct thread *t) {
	enter(t, LEAF);
	spin(t, 100);
	leave(t, LEAF);
}

static __attribute__((noinline)) void leaves(struct thread *t) {
	enter(t, LEAVES);
	for (int i = 0; i < 1000; i++) leaf(t);
	leave(t, LEAVES);
}

static __attribute__((noinline)) void doSleep(struct thread *t) {
	look(t, 1);
	uint64_t before = t->cpu;
	enter(t, DOSLEEP);
	struct timespec d = { 0, around(t, 1000000) };
	system_call(SYS_nanosleep, (long)&d, 0);
	look(t, 0);
	record(t, DOSLEEP, CPU, t->cpu - before);
	leave(t, DOSLEEP);
}

static __attribute__((noinline)) void burst(struct thread *t) {
	enter(t, BURST);
	spin(t, 300000);
	leave(t, BURST);
}

static __attribute__((noinline)) void rest(struct thread *t) {
	enter(t, REST);
	doSleep(t);
	burst(t);
	leave(t, REST);
}

static __attribute__((noinline)) void doLock(struct thread *t) {
	look(t, 1);
	uint64_t before = t->cpu;
	enter(t, DOLOCK);
	pthread_mutex_lock(&lock);
	look(t, 0);
	record(t, DOLOCK, CPU, t->cpu - before);
	leave(t, DOLOCK);
}

static __attribute__((noinline)) void locked(struct thread *t) {
	enter(t, LOCKED);
	doLock(t);
	spin(t, around(t, 200000));
	pthread_mutex_unlock(&lock);
	leave(t, LOCKED);
}

static __attribute__((noinline)) void *root(void *arg) {
	struct thread *t = arg;
	t->tid = syscall(SYS_gettid);
	look(t, 0);
	enter(t, ROOT);
	while (ticks() < deadline) {
		unsigned x = draw(t) % 100;
		if (x < 60) work(t);
		else if (x < 70) deep(t, 148); // 151 frames with root and bottom
		else if (x < 80) leaves(t);
		else if (x < 90) rest(t);
		else locked(t);
	}
	leave(t, ROOT);
	return NULL;
}

int main(int argc, char **argv) {
	if (argc != 5) {
		fprintf(stderr, "usage: logged SECONDS SEED THREADS LOG\n");
		return 2;
	}
	double seconds = atof(argv[1]);
	int threads = atoi(argv[3]);
	struct timespec real;
	struct thread *all = calloc(threads, sizeof *all);
	pthread_t *ids = calloc(threads, sizeof *ids);
	room = seconds * 1500000;
	for (int i = 0; i < threads; i++) {
		all[i].log = calloc(room, sizeof(uint64_t));
		for (size_t k = 0; k < room; k += 512) all[i].log[k] = 1; // its pages are there when it begins
		all[i].random = (strtoull(argv[2], NULL, 10) * 1000 + i + 1) * UINT64_C(0x9e3779b97f4a7c15);
	}
	calibrate();
	clock_gettime(CLOCK_REALTIME, &real);
	uint64_t began = clock_ns(CLOCK_MONOTONIC);
	start = ticks();
	deadline = start + (uint64_t)(seconds * 1e9 * per_ns);
	for (int i = 0; i < threads; i++) pthread_create(&ids[i], NULL, root, &all[i]);
	for (int i = 0; i < threads; i++) pthread_join(ids[i], NULL);
	per_ns = (double)(ticks() - start) / (clock_ns(CLOCK_MONOTONIC) - began);
	for (int i = 0; i < threads; i++)
		for (size_t k = 0; k < all[i].records; k++) {
			uint64_t r = all[i].log[k];
			if ((r >> 5 & 7) <= LEAVE) all[i].log[k] = (uint64_t)((r >> 8) / per_ns) << 8 | (r & 255);
		}

	FILE *out = fopen(argv[4], "w");
	if (!out) {
		perror(argv[4]);
		return 1;
	}
	fprintf(out, "logged 1\npid %d\nmonotonic %llu\nunix %lld%09ld\nmethods", getpid(), (unsigned long long)began, (long long)real.tv_sec, real.tv_nsec);
	for (int i = 0; i < METHODS; i++) fprintf(out, " %s", names[i]);
	fprintf(out, "\n");
	for (int i = 0; i < threads; i++) fprintf(out, "thread %d worker%d %zu\n", all[i].tid, i, all[i].records);
	fprintf(out, "\n");
	for (int i = 0; i < threads; i++) fwrite(all[i].log, sizeof(uint64_t), all[i].records, out);
	return fclose(out) != 0;
}
