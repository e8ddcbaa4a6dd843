package perfetto

import (
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// fields encodes a message; the arguments are pairs of a number and an integer or a text.
func fields(list ...any) (b []byte) {
	for i := 0; i < len(list); i += 2 {
		number := protowire.Number(list[i].(int))
		switch v := list[i+1].(type) {
		case int:
			b = protowire.AppendVarint(protowire.AppendTag(b, number, protowire.VarintType), uint64(v))
		case string:
			b = protowire.AppendString(protowire.AppendTag(b, number, protowire.BytesType), v)
		case []byte:
			b = protowire.AppendBytes(protowire.AppendTag(b, number, protowire.BytesType), v)
		}
	}
	return b
}

// TestTimebase reads PerfEvents.Timebase of Perfetto's perf_events.proto: period 1, frequency 2,
// tracepoint 3, counter 4, raw_event 5 and name 10.
func TestTimebase(t *testing.T) {
	for _, c := range []struct {
		what string
		b    []byte
		want counted
	}{
		{"nothing", nil, counted{cpuClock, 0, 0, 1}},
		{"CPU clock at 100 Hz", fields(4, 1, 2, 100), counted{"cpu-clock", 10_000_000, 0, 1}},
		{"CPU clock every 5 ms", fields(4, 1, 1, 5_000_000), counted{"cpu-clock", 5_000_000, 0, 1}},
		{"a name of a clock", fields(4, 3, 1, 7, 10, "mine"), counted{"task-clock", 7, 0, 1}},
		{"page faults at 100 Hz", fields(4, 2, 2, 100), counted{"page-faults", 0, 10 * time.Millisecond, 1}},
		{"instructions at 10 GHz", fields(4, 11, 2, 10_000_000_000), counted{"instructions", 0, time.Nanosecond, 1}},
		{"every 1000th cycle", fields(4, 10, 1, 1000), counted{"cpu-cycles", 1000, 0, 1}},
		{"the last known counter", fields(4, 20, 1, 1), counted{"dummy", 1, 0, 1}},
		{"an unknown counter", fields(4, 21, 1, 1), counted{"another event", 1, 0, 1}},
		{"no counter", fields(4, 0, 1, 1), counted{"another event", 1, 0, 1}},
		{"a tracepoint", fields(3, fields(1, "sched/sched_switch", 2, "x"), 1, 1), counted{"sched/sched_switch", 1, 0, 1}},
		{"a raw event", fields(5, fields(1, 4), 1, 2), counted{"a raw event", 2, 0, 1}},
		{"a named raw event", fields(5, fields(1, 4), 1, 2, 10, "stalls"), counted{"stalls", 2, 0, 1}},
	} {
		if got, err := readTimebase(c.b); err != nil || got != c.want {
			t.Errorf("%s: %+v, want %+v, error %v", c.what, got, c.want, err)
		}
	}
	for _, b := range [][]byte{{0x08}, fields(3, "\x0a\x05a")} {
		if got, err := readTimebase(b); err == nil {
			t.Errorf("% x is %+v, want an error", b, got)
		}
	}
}

// TestDescriptor reads descriptors of a counter: iid 1, name 2, unit 3, unit name 4 and multiplier 5.
func TestDescriptor(t *testing.T) {
	for _, c := range []struct {
		what string
		b    []byte
		want counted
	}{
		{"time", fields(1, 7, 2, "cpu", 3, 1), counted{cpuClock, 0, 0, 1}},
		{"wall time", fields(1, 7, 2, "Wall time", 3, 1), counted{wallTime, 0, 0, 1}},
		{"a count", fields(1, 7, 2, "objects", 3, 2, 4, "pieces"), counted{"objects", 0, 0, 1}},
		{"a unit", fields(1, 7, 4, "pages", 5, 4096), counted{"pages", 0, 0, 4096}},
		{"a number of a unit", fields(1, 7, 3, 3, 5, 0), counted{"an event of unit 3", 0, 0, 1}},
	} {
		if id, got, err := readDescriptor(c.b); err != nil || id != 7 || got != c.want {
			t.Errorf("%s: %d %+v, want %+v, error %v", c.what, id, got, c.want, err)
		}
	}
	if _, _, err := readDescriptor([]byte{0x08}); err == nil {
		t.Error("a truncated descriptor is accepted")
	}
	wall, err := readSampleDefaults(fields(1, "python.wall", 2, fields(2, "time", 3, 1)))
	if want := (counted{wallTime, 0, 0, 1}); err != nil || wall != want {
		t.Errorf("%+v, want %+v, error %v", wall, want, err)
	}
	if cpu, err := readSampleDefaults(fields(1, "python.cpu", 2, fields(2, "time", 3, 1))); err != nil || cpu.event != cpuClock {
		t.Errorf("%+v, error %v", cpu, err)
	}
	if other, err := readSampleDefaults(fields(1, "python.wall", 2, fields(2, "objects", 3, 2))); err != nil || other.event != "objects" {
		t.Errorf("%+v, error %v", other, err)
	}
}
