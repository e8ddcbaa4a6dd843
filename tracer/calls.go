package tracer

import (
	"slices"
	"strings"
	"time"

	"artifice/instrument"
	"artifice/trace"
	"artifice/tracer/device"
)

// calls completes a tracer that is called by code in the app at each method call. It adds the
// options common to all of these and the run, given its configuration on a device.
func calls(t Tracer, config func(device.Device) instrument.CallsConfig) Tracer {
	t.Uses = slices.Concat([]string{"seed", "device"}, t.Uses)
	t.New = func(_ *trace.Info, o *Options) Run {
		cfg := config(o.Device)
		cfg.TempDir = o.TempDir
		if o.Ring > 0 {
			cfg.Ring = o.Ring
		}
		cfg.MainOnly = cfg.MainOnly && !(o.AllThreads && slices.Contains(t.Uses, "all-threads"))
		return insertedCalls{cfg: cfg}
	}
	return t
}

// inApp reports whether a method belongs to the app or to a library in it. A build plug-in can
// insert code into such a method, as it has bytecode. Android's own classes are on the phone.
func inApp(m *trace.Method) bool {
	if m.Flags&(trace.Native|trace.Proxy) != 0 {
		return false
	}
	class := m.DottedClass()
	return !slices.ContainsFunc(platform, func(prefix string) bool { return strings.HasPrefix(class, prefix) })
}

// platform are the packages of Android's boot class path.
var platform = []string{
	"android.", "java.", "javax.", "dalvik.", "libcore.", "sun.", "jdk.", "com.android.", "org.apache.harmony.", "org.json.", "org.xml.", "org.w3c.", "org.xmlpull.",
}

// sections is a system trace: sections of android.os.Trace in the code of Android and the app,
// written to the kernel's buffer as by atrace; Android Studio's system trace, Perfetto's and
// systrace's record them. The trace contains no methods other than sections. Sections end when an
// exception leaves them: they are in a try-finally. The scheduler's events in the same trace give
// the CPU time of a section.
//
// A method is a section if the truth marks it as one ([trace.Section]), or if it is one of
// Android's methods, identified by name, with a section around their whole body.
var sections = calls(Tracer{
	Name:        "sections",
	Description: "system trace: only sections that android.os.Trace marks (Android Studio's system trace, atrace)",
	Costs:       Costs{Numbers: []string{"marker"}},
	How:         howSections,
}, func(d device.Device) instrument.CallsConfig {
	return instrument.CallsConfig{Sees: isSection, Enter: d.Tools.Marker, Exit: d.Tools.Marker, CPU: true, Sections: true}
})

// isSection reports whether a method's calls are sections.
func isSection(m *trace.Method) bool {
	return m.Flags&trace.Section != 0 || sectionMethods[m.DottedClass()+"."+m.Name]
}

// sectionMethods are methods of Android and of androidx that are one section from begin to end, or
// nearly so. They begin with Trace.traceBegin and end with traceEnd (Choreographer, ViewRootImpl,
// LayoutInflater, AbsListView, RecyclerView, GapWorker), or their caller's section contains nothing
// else (ActivityThread's messages and, since Android 9, android.app.servertransaction). A method
// with a section on only some of its paths does not count, such as
// RecyclerView.consumePendingUpdateOperations.
var sectionMethods = map[string]bool{
	"android.view.Choreographer.doFrame": true, "android.view.Choreographer.doCallbacks": true,
	"android.view.ViewRootImpl.performTraversals": true, "android.view.ViewRootImpl.performMeasure": true,
	"android.view.ViewRootImpl.performLayout": true, "android.view.ViewRootImpl.performDraw": true,
	"android.view.ViewRootImpl.deliverInputEvent":      true,
	"android.view.LayoutInflater.inflate":              true,
	"android.app.ActivityThread.handleBindApplication": true, "android.app.ActivityThread.handleLaunchActivity": true,
	"android.app.ActivityThread.handleResumeActivity": true, "android.app.ActivityThread.handlePauseActivity": true,
	"android.app.ActivityThread.handleStopActivity": true, "android.app.ActivityThread.handleReceiver": true,
	"android.app.ActivityThread.handleCreateService": true, "android.app.ActivityThread.handleBindService": true,
	"android.widget.AbsListView.obtainView":              true,
	"androidx.recyclerview.widget.RecyclerView.onLayout": true, "androidx.recyclerview.widget.GapWorker.run": true,
}

