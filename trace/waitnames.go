package trace

import "strings"

// functionName returns the name of a function of Go, C, C++, Python, .NET or Node.js in the form
// used by waitingFunctions: without module, parameters, symbol version and the prefixes of C
// libraries. In "System.Private.CoreLib!System.Threading.Monitor.Wait(object)" it is
// System.Threading.Monitor.Wait, in __GI___poll@@GLIBC_2.2.5 poll, and in "sleep (time.py:12)"
// sleep.
func functionName(name string) string {
	if i := strings.LastIndexByte(name, '!'); i >= 0 {
		name = name[i+1:]
	}
	if i := strings.IndexByte(name, '('); i > 0 {
		name = strings.TrimSpace(name[:i])
	}
	name, _, _ = strings.Cut(name, "@")
	for _, prefix := range []string{"__GI_", "__libc_", "__x64_sys_", "__arm64_sys_", "__se_sys_"} {
		name = strings.TrimPrefix(name, prefix)
	}
	return strings.TrimLeft(name, "_")
}

// isIdle reports whether a name is that of V8's frame (idle), in which a thread waits for events.
// Profilers of Node.js write it alone or with an empty file and a line: ":(idle):0", "(idle):-1",
// "(idle) (native)". Its frames (program) and (garbage collector) run.
func isIdle(name string) bool {
	file, position, ok := strings.Cut(name, "(idle)")
	return ok && strings.Trim(file, ": ") == "" && (strings.Trim(position, ":-0123456789") == "" || position[0] == ' ')
}

