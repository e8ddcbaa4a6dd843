package tracer

import (
	"fmt"
	"time"
)

// How returns how to record with a tracing method at an interval, 0 for its default: a command, or
// what to build into the app; "" if unknown.
type How func(interval time.Duration) string

// The commands of Android's activity manager are those of ActivityManagerShellCommand (runProfile).
// Its options for sampling and streaming have tests of Android's own since Android 8; --clock-type
// exists since Android 15. An app has to be debuggable, or, from Android 10 on, profileable by the
// shell.

// HowSampled returns the command for ART's sampling.
func HowSampled(interval time.Duration) string {
	return fmt.Sprintf("adb shell am profile start --sampling %d PACKAGE FILE (Android 8 and later)", interval.Microseconds())
}

// HowInstrumented returns the command for recording every call with both clocks.
func HowInstrumented(time.Duration) string {
	return "adb shell am profile start PACKAGE FILE"
}

// HowWall is the same with the wall clock only.
func HowWall(time.Duration) string {
	return "adb shell am profile start --clock-type wall PACKAGE FILE (Android 15 and later)"
}

// howSimpleperf returns the command for sampling by CPU time, with simpleperf's cpu-clock. Android
// Studio's callstack sampling uses 1000 Hz.
func howSimpleperf(interval time.Duration) string {
	studio := ""
	if interval == time.Millisecond {
		studio = "\"Find CPU Hotspots (Callstack Sample)\" in Android Studio, or "
	}
	return fmt.Sprintf("%sadb shell simpleperf record --app PACKAGE -e cpu-clock -f %d --call-graph dwarf -o FILE (Android 8 and later)", studio, hertz(interval, 4000))
}

// howPerfetto returns Perfetto's script for its data source linux.perf, with the version that its
// documentation requires.
func howPerfetto(interval time.Duration) string {
	return fmt.Sprintf("tools/cpu_profile -n PACKAGE -f %d of Perfetto (Android 13 and later)", hertz(interval, 100))
}

func howSections(time.Duration) string {
	return "adb shell atrace -a PACKAGE -t 10 -z -o FILE gfx view am dalvik"
}

// hertz returns the frequency of an interval, or usual for 0.
func hertz(interval time.Duration, usual int64) int64 {
	if interval <= 0 {
		return usual
	}
	return max(1, int64((time.Second+interval/2)/interval))
}

// library returns the way to record with a tool that is built into the app.
func library(name string) How {
	return func(time.Duration) string { return "build the app with " + name }
}