// markers is ByteDance's RheaTrace 1. A plug-in inserts a marker at a method's start and before
// each return and athrow, and a ring keeps the last 100 000: of the main thread alone (its setting
// mainThreadOnly), or of all threads, which share it. A call that an exception passes through has
// no end; the accompanying repair (trace_doctor.py) guesses one. The repair appends ": CrashTag" to
// the names of calls with a guessed end; this is not emulated. A method is not traced if its class
// and name take more than 125 characters.
var markers = calls(Tracer{
	Name:        "rheatrace1",
	Description: "RheaTrace 1: the last 100,000 entries and exits of the app's own methods, on the main thread or all threads",
	Costs:       Costs{Numbers: []string{"rhea-marker"}},
	How:         library("RheaTrace 1"),
	Uses:        []string{"ring", "all-threads"},
	Ring:        struct{ Min, Max int64 }{10_000, 5_000_000}, // checkConfig of TraceConfiguration.java
}, func(d device.Device) instrument.CallsConfig {
	return instrument.CallsConfig{
		Sees: func(m *trace.Method) bool { return inApp(m) && len(m.FullName()) <= 125 }, MainOnly: true,
		Enter: d.Tools.RheaMarker, Exit: d.Tools.RheaMarker, Exceptions: instrument.ExceptionsRepaired, Ring: 100_000,
	}
})

// exitRecords is ByteDance's btrace 2 (rhea-atrace). A plug-in inserts a read of the clock at a
// method's start and, at each return and athrow, a record of begin and length. A call that an
// exception passes through leaves no record, nor does an unfinished call, or one of no duration.
// Android's own methods and native methods have none.
//
// The file has room for 500 000 000 bytes at 16 bytes per record; later records are lost.
var exitRecords = calls(Tracer{
	Name:        "btrace2",
	Description: "btrace 2: each call of the app's own methods, recorded when it ends",
	Costs:       Costs{Numbers: []string{"exit-record"}},
	How:         library("btrace 2"),
}, func(d device.Device) instrument.CallsConfig {
	return instrument.CallsConfig{
		Sees: inApp, Enter: d.Tools.ExitRecord, Exit: d.Tools.ExitRecord,
		Exceptions: instrument.ExceptionsDrop, AtExit: true, MaxEntries: 500_000_000 / 16,
	}
})

// beat is Tencent's Matrix (trace-canary, AppMethodBeat). A plug-in inserts a call at a method's
// begin and before each return and athrow, which on the main thread writes a number to a ring of 1
// 000 000. The number contains the time of a clock that another thread updates every 5 ms, so that
// shorter calls mostly have no length. A call that an exception passes through is dropped, as no
// end of it is found. Methods that call no others are not instrumented; a truth identifies only
// some of these, the leaves without a suspend check ([trace.LeafNoPoll]). The begin and end of a
// message are recorded as Handler.dispatchMessage.
var beat = calls(Tracer{
	Name:        "matrix",
	Description: "Matrix: entries and exits of the app's own methods on the main thread; its clock advances every 5 ms",
	Costs:       Costs{Numbers: []string{"beat"}},
	How:         library("Matrix"),
	Uses:        []string{"ring"},
}, func(d device.Device) instrument.CallsConfig {
	return instrument.CallsConfig{
		Sees: isBeaten, MainOnly: true, Enter: d.Tools.Beat, Exit: d.Tools.Beat,
		Exceptions: instrument.ExceptionsDrop, Ring: 1_000_000, Updated: 5 * time.Millisecond,
	}
})

func isBeaten(m *trace.Method) bool {
	if m.Name == "dispatchMessage" && m.DottedClass() == "android.os.Handler" {
		return true
	}
	return inApp(m) && m.Flags&trace.LeafNoPoll == 0
}

// nanoscope is Uber's: a modified ART writes, at each begin and end of a method, the method and the
// CPU's tick counter to the buffer of the traced thread, here the main thread. The buffer has 40
// 000 000 words, two for each event, and no check for its end: a real app crashes there, and here
// recording stops.
var nanoscope = calls(Tracer{
	Name:         "nanoscope",
	Description:  "nanoscope: every call of the main thread, recorded by a modified ART in 20 ns per entry or exit",
	Costs:        Costs{Numbers: []string{"nanoscope"}},
	Discontinued: "it is a ROM of 2018 for one phone, the Nexus 6P",
}, func(d device.Device) instrument.CallsConfig {
	return instrument.CallsConfig{MainOnly: true, Enter: d.Tools.Nanoscope, Exit: d.Tools.Nanoscope, MaxEntries: 20_000_000}
})
