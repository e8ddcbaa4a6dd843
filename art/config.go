package art

import (
	"fmt"
	"time"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// Config describes how a trace was started. The zero value corresponds to Debug.startMethodTracing
// on the default runtime: a file, both clocks, a buffer of 8 MiB.
type Config struct {
	Runtime    *Runtime // nil: [Default]
	Clock      trace.Clock
	Streaming  bool            // output mode streaming, else file
	V2         bool            // format V2, available from ART 15 on
	BufferSize int64           // in bytes, including the 32 bytes of the file header; 0 means [DefaultBuffer]; the size of thread buffers is fixed by the runtime
	Technique  trace.Technique // trace.Sampled; any other value means instrumented

	// ClockOverhead is the mean cost of one read of the clocks, as stated in the file.
	ClockOverhead time.Duration

	// Objects are the allocation statistics of the file, available when it is complete; nil if it
	// has none.
	Objects *Objects

	// MethodOrder is the order in which ART 14 and later list methods in *methods. That order is
	// the iteration order of a hash table of addresses (libc++'s unordered_map), and differs from
	// run to run. Methods missing in MethodOrder follow by ascending id; nil sorts all methods by
	// id. Files in format V2 and streams have no *methods table.
	MethodOrder []trace.MethodID

	// KeepSymbols keeps the truth's thread and method indexes in the events, for comparisons with
	// the truth. The recording's Symbols are then the truth's, and it has no Source, because no
	// runtime writes such a file.
	KeepSymbols bool

	// ExactNames keeps tabs and line ends in thread names, as ART does. They break the lines of the
	// thread table, so by default each of them is replaced by a blank.
	ExactNames bool

	// HostBuild selects the build of ART for PCs, as packaged by Debian: kIsTargetBuild is false.
	// Its streams accept larger tids.
	HostBuild bool

	// Unbuffered delivers events when they happen, in order per thread, not when their thread's
	// buffer is full. It is for comparisons of single threads, and has an effect only in output
	// mode streaming with thread buffers.
	Unbuffered bool
}

// WithDefaults returns c with its zero values replaced by the defaults, or an error if no such
// trace can be started.
func (c Config) WithDefaults() (Config, error) {
	if c.Runtime == nil {
		c.Runtime = Default()
	}
	if c.BufferSize == 0 {
		c.BufferSize = DefaultBuffer
	}
	r := c.Runtime
	switch {
	case c.Streaming && r.StreamFormat == "":
		return c, fmt.Errorf("%s cannot stream; omit --streaming, or use art8 or later", r.Name)
	case c.V2 && r.V2Format == "":
		return c, fmt.Errorf("%s has no format V2; use art15 or later", r.Name)
	case c.V2 && r.V2Format == dmformat.ARTV2of15 && !c.Streaming:
		return c, fmt.Errorf("without --streaming, %s writes format V2 without threads and methods; use --streaming", r.Name)
	case c.BufferSize < MinBuffer:
		return c, fmt.Errorf("buffer of %d bytes; VMDebug accepts %d and more", c.BufferSize, MinBuffer)
	}
	return c, nil
}

// format returns the variant of the file.
func (c *Config) format() string {
	switch {
	case c.V2:
		return c.Runtime.V2Format
	case c.Streaming:
		return c.Runtime.StreamFormat
	case c.Runtime.VM == "dalvik" && c.Clock != trace.Dual:
		return dmformat.Dalvik2
	}
	return c.Runtime.Format
}

// Limits of tids in streams up to Android 13 (kMaxThreadIdNumber of trace.h; Android 6 and 7 have
// the first one on PCs, too).
const (
	deviceTIDs = 1 << 16
	hostTIDs   = 1 << 20
)

// tidLimit returns the lowest tid at which a stream aborts the app, or 0 if there is none:
// CHECK_LT in Trace::RegisterThread.
func (c *Config) tidLimit() uint32 {
	switch {
	case !c.Streaming || !c.Runtime.limitsTIDs:
		return 0
	case c.HostBuild:
		return hostTIDs
	}
	return deviceTIDs
}

// buffering returns the kind of buffers that events are written to.
func (c *Config) buffering() Buffering {
	if c.Streaming {
		return c.Runtime.Stream
	}
	return c.Runtime.File
}

// RecordSize returns the size of a record of a classic file with these clocks, in bytes.
func RecordSize(c trace.Clock) int64 {
	if c == trace.Dual {
		return 14
	}
	return 10
}

// Records returns the number of records that fit into a shared buffer of that size in bytes, after
// the file header.
func Records(bufferSize int64, c trace.Clock) int64 {
	return (bufferSize - headerSize) / RecordSize(c)
}

// headerSize is the length of a file's binary header, which is part of the buffer.
const headerSize = 32
