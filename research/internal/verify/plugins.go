package verify

import (
	"strings"
	"time"

	"artifice/research/internal/reference"
	"artifice/trace"
	"artifice/tracer"
	"artifice/tracer/device"
)

// pluginOf returns the in-app code of modes that have some, as documented in the tools' documents
// and sources; nil for other modes.
func pluginOf(mode string, d device.Device) *reference.Plugin {
	switch mode {
	case "sections":
		return &reference.Plugin{Sees: section, Begin: d.Tools.Marker, End: d.Tools.Marker, CPU: true}
	case "btrace2":
		return &reference.Plugin{Sees: own, Begin: d.Tools.ExitRecord, End: d.Tools.ExitRecord, AtExit: true, Passed: reference.PassedOmitted}
	case "rheatrace1":
		return &reference.Plugin{Sees: own, Main: true, Begin: d.Tools.RheaMarker, End: d.Tools.RheaMarker, Passed: reference.PassedGuessed, Ring: 100000}
	case "matrix":
		return &reference.Plugin{
			Sees: func(m *trace.Method) bool { return dispatches(m) || own(m) && m.Flags&trace.LeafNoPoll == 0 },
			Main: true, Begin: d.Tools.Beat, End: d.Tools.Beat, Passed: reference.PassedOmitted, Ring: 1000000, Clock: uptime(),
		}
	case "nanoscope":
		return &reference.Plugin{Sees: func(*trace.Method) bool { return true }, Main: true, Begin: d.Tools.Nanoscope, End: d.Tools.Nanoscope}
	}
	return nil
}

// own reports whether m is one of the verified workloads' own methods.
func own(m *trace.Method) bool { return strings.HasPrefix(m.Class, "com.example.") }

// section reports whether m is a section: one of the workloads', or one of Android's that appear in
// them.
func section(m *trace.Method) bool {
	return m.Flags&trace.Section != 0 || m.FullName() == "android.view.Choreographer.doFrame" || m.FullName() == "android.view.ViewRootImpl.performTraversals"
}

func dispatches(m *trace.Method) bool { return m.FullName() == "android.os.Handler.dispatchMessage" }

// uptime returns Matrix's clock, in whole milliseconds: the latest of the begin of the message and
// the multiples of 5 ms after it; between two messages, the end of the last one. In an app without
// messages it is the multiples of 5 ms.
func uptime() func(at time.Duration, enter bool, m *trace.Method) time.Duration {
	begin, last, messages := time.Duration(0), time.Duration(-1), false
	return func(at time.Duration, enter bool, m *trace.Method) time.Duration {
		now := begin
		switch {
		case dispatches(m):
			messages, now, begin, last = true, at, at, at
			if enter {
				last = -1
			}
		case messages && last >= 0:
			now = last
		default:
			for now+5*time.Millisecond <= at {
				now += 5 * time.Millisecond
			}
		}
		return now / time.Millisecond * time.Millisecond
	}
}

// plugged returns the record of a tracer that has a plugin ([pluginOf]).
func plugged(mode string) func(t *reference.Truth, o *tracer.Options) *reference.Record {
	return func(t *reference.Truth, o *tracer.Options) *reference.Record {
		p := pluginOf(mode, o.Device)
		if o.Ring > 0 {
			p.Ring = int(o.Ring)
		}
		p.Main = p.Main && !o.AllThreads
		return t.Plug(p)
	}
}
