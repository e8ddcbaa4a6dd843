package trace_test

import (
	"testing"

	"artifice/trace"
)

// TestWaitingFunctions checks names that the profilers of several languages print.
func TestWaitingFunctions(t *testing.T) {
	for _, m := range []trace.Method{
		{Name: "runtime.gopark"}, {Class: "runtime", Name: "gopark"}, {Name: "time.Sleep"}, {Name: "time.sleep"},
		{Name: "pthread_cond_wait"}, {Name: "__pthread_cond_wait"}, {Name: "pthread_cond_wait@@GLIBC_2.3.2"}, {Name: "___pthread_cond_wait"},
		{Name: "__GI___poll"}, {Name: "epoll_wait"}, {Name: "select"}, {Name: "__select"}, {Name: "__futex_abstimed_wait_common64"}, {Name: "clock_nanosleep"}, {Name: "__x64_sys_futex"},
		{Name: "std::this_thread::sleep_for(std::chrono::duration<long>)"}, {Name: "sleep (time.py:12)"},
		{Name: "System.Private.CoreLib!System.Threading.Monitor.Wait(class System.Object,int32)"}, {Class: "System.Threading.Thread", Name: "Sleep"}, {Name: "ntdll.dll!NtWaitForSingleObject"}, {Name: "Sleep"},
		{Name: "(idle)"}, {Name: ":(idle):0"}, {Name: "(idle):0"}, {Name: "(idle):-1:-1"}, {Name: ":(idle)"}, {Name: "(idle) (native)"}, {Name: "(idle) :0"}, {Class: "java.lang.Object", Name: "wait"},
	} {
		if !m.Waits() {
			t.Errorf("%q: Waits = false, want true", m.FullName())
		}
	}
	for _, m := range []trace.Method{
		{Name: "main.sleepy"}, {Class: "com.example.Poller", Name: "poll"}, {Class: "a.A", Name: "wait"}, {Name: "read"}, {Name: "app.py:select"}, {Name: "runtime.mallocgc"},
		{Name: "(program)"}, {Name: ":(program):0"}, {Name: "(garbage collector)"}, {Name: "(root)"}, {Name: "a.js:(idle):0"}, {Name: "(idle)Task"}, {Name: "(idle):x"}, {Name: "idle"}, {Name: "(anonymous)"}, {Name: ""}, {Name: "operator()"},
	} {
		if m.Waits() {
			t.Errorf("%q: Waits = true, want false", m.FullName())
		}
	}
}
