package art

import (
	"fmt"
	"time"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// Config says how a trace was started. The zero value is
// Debug.startMethodTracing on the default runtime: a file, both clocks, a
// buffer of 8 MiB.
type Config struct {
	Runtime    *Runtime // nil: [Default]
	Clock      trace.Clock
	Streaming  bool            // output mode streaming; else file
	V2         bool            // format V2, which ART knows from 15 on
	BufferSize int64           // bytes, the file's header of 32 included; 0: [DefaultBuffer]; a thread buffer's size is the runtime's
	Technique  trace.Technique // trace.Sampled, or anything else for instrumented

	// ClockOverhead is the mean cost of one read of the clocks, as the file
	// states it.
	ClockOverhead time.Duration

	// Objects are the statistics of objects that the file has when it is complete; nil: it has none.
	Objects *Objects

	// MethodOrder is the order in which ART 14 and later list methods in *methods, that of a
	// hash table of addresses (libc++'s unordered_map), which no two runs share. Methods that are not
	// in it come behind it, by ascending id; nil: all do. In format V2 and in streams there is no
	// such table.
	MethodOrder []trace.MethodID

	// KeepSymbols leaves events with the thread and method indexes they come
	// with, for comparisons with the truth. The recording's Symbols
	// are then the truth's own and it has no Source, so that no runtime would write a file made
	// of it.
	KeepSymbols bool

	// Unbuffered delivers events when they happen, not when their thread's buffer is
	// full: each thread's in their order. It is for comparisons of one thread at a time,
	// and means something only while streaming into buffers that threads own.
	Unbuffered bool
}

// WithDefaults returns c with its zero values replaced by what they mean, or an
// error when no such trace can be started.
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
		return c, fmt.Errorf("%s cannot stream; leave streaming out or take art8 or later", r.Name)
	case c.V2 && r.V2Format == "":
		return c, fmt.Errorf("%s has no format V2; take art15 or later", r.Name)
	case c.V2 && r.V2Format == dmformat.ARTV2of15 && !c.Streaming:
		return c, fmt.Errorf("%s in output mode file leaves format V2 without threads and methods; stream it", r.Name)
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

// buffering returns where the events go.
func (c *Config) buffering() Buffering {
	if c.Streaming {
		return c.Runtime.Stream
	}
	return c.Runtime.File
}

// RecordSize returns the bytes of one record of a classic file with these clocks.
func RecordSize(c trace.Clock) int64 {
	if c == trace.Dual {
		return 14
	}
	return 10
}

// Records returns how many records a shared buffer of that many bytes holds,
// beside the file's header.
func Records(bufferSize int64, c trace.Clock) int64 {
	return (bufferSize - headerSize) / RecordSize(c)
}

// headerSize is the length of a file's binary header, which counts towards the
// buffer.
const headerSize = 32
