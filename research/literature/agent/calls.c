// A JVMTI agent that writes down each enter and leave of each Java method, of all threads:
//
//	java -agentpath:libcalls.so=FILE ...
//
// FILE is a sequence of blocks: 4 bytes the thread's number from 0 on, 4 bytes how many records follow, then 16 bytes a
// record: 8 the time in ns since the first, 8 the method's number times two, and one more where it is left. All are little endian.
// The blocks of a thread are in order of time.
#include <jvmti.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define RECORDS 32768

struct block {
	uint32_t thread, n;
	struct record {
		uint64_t time, what;
	} records[RECORDS];
	struct block *next;
};

static FILE *out;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *blocks; // one of each thread
static uint32_t threads;
static uint64_t start;
static int over;
static __thread struct block *mine;

static uint64_t now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * UINT64_C(1000000000) + t.tv_nsec;
}

static void flush(struct block *b) {
	pthread_mutex_lock(&lock);
	if (!over && fwrite(b, 1, 8 + b->n * sizeof(struct record), out) != 8 + b->n * sizeof(struct record)) {
		perror("calls");
		exit(1);
	}
	b->n = 0;
	pthread_mutex_unlock(&lock);
}

static void add(jmethodID method, int left) {
	struct block *b = mine;
	if (!b) {
		b = mine = calloc(1, sizeof *b);
		pthread_mutex_lock(&lock);
		b->thread = threads++;
		b->next = blocks;
		blocks = b;
		pthread_mutex_unlock(&lock);
	}
	b->records[b->n++] = (struct record){ now() - start, (uint64_t)(uintptr_t)method << 1 | left };
	if (b->n == RECORDS) flush(b);
}

static void JNICALL entered(jvmtiEnv *ti, JNIEnv *env, jthread thread, jmethodID method) { add(method, 0); }

static void JNICALL left(jvmtiEnv *ti, JNIEnv *env, jthread thread, jmethodID method, jboolean thrown, jvalue value) { add(method, 1); }

static void JNICALL died(jvmtiEnv *ti, JNIEnv *env) {
	(*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_METHOD_ENTRY, NULL);
	(*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_METHOD_EXIT, NULL);
	for (struct block *b = blocks; b; b = b->next) flush(b);
	pthread_mutex_lock(&lock);
	over = 1;
	fclose(out);
	pthread_mutex_unlock(&lock);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *file, void *reserved) {
	jvmtiEnv *ti;
	jvmtiCapabilities can = { .can_generate_method_entry_events = 1, .can_generate_method_exit_events = 1 };
	jvmtiEventCallbacks calls = { .MethodEntry = entered, .MethodExit = left, .VMDeath = died };
	if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_1_2) != JNI_OK || (*ti)->AddCapabilities(ti, &can) || (*ti)->SetEventCallbacks(ti, &calls, sizeof calls)) {
		fprintf(stderr, "calls: this Java machine tells no agent of calls\n");
		return JNI_ERR;
	}
	if (!file || !(out = fopen(file, "w"))) {
		perror("calls");
		return JNI_ERR;
	}
	start = now();
	(*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY, NULL);
	(*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_METHOD_EXIT, NULL);
	(*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL);
	return JNI_OK;
}
