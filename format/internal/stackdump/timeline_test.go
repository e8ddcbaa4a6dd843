package stackdump

import (
	"slices"
	"testing"
	"time"
)

func TestTimeline(t *testing.T) {
	day := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	whole := func(sec int) Stamp { return Stamp{Date: day.Add(time.Duration(sec) * time.Second), WholeSeconds: true} }
	up := func(d time.Duration) Stamp { return Stamp{Uptime: d, HasUptime: true} }
	const ms = time.Millisecond
	for _, test := range []struct {
		name  string
		dumps []Dump
		want  []time.Duration
		odd   int // dumps with a remark
	}{
		{"uptime", []Dump{{Stamp: up(3 * time.Second)}, {Stamp: up(3*time.Second + 7)}}, []time.Duration{0, 7}, 0},
		{"no times", []Dump{{}, {}, {}}, []time.Duration{0, 10 * ms, 20 * ms}, 0},
		{"one second", []Dump{{Stamp: whole(0)}, {Stamp: whole(0)}, {Stamp: whole(1)}}, []time.Duration{0, 10 * ms, time.Second}, 1},
		{"processes of one moment", []Dump{{PID: 1, Stamp: whole(0)}, {PID: 2, Stamp: whole(0)}, {PID: 3, Stamp: whole(1)}}, []time.Duration{0, 0, time.Second}, 0},
		{"processes without times", []Dump{{PID: 1}, {PID: 2}, {PID: 1}}, []time.Duration{0, 0, 10 * ms}, 0},
		{"back in time", []Dump{{Stamp: up(100 * ms)}, {Stamp: up(300 * ms)}, {Stamp: up(200 * ms)}}, []time.Duration{0, 200 * ms, 210 * ms}, 1},
		{"back by seconds", []Dump{{Stamp: whole(0)}, {Stamp: whole(5)}, {Stamp: whole(1)}}, []time.Duration{0, 5 * time.Second, 5*time.Second + 10*ms}, 1},
		{"before the first", []Dump{{PID: 1, Stamp: up(100 * ms)}, {PID: 2, Stamp: up(50 * ms)}}, []time.Duration{0, 0}, 1},
		{"a time is missing", []Dump{{Stamp: up(100 * ms)}, {}, {Stamp: up(300 * ms)}}, []time.Duration{0, 10 * ms, 200 * ms}, 0},
		{"absurdly late", []Dump{{Stamp: up(0)}, {Stamp: up(1<<63 - 1)}, {Stamp: up(1<<63 - 1)}}, []time.Duration{0, Farthest, Farthest}, 2},
		{"samples of threads", []Dump{{Partial: true, Stamp: up(5)}, {Partial: true, Stamp: up(5)}}, []time.Duration{0, 0}, 0},
	} {
		line := timeline{interval: 10 * ms}
		var got []time.Duration
		odd := 0
		for i := range test.dumps {
			at, remark := line.place(&test.dumps[i])
			got = append(got, at)
			if remark.what != "" {
				odd++
			}
		}
		if !slices.Equal(got, test.want) || odd != test.odd {
			t.Errorf("%s: %v with %d remarks, want %v with %d", test.name, got, odd, test.want, test.odd)
		}
	}
}
