// What is to be replayed, as package art11 writes it: numbers in a fixed order.
#include "art11.h"
#include <stdio.h>
#include <stdlib.h>

struct script script;

static FILE *in;

static void fail(const char *what) {
  fprintf(stderr, "art11: the script's %s cannot be read\n", what);
  exit(2);
}

static void read_way(void) {
  int sampled, streaming, debuggable, again, ddms, count;
  if (fscanf(in, "%4095[^\n]\n%d %d %d %d %ld %d %lld %d %d %d %d %d %d", script.out, &sampled, &script.interval, &script.clock, &streaming,
             &script.buffer, &debuggable, &script.start, &script.pid, &again, &ddms, &count, &script.objects, &script.collections) != 14)
    fail("tracing options");
  script.sampled = sampled, script.streaming = streaming, script.debuggable = debuggable, script.again = again, script.ddms = ddms;
  script.count = count;
  if (fscanf(in, "%lld %lld %lld %lld %lld %lld %lld", &script.tick, &script.per_thread, &script.per_frame, &script.overshoot,
             &script.cpu_read, &script.wall_read, &script.hook) != 7)
    fail("costs");
  if (fscanf(in, "%d %d %d", &script.threads, &script.methods, &script.steps) != 3)
    fail("sizes");
  script.thread = calloc(script.threads, sizeof *script.thread);
  script.method = calloc(script.methods, sizeof *script.method);
  script.step = calloc(script.steps, sizeof *script.step);
}

// link_steps finds each event's successor, and what a thread's clocks show before its first.
static void link_steps(void) {
  for (int i = script.steps - 1; i >= 0; i--) {
    struct step *s = &script.step[i];
    if (s->op == START || s->op == END || s->op == STOP)
      continue;
    struct thread *t = &script.thread[s->thread];
    s->next = t->next;
    t->next = i, t->wall_last = s->at, t->cpu_last = s->cpu;
  }
}

void read_script(const char *path) {
  if (!(in = fopen(path, "r")))
    fail("file");
  read_way();
  for (int i = 0; i < script.threads; i++) {
    struct thread *t = &script.thread[i];
    if (fscanf(in, "%d %lld %127[^\n]", &t->tid, &t->start, t->name) != 3)
      fail("threads");
    t->next = -1;
  }
  for (int i = 0; i < script.methods; i++) {
    int kind, waits, collects, hidden;
    struct method *m = &script.method[i];
    if (fscanf(in, "%d %d %d %d %63s", &kind, &waits, &collects, &hidden, m->class) != 5)
      fail("methods");
    m->kind = kind, m->waits = waits, m->collects = collects, m->hidden = hidden;
  }
  for (int i = 0; i < script.steps; i++) {
    struct step *s = &script.step[i];
    int op;
    if (fscanf(in, "%d %lld %lld %d %d %lld", &op, &s->at, &s->cpu, &s->thread, &s->method, &s->late) != 6)
      fail("steps");
    s->op = op;
  }
  link_steps();
  fclose(in);
}
