package dmformat

import (
	"fmt"
	"strings"

	"artifice/trace"
)

// Names of the variants, the values of --format and of [trace.Source.Format].
const (
	Dalvik1   = "dalvik1"
	Dalvik2   = "dalvik2"
	Dalvik3   = "dalvik3"
	ART       = "art"
	ARTStream = "art-stream"
	ARTV2of15 = "art-v2-15"
	ARTV2of16 = "art-v2-16"
	ARTV2of17 = "art-v2-17"
)

// Variant is one form of a method trace file.
type Variant struct {
	Name        string
	Description string
	VM          string // value of the option vm
	Streaming   bool   // one pass: symbols are announced, the key section is a summary at the end
	Version     uint16 // version word; 0: 2 for one clock, 3 for both
	TIDBits     int    // width of a record's thread id
	SingleClock bool   // has no field for a second time
	Columns     int    // of a method line

	// V2 is the generation of format V2; 0 for earlier formats. Its files are written in one pass
	// or, in output mode "file", with the entries last.
	V2 Generation
}

// StatesEnds reports whether files of a format state how long the frames open at the end last:
// Dalvik's thread table lists every thread as alive at the stop, and a profile of long-running
// methods has no stop, so atStop is false for it.
func StatesEnds(format string) (ends, atStop bool) {
	if IsLongRun(format) {
		return false, false
	}
	v, err := ByName(format)
	return err != nil || v.VM != "dalvik", true
}

// Variants are all variants, oldest first.
var Variants = []Variant{
	{Name: Dalvik1, Description: "Dalvik, Android 1.0 to 3.x: one clock, thread ids of 8 bits",
		VM: "dalvik", Version: 1, TIDBits: 8, SingleClock: true, Columns: 6},
	{Name: Dalvik2, Description: "Dalvik, Android 4.0 to 4.4: one clock",
		VM: "dalvik", Version: 2, TIDBits: 16, SingleClock: true, Columns: 6},
	{Name: Dalvik3, Description: "Dalvik, Android 4.0 to 4.4: wall and CPU clock",
		VM: "dalvik", Version: 3, TIDBits: 16, Columns: 6},
	{Name: ART, Description: "ART, Android 5 and later: the classic file, written when tracing stops",
		VM: "art", TIDBits: 16, Columns: 5},
	{Name: ARTStream, Description: "ART, Android 5 and later: the streamed file, written while tracing",
		VM: "art", TIDBits: 16, Columns: 5, Streaming: true},
	{Name: ARTV2of15, Description: "ART of Android 15: format V2, in packets, with times in us",
		VM: "art", TIDBits: 32, Columns: 5, V2: V2of15},
	{Name: ARTV2of16, Description: "ART of Android 16: format V2, in packets, with times in ns",
		VM: "art", TIDBits: 32, Columns: 5, V2: V2of16},
	{Name: ARTV2of17, Description: "ART of 2026: format V2, in packets, with times in ns or counter ticks; Perfetto reads it",
		VM: "art", TIDBits: 32, Columns: 5, V2: V2of17},
}

// ByName returns the variant with the given name, or an error that lists the names.
func ByName(name string) (*Variant, error) {
	for i := range Variants {
		if Variants[i].Name == name {
			return &Variants[i], nil
		}
	}
	return nil, fmt.Errorf("unknown trace format %q; use one of %s", name, strings.Join(Names(), ", "))
}

// Names returns the names of all variants.
func Names() []string {
	names := make([]string, len(Variants))
	for i, v := range Variants {
		names[i] = v.Name
	}
	return names
}

// Clock returns the clocks that the variant can store for a trace with clocks c. If only one of
// two fits, it is the wall clock, because its times are comparable between threads.
func (v *Variant) Clock(c trace.Clock) trace.Clock {
	if v.SingleClock && c == trace.Dual {
		return trace.Wall
	}
	return c
}

// VersionFor returns the version word of the variant's files with clock c, without [StreamBit].
func (v *Variant) VersionFor(c trace.Clock) uint16 {
	switch {
	case v.Version != 0:
		return v.Version
	case v.V2 != 0 && c == trace.Dual:
		return versionV2Dual
	case v.V2 != 0:
		return versionV2Single
	case c == trace.Dual:
		return 3
	}
	return 2
}

// MaxTID returns the highest thread id that fits in a record.
func (v *Variant) MaxTID() uint32 { return uint32(1<<v.TIDBits - 1) }

// OfGeneration returns the variant of a generation of format V2.
func OfGeneration(g Generation) *Variant {
	for i := range Variants {
		if Variants[i].V2 == g {
			return &Variants[i]
		}
	}
	return nil
}
