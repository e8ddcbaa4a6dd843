// The frames of the app's threads. Every method of the truth is a class of its own (app/*.smali): v.N<i> has a native
// method m, v.J<i> an interpreted one. Either does nothing but what it is told: call another one, return, throw.
//
// No other method than the truth's may run meanwhile, as ART would trace it. So nobody is called to wait: a native frame
// waits in run_frames, which is C, and an interpreted one enters and leaves a monitor that the director holds. It
// takes its two monitors in turn (T.seq counts), so that the director has the next one before it gives this one up.
#include "art11.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

JavaVM *vm;

static jmethodID method_m;
static jclass class_M, class_T;
static jfieldID field_cur, field_seq, field_cmd, field_target;
static jobject thrown;

// Members of art::Runtime that attach a thread without a java.lang.Thread, whose constructor would be traced.
extern void *runtime __asm__("_ZN3art7Runtime9instance_E");
extern bool attach(void *, const char *, bool, jobject, bool) __asm__("_ZN3art7Runtime19AttachCurrentThreadEPKcbP8_jobjectb");
extern void detach(void *) __asm__("_ZN3art7Runtime19DetachCurrentThreadEv");

static void die(JNIEnv *e, const char *what) {
  fprintf(stderr, "art11: %s\n", what);
  if (e && (*e)->ExceptionCheck(e))
    (*e)->ExceptionDescribe(e);
  _exit(3);
}

// ---- before the trace

static void prepare_method(JNIEnv *e, struct method *m) {
  jclass c = (*e)->FindClass(e, m->class);
  if (!c)
    die(e, "a method has no class: the truth has more methods than there are");
  JNINativeMethod body = {"m", "()V", (void *)run_frames};
  if (m->native && (*e)->RegisterNatives(e, c, &body, 1))
    die(e, "a native method cannot be registered");
  jobject o = (*e)->NewObject(e, c, (*e)->GetMethodID(e, c, "<init>", "()V"));
  m->object = (*e)->NewGlobalRef(e, o);
  (*e)->DeleteLocalRef(e, o);
  (*e)->DeleteLocalRef(e, c);
}

void prepare_frames(JNIEnv *e) {
  class_M = (*e)->NewGlobalRef(e, (*e)->FindClass(e, "v/M"));
  method_m = (*e)->GetMethodID(e, class_M, "m", "()V");
  field_cur = (*e)->GetStaticFieldID(e, class_M, "cur", "Lv/T;");
  class_T = (*e)->NewGlobalRef(e, (*e)->FindClass(e, "v/T"));
  field_seq = (*e)->GetFieldID(e, class_T, "seq", "I");
  field_cmd = (*e)->GetFieldID(e, class_T, "cmd", "I");
  field_target = (*e)->GetFieldID(e, class_T, "target", "Lv/M;");
  jclass x = (*e)->FindClass(e, "java/lang/RuntimeException");
  thrown = (*e)->NewGlobalRef(e, (*e)->NewObject(e, x, (*e)->GetMethodID(e, x, "<init>", "()V")));
  for (int i = 0; i < script.methods; i++)
    prepare_method(e, &script.method[i]);
  if ((*e)->ExceptionCheck(e))
    die(e, "the classes cannot be prepared");
}

void prepare_thread(JNIEnv *e, struct thread *t) {
  jobject o = (*e)->NewObject(e, class_T, (*e)->GetMethodID(e, class_T, "<init>", "(Ljava/lang/Throwable;)V"), thrown);
  t->told = (*e)->NewGlobalRef(e, o);
  for (int k = 0; k < 2; k++) {
    jobject lock = (*e)->GetObjectField(e, o, (*e)->GetFieldID(e, class_T, k ? "b" : "a", "Ljava/lang/Object;"));
    t->lock[k] = (*e)->NewGlobalRef(e, lock);
    (*e)->DeleteLocalRef(e, lock);
    (*e)->MonitorEnter(e, t->lock[k]);
  }
  (*e)->DeleteLocalRef(e, o);
}

// ---- what the app's threads do

