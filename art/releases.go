package art

import (
	"artifice/internal/dmformat"
	"fmt"
	"strings"
	"time"
)

// runtimes are all emulated runtimes, oldest first.
var runtimes = []*Runtime{
	{
		Name: "dalvik", Description: "Dalvik, Android 4.0 to 4.4; only 4.4 supports sampling",
		VM: "dalvik", Format: "dalvik3",
		numbering: vmThreads, threads: mainThenBackwards,
		methodsByAddress: true, SamplesFirst: true, NewestFirst: true, Tick: time.Microsecond,
		HoldsThreads: true, StopsAtOnce: true, CountsFromZero: true, samplingThread: "Sampling Thread", ReportsGC: true, Interprets: true,
		wrapsObjects: true,
	},
	// 5 has differences that are not emulated: it neither streams nor writes the line of the
	// process, and 5.0 reads the elapsed time before its sampling thread stops.
	art13(Runtime{Name: "art8", Description: "ART of Android 6 to 8; it samples even while the garbage collector runs", HidesProxies: true, wrapsObjects: true}),
	art13(Runtime{Name: "art9", Description: "ART of Android 9", HidesProxies: true, WaitsForGC: true, wrapsObjects: true}),
	art13(Runtime{Name: "art10", Description: "ART of Android 10", OpenFrames: true, HidesInterpreted: true, WaitsForGC: true, wrapsObjects: true}),
	art13(Runtime{
		Name: "art11", Description: "ART of Android 11", OpenFrames: true, HidesInterpreted: true, WaitsForGC: true,
		SamplesAtStop: true,
	}),
	art13(Runtime{Name: "art12", Description: "ART of Android 12", OpenFrames: true, WaitsForGC: true}),
	art13(Runtime{Name: "art13", Description: "ART of Android 13", OpenFrames: true, WaitsForGC: true}),
	{
		Name: "art14", Description: "ART of Android 14, first release",
		VM: "art", Format: "art", StreamFormat: "art-stream",
		OpenFrames: true, HidesCompiled: true,
		threads: allByTIDs, Stream: PerThread,
		wordsEnter: [2]int{3, 4}, wordsExit: [2]int{3, 4}, keepsWordFree: true,
		summaryThreads: true, summaryMethods: true,
		WaitsForGC: true, samplingThread: "Sampling Profiler", ZeroFirst: true, Tick: time.Microsecond, WholeReadings: true, MeasureReads: 2,
		ListensToAllocations: true,
	},
	art14QPR2(Runtime{Name: "art14qpr2", Description: "ART of Android 14 QPR2; from this release on, each thread has its own buffer"}),
	art15(Runtime{
		Name: "art15", Description: "ART of Android 15", V2Format: "art-v2-15",
		wordsEnter: [2]int{2, 3}, wordsExit: [2]int{2, 3}, firstFullEnds: true, Tick: time.Microsecond,
	}),
	art15(Runtime{
		Name: "art16", Description: "ART of Android 16", V2Format: "art-v2-16",
		wordsEnter: [2]int{2, 3}, wordsExit: [2]int{2, 3}, firstFullEnds: true, emptyBlocks: true, namesProxies: true, Tick: 1,
		SamplesAtStop: true,
	}),
	art15(Runtime{
		Name: "art17", Description: "ART of 2026", V2Format: "art-v2-17",
		wordsEnter: [2]int{2, 3}, wordsExit: [2]int{1, 2}, namesProxies: true, Tick: 1,
	}),
}

// art13 completes a runtime with the common properties of ART 5 to 13.
func art13(r Runtime) *Runtime {
	r.VM, r.Format, r.StreamFormat = "art", "art", "art-stream"
	r.announceOnce, r.limitsTIDs, r.summaryThreads, r.padsSingle = true, true, true, true
	r.methodsByAddress, r.wrongProxyIDs = true, true
	r.ZeroFirst, r.Tick, r.WholeReadings, r.MeasureReads = true, time.Microsecond, true, 2
	r.Interprets, r.ListensToAllocations = true, true
	r.EndsProxiesTwice = !r.HidesProxies
	return &r
}

// art14QPR2 completes a runtime with the properties of Android 14 QPR2. They are those of 15 with
// four exceptions: a stream names a method right before its event, a full buffer truncates a run,
// recording continues after all buffers have been written, and no clock is read after the start
// time.
func art14QPR2(r Runtime) *Runtime {
	r.wordsEnter, r.wordsExit = [2]int{2, 3}, [2]int{2, 3}
	r.cutsRuns, r.keepsListening, r.Tick = true, true, time.Microsecond
	all := art15(r)
	all.methodsFirst, all.namesFirst, all.ListensToAllocations = false, false, true
	all.StartReads = 0
	return all
}

// art15 completes a runtime with the common properties of ART 15 and later.
func art15(r Runtime) *Runtime {
	r.VM, r.Format, r.StreamFormat = "art", "art", "art-stream"
	r.OpenFrames, r.HidesCompiled = true, true
	r.numbering, r.threads = firstEvent, threadsWithEvents
	r.File, r.Stream = PerThread, PerThread
	r.methodsFirst, r.summaryMethods = true, true
	r.namesFirst = true
	r.WaitsForGC, r.CompiledHooks = true, true
	r.WholeReadings, r.MeasureReads, r.StartReads = true, 2, 2
	return &r
}

// Default returns the runtime that is emulated by default.
func Default() *Runtime {
	r, err := ByName("art15")
	if err != nil {
		panic(err)
	}
	return r
}

// All returns all runtimes, oldest first.
func All() []*Runtime { return runtimes }

// ByName returns the runtime with that name, or an error that lists the names.
func ByName(name string) (*Runtime, error) {
	var names []string
	for _, r := range runtimes {
		if r.Name == name {
			return r, nil
		}
		names = append(names, r.Name)
	}
	return nil, fmt.Errorf("unknown runtime %q; use one of %s", name, strings.Join(names, ", "))
}

// Writing returns a runtime that writes files of a format: the one with that V2 format, Dalvik for
// its own formats, else the default.
func Writing(format string) *Runtime {
	v, err := dmformat.ByName(format)
	for _, r := range runtimes {
		if err == nil && (r.V2Format == format || v.VM == "dalvik" && r.VM == "dalvik") {
			return r
		}
	}
	return Default()
}