// waitingFunctions are functions of other languages and of operating systems that wait in their
// self time, by functionName. Their names are unambiguous, or those of system calls. Functions that
// often run, such as read and write, are not included.
var waitingFunctions = set(
	// Go: https://go.dev/src/runtime/proc.go, sema.go, time.go, netpoll.go. A parked goroutine has
	// gopark on top.
	"runtime.gopark", "runtime.goparkunlock", "runtime.notesleep", "runtime.notetsleep", "runtime.notetsleepg", "runtime.futex",
	"runtime.futexsleep", "runtime.usleep", "runtime.epollwait", "runtime.netpoll", "runtime.kevent", "runtime.stopm", "runtime.semasleep",
	"runtime.pthread_cond_wait", "runtime.pthread_cond_timedwait_relative_np", "internal/runtime/syscall.EpollWait", "time.Sleep",
	"runtime.selectgo", "runtime.block", "runtime.semacquire1", "sync.runtime_Semacquire", "sync.runtime_SemacquireMutex", "internal/poll.runtime_pollWait",

	// Python: functions of built-in modules, as the profilers of mixed stacks print them.
	"time.sleep", "select.select", "select.poll", "select.epoll", "select.kqueue", "time_sleep", "pysleep", "select_select", "select_select_impl", "select_epoll_poll",
	"lock_PyThread_acquire_lock", "acquire_timed", "PyThread_acquire_lock_timed", "take_gil", "threading.wait", "threading.Condition.wait", "threading.Event.wait", "threading._wait_for_tstate_lock",

	// C and C++: system calls and the C library of Linux, Android and macOS.
	"sleep", "usleep", "nanosleep", "clock_nanosleep", "clock_nanosleep_time64", "select", "pselect", "pselect6", "poll", "ppoll", "epoll_wait", "epoll_pwait", "epoll_pwait2", "kevent", "kevent64", "sigsuspend", "pause", "waitpid", "wait4", "waitid",
	"futex", "futex_wait", "futex_wait_cancelable", "futex_abstimed_wait", "futex_abstimed_wait64", "futex_abstimed_wait_cancelable", "futex_abstimed_wait_cancelable64", "futex_abstimed_wait_common", "futex_abstimed_wait_common64", "futex_lock_pi", "lll_lock_wait", "lll_lock_wait_private", "lll_timedwait_tid", "pthread_clockjoin_ex",
	"pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait", "pthread_cond_wait_common", "pthread_join", "pthread_timedjoin_np", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "sem_wait", "sem_timedwait", "new_sem_wait_slow", "new_sem_wait_slow64", "do_futex_wait",
	"accept", "accept4", "recv", "recvfrom", "recvmsg", "connect", "io_getevents", "io_uring_enter", "uv__io_poll", "uv_cond_wait", "uv_sem_wait", "uv__epoll_wait",
	"std::this_thread::sleep_for", "std::condition_variable::wait", "std::condition_variable::wait_until", "std::thread::join",
	"art::ConditionVariable::WaitHoldingLocks", "art::ConditionVariable::TimedWait", "art::Monitor::Wait", "android::Looper::pollInner",
	"mach_msg_trap", "mach_msg2_trap", "mach_msg", "semwait_signal", "psynch_cvwait", "psynch_mutexwait", "psynch_rw_rdlock", "psynch_rw_wrlock", "ulock_wait", "ulock_wait2", "semaphore_wait_trap", "semaphore_timedwait_trap", "workq_kernreturn",

	// The kernel: frames below a system call of a thread that is off the CPU.
	"schedule", "schedule_timeout", "io_schedule", "schedule_hrtimeout_range", "schedule_hrtimeout_range_clock", "do_nanosleep", "hrtimer_nanosleep", "ep_poll", "do_epoll_wait", "do_sys_poll", "do_select", "futex_wait_queue", "futex_wait_queue_me", "do_futex", "do_wait", "binder_wait_for_work",

	// Windows.
	"Sleep", "SleepEx", "SwitchToThread", "WaitForSingleObject", "WaitForSingleObjectEx", "WaitForMultipleObjects", "WaitForMultipleObjectsEx", "SleepConditionVariableSRW", "SleepConditionVariableCS", "WaitOnAddress", "GetQueuedCompletionStatus", "GetQueuedCompletionStatusEx", "MsgWaitForMultipleObjectsEx",
	"NtDelayExecution", "NtWaitForSingleObject", "NtWaitForMultipleObjects", "NtWaitForAlertByThreadId", "NtWaitForKeyedEvent", "NtRemoveIoCompletion", "NtRemoveIoCompletionEx", "NtWaitForWorkViaWorkerFactory", "ZwWaitForSingleObject", "ZwWaitForMultipleObjects", "ZwDelayExecution", "ZwRemoveIoCompletion",

	// .NET.
	"System.Threading.Thread.Sleep", "System.Threading.Thread.SleepInternal", "System.Threading.Thread.Join", "System.Threading.Thread.JoinInternal", "System.Threading.Monitor.Wait", "System.Threading.Monitor.ObjWait", "System.Threading.Monitor.ReliableEnter", "System.Threading.Monitor.Enter_Slowpath",
	"System.Threading.WaitHandle.WaitOne", "System.Threading.WaitHandle.WaitOneCore", "System.Threading.WaitHandle.WaitOneNoCheck", "System.Threading.WaitHandle.WaitAnyMultiple", "System.Threading.WaitHandle.WaitMultiple", "System.Threading.WaitHandle.WaitMultipleIgnoringSyncContext", "System.Threading.ManualResetEventSlim.Wait", "System.Threading.SemaphoreSlim.Wait", "System.Threading.SemaphoreSlim.WaitUntilCountOrTimeout",
	"System.Threading.LowLevelLifoSemaphore.WaitForSignal", "System.Threading.LowLevelLifoSemaphore.WaitNative", "System.Threading.PortableThreadPool.GateThread.GateThreadStart", "Interop.Sys.LowLevelMonitor_Wait", "Interop.Sys.LowLevelMonitor_TimedWait", "Interop.Kernel32.Sleep", "Interop.Kernel32.WaitForMultipleObjectsEx",

	// Node.js and browsers.
	"Atomics.wait", "node::worker::MessagePort::Wait",
)

// set returns the set of some names.
func set(names ...string) map[string]bool {
	all := make(map[string]bool, len(names))
	for _, n := range names {
		all[n] = true
	}
	return all
}