static void wait_for_turn(struct thread *t) {
  __atomic_add_fetch(&t->turns, 1, __ATOMIC_SEQ_CST);
  arrived();
  while (!__atomic_load_n(&t->go, __ATOMIC_SEQ_CST))
    wait_on(&t->go, 0, 0);
  t->go = 0;
}

static void catch_any(JNIEnv *e) {
  if ((*e)->ExceptionCheck(e))
    (*e)->ExceptionClear(e);
}

void run_frames(JNIEnv *e, jobject this) {
  struct thread *t = me;
  t->self = ((void **)e)[1]; // art::JNIEnvExt::self_
  for (;;) {
    wait_for_turn(t);
    switch (t->command) {
    case CALL:
      catch_any(e);
      (*e)->CallVoidMethod(e, script.method[t->argument].object, method_m);
      break;
    case RETURN:
      catch_any(e);
      return;
    case THROW: // on, where a callee has thrown
      if (!(*e)->ExceptionCheck(e))
        (*e)->Throw(e, thrown);
      return;
    }
  }
}

static void *run_thread(void *p) {
  struct thread *t = me = p;
  own_tid = t->tid, t->id = pthread_self();
  JNIEnv *e;
  if (!attach(runtime, t->name, false, NULL, false))
    die(NULL, "a thread cannot be attached");
  (*vm)->GetEnv(vm, (void **)&e, JNI_VERSION_1_6);
  t->alive = true;
  run_frames(e, NULL);
  catch_any(e);
  detach(runtime);
  return NULL;
}

// ---- what the director has them do

// settle waits until the thread waits in its innermost frame.
static void settle(JNIEnv *e, struct thread *t, bool interpreted) {
  for (int seen = hint;; seen = hint) {
    if (interpreted ? (*e)->GetIntField(e, t->told, field_seq) == t->seq : __atomic_load_n(&t->turns, __ATOMIC_SEQ_CST) == t->turns_wanted)
      return;
    wait_on(&hint, seen, 2);
  }
}

static void tell(struct thread *t, enum command command, int argument) {
  t->command = command, t->argument = argument;
  __atomic_store_n(&t->go, 1, __ATOMIC_SEQ_CST);
  wake(&t->go);
}

void start_thread(JNIEnv *e, struct thread *t) {
  pthread_attr_t a;
  pthread_attr_init(&a);
  pthread_attr_setstacksize(&a, 64 << 20);
  t->turns_wanted++;
  if (real_create(&t->id, &a, run_thread, t))
    die(NULL, "a thread cannot be created");
  settle(e, t, false);
  listed(t);
}

void end_thread(struct thread *t) {
  tell(t, RETURN, 0);
  real_join(t->id, NULL);
  t->alive = false;
  unlisted(t);
}

// interpreted tells whether the innermost frame that ART sees is.
static bool interpreted(struct thread *t) {
  for (int i = t->depth; i--;)
    if (!script.method[t->stack[i]].hidden)
      return !script.method[t->stack[i]].native;
  return false;
}

static void push(struct thread *t, int method) {
  if (t->depth == t->room) {
    t->room = 2 * t->room + 16;
    t->stack = realloc(t->stack, t->room * sizeof *t->stack);
  }
  t->stack[t->depth++] = method;
  t->shown += !script.method[method].hidden;
}

static void pop(struct thread *t) { t->shown -= !script.method[t->stack[--t->depth]].hidden; }

void order(JNIEnv *e, struct thread *t, enum command command, int method) {
  bool was = interpreted(t);
  int lock = t->seq & 1; // the one that its innermost frame waits for
  if (command == CALL)
    push(t, method);
  else
    pop(t);
  if (script.method[method].hidden)
    return;
  bool is = interpreted(t);
  if (is)
    t->seq++;
  else
    t->turns_wanted++;
  if (command == CALL && is)
    (*e)->SetStaticObjectField(e, class_M, field_cur, t->told);
  if (was) {
    (*e)->SetIntField(e, t->told, field_cmd, command);
    if (command == CALL)
      (*e)->SetObjectField(e, t->told, field_target, script.method[method].object);
    (*e)->MonitorExit(e, t->lock[lock]);
  } else {
    tell(t, command, method);
  }
  settle(e, t, is);
  if (was)
    (*e)->MonitorEnter(e, t->lock[lock]);
}
