package tracer

import (
	"slices"
	"strings"

	"artifice/instrument"
	"artifice/trace"
	"artifice/tracer/device"
)

// calls makes a tracer that is told of calls by code in the app complete: the options that
// all of these use beside its own, and how it runs with its configuration on a device.
func calls(t Tracer, config func(device.Device) instrument.CallsConfig) Tracer {
	t.Uses = slices.Concat([]string{"seed", "device"}, t.Uses)
	t.New = func(_ *trace.Info, o *Options) Run {
		cfg := config(o.Device)
		cfg.TempDir = o.TempDir
		if o.Ring > 0 {
			cfg.Ring = o.Ring
		}
		cfg.MainOnly = cfg.MainOnly && !(o.AllThreads && slices.Contains(t.Uses, "all-threads"))
		return toldCalls{func(truth *trace.Recording) (*trace.Recording, error) { return instrument.RecordCalls(truth, cfg) }}
	}
	return t
}

// inApp reports whether a method is of the app or of a library in it, so that a plug-in
// of its build can put code into it: it has bytecode there. Android's own classes are on
// the phone.
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
