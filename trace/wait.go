package trace

import (
	"fmt"
	"strings"
)

// Wait is the activity of a thread in a method's self time. A method of a ground truth either runs
// or waits: between two events of a thread, CPU time advances like wall time or not at all.
type Wait uint8

const (
	Running    Wait = iota // uses the CPU
	Sleep                  // Thread.sleep
	Lock                   // a monitor or a park
	IO                     // a file, a socket, a poll of the message queue
	Binder                 // a call into another process
	GCPause                // suspended by the garbage collector
	Runnable               // runnable, but all cores are taken by other threads
	waitsCount             // number of kinds
)

var waitNames = [waitsCount]string{"run", "sleep", "lock", "io", "binder", "gc", "runnable"}

// String returns the keyword of the kind in workload files.
func (w Wait) String() string {
	if w >= waitsCount {
		return fmt.Sprintf("wait(%d)", uint8(w))
	}
	return waitNames[w]
}

// ParseWait is the inverse of [Wait.String].
func ParseWait(s string) (w Wait, ok bool) {
	for w, name := range waitNames {
		if name == s {
			return Wait(w), true
		}
	}
	return 0, false
}

// Waits reports whether a thread waits in the method's self time: for a lock, a time, a message,
// another process, a file or the network. In a ground truth [Method.Wait] decides, otherwise the
// method's name. If a trace has a CPU clock, package estimate uses the clock instead.
func (m *Method) Waits() bool {
	if m.Wait != Running {
		return true
	}
	name := strings.TrimSuffix(m.DottedClass()+"."+m.Name, "$")
	name = strings.TrimPrefix(name, ".")
	return waitingMethods[name] || isIdle(name) || waitingFunctions[functionName(name)]
}

// Sleeps reports whether the method, judged by its name, waits with a relative timeout.
func (m *Method) Sleeps() bool {
	return sleepingMethods[strings.TrimSuffix(m.DottedClass()+"."+m.Name, "$")]
}

// sleepingMethods is the subset of waitingMethods with a timeout parameter.
var sleepingMethods = map[string]bool{
	"java.lang.Thread.sleep": true, "java.lang.Thread.sleep0": true, "java.lang.Thread.sleepNanos0": true,
	"java.lang.VMThread.sleep": true, "java.util.concurrent.locks.LockSupport.parkNanos": true,
}

// waitingMethods are methods of Android and Java that wait in their self time: native methods, and
// their callers for runtimes that do not record native methods.
var waitingMethods = map[string]bool{
	// Monitors, sleeps, parks.
	"java.lang.Object.wait": true, "java.lang.Object.wait0": true,
	"java.lang.Thread.sleep": true, "java.lang.Thread.sleep0": true, "java.lang.Thread.sleepNanos0": true, "java.lang.Thread.parkFor": true,
	"java.lang.VMThread.sleep": true, "java.lang.VMThread.parkFor": true,
	"sun.misc.Unsafe.park": true, "jdk.internal.misc.Unsafe.park": true,
	"java.util.concurrent.locks.LockSupport.park": true, "java.util.concurrent.locks.LockSupport.parkNanos": true,
	"java.util.concurrent.locks.LockSupport.parkUntil":    true,
	"java.lang.ref.Reference.waitForReferencePendingList": true, "java.lang.ProcessHandleImpl.waitForProcessExit0": true,
	"dalvik.system.VMRuntime.runHeapTasks": true,

	// Messages and other processes.
	"android.os.MessageQueue.nativePollOnce": true, "android.os.BinderProxy.transactNative": true,
	"libcore.io.Linux.poll": true, "libcore.io.Posix.poll": true,
	"sun.nio.ch.EPoll.wait": true, "sun.nio.ch.EPollArrayWrapper.epollWait": true, "sun.nio.ch.Net.poll": true,

	// Files and the network.
	"libcore.io.Linux.readBytes": true, "libcore.io.Posix.readBytes": true, "java.io.FileInputStream.readBytes": true,
	"libcore.io.Linux.recvfromBytes": true, "libcore.io.Posix.recvfromBytes": true, "java.net.SocketInputStream.socketRead0": true,
	"libcore.io.Linux.accept": true, "libcore.io.Posix.accept": true, "java.net.PlainSocketImpl.socketAccept": true,
	"libcore.io.Linux.connect": true, "libcore.io.Posix.connect": true,
	"com.android.org.conscrypt.NativeCrypto.SSL_read": true, "com.android.org.conscrypt.NativeCrypto.SSL_do_handshake": true,
}
