// The frames of the app's threads. Every method of the truth is a class of its own (app/*.smali): v.N<i> has a native
// method m, v.J<i> an interpreted one. Either does nothing but what it is told: call another one, return, throw. A
// proxy of v.P<i> has a method m of ART's, which calls java.lang.reflect.Proxy.invoke, and that v.H.invoke, a native one.
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
jclass class_O;
static jclass class_M, class_T, class_H;
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

static jobject handle(JNIEnv *e, jobject this, jobject proxy, jobject method, jobject arguments) {
  run_frames(e, this);
  return NULL;
}

static jobjectArray array_of(JNIEnv *e, const char *class, jobject element) {
  return (*e)->NewObjectArray(e, 1, (*e)->FindClass(e, class), element);
}

// proxy_of returns an object of a new class that implements an interface by v.H, as Proxy.newProxyInstance does.
static jobject proxy_of(JNIEnv *e, jclass interface) {
  static int count;
  char name[32];
  snprintf(name, sizeof name, "$Proxy%d", count++);
  jclass proxy = (*e)->FindClass(e, "java/lang/reflect/Proxy");
  jmethodID generate = (*e)->GetStaticMethodID(e, proxy, "generateProxy",
      "(Ljava/lang/String;[Ljava/lang/Class;Ljava/lang/ClassLoader;[Ljava/lang/reflect/Method;[[Ljava/lang/Class;)Ljava/lang/Class;");
  jobject method = (*e)->ToReflectedMethod(e, interface, (*e)->GetMethodID(e, interface, "m", "()V"), JNI_FALSE);
  jobjectArray throws = array_of(e, "java/lang/Class", (*e)->FindClass(e, "java/lang/Throwable"));
  jclass class = (*e)->CallStaticObjectMethod(e, proxy, generate, (*e)->NewStringUTF(e, name), array_of(e, "java/lang/Class", interface), NULL,
      array_of(e, "java/lang/reflect/Method", method), array_of(e, "[Ljava/lang/Class;", throws));
  if (!class)
    die(e, "a proxy cannot be made");
  jobject o = (*e)->AllocObject(e, class);
  (*e)->SetObjectField(e, o, (*e)->GetFieldID(e, proxy, "h", "Ljava/lang/reflect/InvocationHandler;"), (*e)->AllocObject(e, class_H));
  return o;
}

static void prepare_method(JNIEnv *e, struct method *m) {
  jclass c = (*e)->FindClass(e, m->class);
  if (!c)
    die(e, "a method has no class: the truth has more methods than there are");
  JNINativeMethod body = {"m", "()V", (void *)run_frames};
  if (m->kind == NATIVE && (*e)->RegisterNatives(e, c, &body, 1))
    die(e, "a native method cannot be registered");
  jobject o;
  if (m->kind == PROXY)
    o = proxy_of(e, c);
  else if (m->kind >= FORWARD)
    o = c; // no object is called
  else
    o = (*e)->NewObject(e, c, (*e)->GetMethodID(e, c, "<init>", "()V"));
  m->object = (*e)->NewGlobalRef(e, o);
  m->id = m->kind == FORWARD ? (*e)->GetStaticMethodID(e, c, "invoke", "(Ljava/lang/reflect/Proxy;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;")
          : m->kind == HANDLE ? (*e)->GetMethodID(e, c, "invoke", "(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;")
                              : (*e)->GetMethodID(e, (*e)->GetObjectClass(e, o), "m", "()V");
}

void prepare_frames(JNIEnv *e) {
  class_M = (*e)->NewGlobalRef(e, (*e)->FindClass(e, "v/M"));
  method_m = (*e)->GetMethodID(e, class_M, "m", "()V");
  class_T = (*e)->NewGlobalRef(e, (*e)->FindClass(e, "v/T"));
  field_cur = (*e)->GetStaticFieldID(e, class_T, "cur", "Lv/T;");
  class_H = (*e)->NewGlobalRef(e, (*e)->FindClass(e, "v/H"));
  JNINativeMethod body = {"invoke", "(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;", (void *)handle};
  if ((*e)->RegisterNatives(e, class_H, &body, 1))
    die(e, "the handler of proxies cannot be registered");
  field_seq = (*e)->GetFieldID(e, class_T, "seq", "I");
  field_cmd = (*e)->GetFieldID(e, class_T, "cmd", "I");
  field_target = (*e)->GetFieldID(e, class_T, "target", "Lv/M;");
  class_O = (*e)->NewGlobalRef(e, (*e)->FindClass(e, "v/O"));
  (*e)->AllocObject(e, class_O); // is ready now
  jclass x = (*e)->FindClass(e, "java/lang/RuntimeException");
  thrown = (*e)->NewGlobalRef(e, (*e)->NewObject(e, x, (*e)->GetMethodID(e, x, "<init>", "()V")));
  for (int i = 0; i < script.methods; i++) {
    if ((*e)->PushLocalFrame(e, 32))
      die(e, "there is no room for local references");
    prepare_method(e, &script.method[i]);
    (*e)->PopLocalFrame(e, NULL);
  }
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
      return script.method[t->stack[i]].kind == PLAIN;
  return false;
}

// frames returns how many frames of a method's call ART sees.
static int frames(int method) {
  const struct method *m = &script.method[method];
  return m->hidden ? 0 : m->kind == PROXY ? 3 : 1;
}

static void push(struct thread *t, int method) {
  if (t->depth == t->room) {
    t->room = 2 * t->room + 16;
    t->stack = realloc(t->stack, t->room * sizeof *t->stack);
  }
  t->stack[t->depth++] = method;
  t->shown += frames(method);
}

static void pop(struct thread *t) { t->shown -= frames(t->stack[--t->depth]); }

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
    (*e)->SetStaticObjectField(e, class_T, field_cur, t->told);
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
