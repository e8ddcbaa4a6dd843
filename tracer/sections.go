package tracer

import (
	"artifice/instrument"
	"artifice/trace"
	"artifice/tracer/device"
)

// sections is a system trace: sections of android.os.Trace that Android and the app
// have in their code, written to the kernel's buffer as atrace does; Android Studio's
// system trace, Perfetto's and systrace's record them. Methods that are no section do
// not show. Sections end when an exception leaves them: they are in a try-finally.
// The CPU time of a section is told by the scheduler's events in the same trace.
//
// A method is a section if the truth says so ([trace.Section]), or if it is one of Android's
// methods, known by name, that have a section around their whole body.
var sections = calls(Tracer{
	Name:        "sections",
	Description: "a system trace: sections of android.os.Trace alone (Android Studio's system trace, atrace)",
	Costs:       Costs{Numbers: []string{"marker"}},
	How:         howSections,
}, func(d device.Device) instrument.CallsConfig {
	return instrument.CallsConfig{Sees: isSection, Enter: d.Tools.Marker, Exit: d.Tools.Marker, CPU: true, Sections: true}
})

// isSection reports whether a method's calls are sections.
func isSection(m *trace.Method) bool {
	return m.Flags&trace.Section != 0 || sectionMethods[m.DottedClass()+"."+m.Name]
}

// sectionMethods are methods of Android and of androidx that are one section from begin
// to end, or nearly so: they begin with Trace.traceBegin and end with traceEnd
// (Choreographer, ViewRootImpl, LayoutInflater, AbsListView, RecyclerView, GapWorker), or
// whoever calls them does nothing else in its section (ActivityThread's messages and, since
// Android 9, android.app.servertransaction). A method that has a section
// on some of its paths only does not count, such as RecyclerView.consumePendingUpdateOperations.
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
