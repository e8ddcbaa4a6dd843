package tracer

import (
	"fmt"
	"time"
)

// How says how people record with a way of tracing at an interval, 0 for its own: a
// command, or what to build into the app; "" where it is not known.
type How func(interval time.Duration) string

// The commands of Android's activity manager are those of ActivityManagerShellCommand
// (runProfile). Its options for sampling and streaming have tests of Android's own since
// Android 8, --clock-type is there since Android 15. An app has to be debuggable, or, from
// Android 10 on, profileable by the shell.

// HowSampled is the way to ART's samples.
func HowSampled(interval time.Duration) string {
	return fmt.Sprintf("adb shell am profile start --sampling %d PACKAGE FILE (Android 8 and later)", interval.Microseconds())
}

// HowInstrumented is the way to a report of each call with both clocks.
func HowInstrumented(time.Duration) string {
	return "adb shell am profile start PACKAGE FILE"
}

// HowWall is the same with the wall clock alone.
func HowWall(time.Duration) string {
	return "adb shell am profile start --clock-type wall PACKAGE FILE (Android 15 and later)"
}

// howSimpleperf is the way to samples by CPU time, of simpleperf's cpu-clock. Android
// Studio's button of that name has 1000 Hz.
func howSimpleperf(interval time.Duration) string {
	studio := ""
	if interval == time.Millisecond {
		studio = "\"Find CPU Hotspots (Callstack Sample)\" in Android Studio, or "
	}
	return fmt.Sprintf("%sadb shell simpleperf record --app PACKAGE -e cpu-clock -f %d --call-graph dwarf -o FILE (Android 8 and later)", studio, hertz(interval, 4000))
}

// howPerfetto is the script that Perfetto has for its data source linux.perf, with the
// version that its documentation asks for.
func howPerfetto(interval time.Duration) string {
	return fmt.Sprintf("tools/cpu_profile -n PACKAGE -f %d of Perfetto (Android 13 and later)", hertz(interval, 100))
}

func howSections(time.Duration) string {
	return "adb shell atrace -a PACKAGE -t 10 -z -o FILE gfx view am dalvik"
}

// hertz returns the frequency of an interval, or the usual one.
func hertz(interval time.Duration, usual int64) int64 {
	if interval <= 0 {
		return usual
	}
	return max(1, int64((time.Second+interval/2)/interval))
}

// library is the way of those that an app is built with.
func library(name string) How {
	return func(time.Duration) string { return "build the app with " + name }
}
