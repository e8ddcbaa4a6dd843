package pprof_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"artifice/format"
	"artifice/trace"
	"artifice/trace/calltree"
)

// valued returns a profile with values of the given types ("type/unit") for two stacks, main;a and
// main;b.
func valued(types string, a, b []int64) *profile.Profile {
	p := &profile.Profile{}
	for _, t := range strings.Fields(types) {
		name, unit, _ := strings.Cut(t, "/")
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: name, Unit: unit})
	}
	for i, name := range []string{"main", "a", "b"} {
		f := &profile.Function{ID: uint64(i + 1), Name: name}
		p.Function = append(p.Function, f)
		p.Location = append(p.Location, &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f}}})
	}
	for i, v := range [][]int64{a, b} {
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{p.Location[i+1], p.Location[0]}, Value: v})
	}
	return p
}

// openProfile opens a profile. It returns the self times of its methods, in wall time by name, and
// in CPU time by name with the suffix " cpu".
func openProfile(t *testing.T, p *profile.Profile, cfg format.Config) (*format.Input, map[string]time.Duration, error) {
	t.Helper()
	var file bytes.Buffer
	if err := p.Write(&file); err != nil {
		t.Fatal(err)
	}
	in, err := format.New(&file, "x.pb.gz", cfg)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	b := calltree.NewBuilder()
	if _, err := trace.Copy(b, in.Events); err != nil {
		t.Fatal(err)
	}
	tree, _ := b.Finish(in.Recording, trace.UnknownTechnique, calltree.UntilEnd)
	times := map[string]time.Duration{}
	for _, m := range tree.Methods() {
		name := in.Symbols.Method(m.Method).FullName()
		if m.Exclusive.Wall != 0 {
			times[name] = m.Exclusive.Wall
		}
		if m.Exclusive.CPU != 0 {
			times[name+" cpu"] = m.Exclusive.CPU
		}
	}
	return in, times, nil
}

// TestValues: the value is selected as in go tool pprof, and its unit determines the quantity.
func TestValues(t *testing.T) {
	const ms = time.Millisecond
	type times = map[string]time.Duration
	cpu := func(a, b time.Duration) times { return times{"a": a, "b": b, "a cpu": a, "b cpu": b} }
	for name, c := range map[string]struct {
		types    string
		standard string // default_sample_type
		period   string
		every    int64
		a, b     []int64
		value    string // of --value
		want     times
		quantity trace.Quantity
		warning  string
	}{
		"Go's CPU profile":    {types: "samples/count cpu/nanoseconds", period: "cpu/nanoseconds", every: 1e7, a: []int64{1, 1e7}, b: []int64{2, 2e7}, want: cpu(10*ms, 20*ms)},
		"unit ns":             {types: "wall/ns", period: "wall/ns", every: 1e7, a: []int64{5e7}, b: []int64{1e7}, want: times{"a": 50 * ms, "b": 10 * ms}},
		"unit second":         {types: "cpu/second", a: []int64{1}, b: []int64{2}, want: cpu(time.Second, 2*time.Second)},
		"unit µs":             {types: "cpu/µs", a: []int64{1000}, b: []int64{2000}, want: cpu(ms, 2*ms)},
		"unit minutes":        {types: "wall/Minutes", a: []int64{1}, b: []int64{2}, want: times{"a": time.Minute, "b": 2 * time.Minute}},
		"unit hour":           {types: "wall/hour", a: []int64{1}, b: []int64{2}, want: times{"a": time.Hour, "b": 2 * time.Hour}},
		"samples of a period": {types: "samples/count", period: "cpu/milliseconds", every: 5, a: []int64{2}, b: []int64{4}, want: cpu(10*ms, 20*ms)},
		"samples, no clock":   {types: "samples/count", period: "/milliseconds", every: 5, a: []int64{2}, b: []int64{4}, want: times{"a": 10 * ms, "b": 20 * ms}},
		"Pyroscope's period":  {types: "cpu/nanoseconds", period: "cpu/nanoseconds", every: 1e9, a: []int64{1e7}, b: []int64{3e7}, want: cpu(10*ms, 30*ms), warning: "the stated period of 1 s is ignored, because most samples have less time"},
		"samples without one": {types: "samples/count", a: []int64{2}, b: []int64{4}, want: times{"a": 2, "b": 4}, quantity: trace.Quantity{Name: "samples", Unit: "count"}},
		"heap":                {types: "alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes", standard: "inuse_space", period: "space/bytes", every: 524288, a: []int64{9, 9, 1, 80}, b: []int64{8, 8, 2, 1e9}, want: times{"a": 80, "b": 1e9}, quantity: trace.Quantity{Name: "inuse_space", Unit: "bytes"}},
		"heap, first value":   {types: "objects/count space/bytes", standard: "objects", a: []int64{7, 1}, b: []int64{8, 2}, want: times{"a": 7, "b": 8}, quantity: trace.Quantity{Name: "objects", Unit: "count"}},
		"the last value":      {types: "objects/count space/byte", a: []int64{7, 1}, b: []int64{8, 2}, want: times{"a": 1, "b": 2}, quantity: trace.Quantity{Name: "space", Unit: "bytes"}, warning: "the values of space are read (--value NAME reads others: objects)"},
		"--value":             {types: "objects/count space/bytes", value: "objects", a: []int64{7, 1}, b: []int64{8, 2}, want: times{"a": 7, "b": 8}, quantity: trace.Quantity{Name: "objects", Unit: "count"}},
		"--value with a unit": {types: "cpu/count cpu/nanoseconds", value: "cpu/nanoseconds", a: []int64{7, 1}, b: []int64{8, 2}, want: cpu(1, 2)},
		"goroutines":          {types: "goroutine/count", period: "goroutine/count", every: 1, a: []int64{9}, b: []int64{1}, want: times{"a": 9, "b": 1}, quantity: trace.Quantity{Name: "goroutine", Unit: "count"}},
		"cycles":              {types: "cycles/cycles", a: []int64{9}, b: []int64{1}, want: times{"a": 9, "b": 1}, quantity: trace.Quantity{Name: "cycles", Unit: "cycles"}},
		"delay of locks":      {types: "contentions/count delay/nanoseconds", period: "contentions/count", every: 1, a: []int64{1, 3e6}, b: []int64{1, 4e6}, want: times{"a": 3 * ms, "b": 4 * ms}, quantity: trace.Quantity{Name: "delay", Unit: "nanoseconds"}, warning: "the values of delay are read (--value NAME reads others: contentions)"},
		"Datadog": {types: "cpu-samples/count cpu-time/nanoseconds wall-time/nanoseconds alloc-space/bytes", period: "time/nanoseconds", every: 1e7, a: []int64{1, 1e7, 1e7, 0}, b: []int64{0, 0, 9e7, 5},
			want: times{"a": 10 * ms, "a cpu": 10 * ms, "b": 90 * ms}, warning: "wall-time and cpu-time are read as wall time and CPU time (--value wall-time or --value cpu-time reads one of them); the profile also has cpu-samples, alloc-space"},
		"Datadog, --value":    {types: "cpu-samples/count cpu-time/nanoseconds wall-time/nanoseconds alloc-space/bytes", value: "wall-time", a: []int64{1, 1e7, 1e7, 0}, b: []int64{0, 0, 9e7, 5}, want: times{"a": 10 * ms, "b": 90 * ms}},
		"Datadog without CPU": {types: "sample/count wall-time/nanoseconds alloc-size/bytes", a: []int64{1, 1e7, 0}, b: []int64{2, 2e7, 5}, want: times{"a": 10 * ms, "b": 20 * ms}, warning: "the values of wall-time are read (--value NAME reads others: alloc-size)"},
		"difference":          {types: "samples/count cpu/nanoseconds", a: []int64{10, 1e8}, b: []int64{-30, -3e8}, want: times{"a": 100 * ms, "b": -300 * ms}, quantity: trace.Quantity{Name: "cpu", Unit: "nanoseconds", Signed: true}},
		"difference of bytes": {types: "space/bytes", a: []int64{-5}, b: []int64{3}, want: times{"a": -5, "b": 3}, quantity: trace.Quantity{Name: "space", Unit: "bytes", Signed: true}},
		"huge":                {types: "cpu/hours", a: []int64{1 << 50}, b: []int64{-1 << 62}},
	} {
		p := valued(c.types, c.a, c.b)
		p.DefaultSampleType, p.Period = c.standard, c.every
		if kind, unit, ok := strings.Cut(c.period, "/"); ok {
			p.PeriodType = &profile.ValueType{Type: kind, Unit: unit}
		}
		if name == "huge" { // sums beyond 2^61 ns are refused
			var file bytes.Buffer
			if err := p.Write(&file); err != nil {
				t.Fatal(err)
			}
			in, err := format.New(&file, "x.pb.gz", format.Config{})
			if err == nil {
				_, err = trace.Copy(trace.Discard, in.Events)
			}
			if err == nil || !strings.Contains(err.Error(), "2^61") {
				t.Errorf("%s: error %v", name, err)
			}
			continue
		}
		in, times, err := openProfile(t, p, format.Config{Value: c.value, Quantities: true})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var warnings []string
		for _, w := range in.Warnings {
			warnings = append(warnings, strings.TrimPrefix(w.String(), "x.pb.gz: "))
		}
		if unknown := name == "samples, no clock"; in.Info.Unclocked != unknown {
			t.Errorf("%s: Unclocked is %v", name, in.Info.Unclocked)
		}
		if strings.Contains(c.warning, "is ignored") && (in.Info.Interval == time.Second || in.Info.Technique != trace.UnknownTechnique) {
			t.Errorf("%s: %+v has technique sampled", name, in.Info)
		}
		if !maps.Equal(times, c.want) || in.Info.Quantity != c.quantity || strings.Join(warnings, "\n") != c.warning {
			t.Errorf("%s: %v of %+v, want %v of %+v; warnings %q, want %q", name, times, in.Info.Quantity, c.want, c.quantity, warnings, c.warning)
		}
	}
}

// TestUnknownValue: the error for a value that the profile does not contain lists the values that
// it contains.
func TestUnknownValue(t *testing.T) {
	_, _, err := openProfile(t, valued("objects/count space/bytes", []int64{1, 1}, []int64{1, 1}), format.Config{Value: "cpu"})
	if err == nil || !strings.Contains(err.Error(), `x.pb.gz: no value "cpu" (--value); the profile has objects, space`) {
		t.Error(err)
	}
}

// TestNoQuantity: if times of threads are required, another quantity is an error, which lists the
// times in the profile.
func TestNoQuantity(t *testing.T) {
	p := valued("cpu/nanoseconds space/bytes", []int64{1, 1}, []int64{1, 1})
	for name, c := range map[string]struct {
		cfg  format.Config
		want string // "": no error
	}{
		"times":         {format.Config{}, "the profile contains space in bytes, and this command requires times of threads; --value selects a time where a command has this flag: cpu"},
		"truth":         {format.Config{Order: format.AsTruth, Quantities: true}, "a ground truth consists of times of threads"},
		"by time":       {format.Config{Order: format.ByTime, Quantities: true}, "this command requires times of threads"},
		"accepted":      {format.Config{Quantities: true}, ""},
		"another value": {format.Config{Order: format.AsTruth, Value: "cpu"}, ""},
	} {
		var file bytes.Buffer
		if err := p.Write(&file); err != nil {
			t.Fatal(err)
		}
		in, err := format.New(&file, "x.pb.gz", c.cfg)
		if err != nil {
			t.Fatal(err)
		}
		err = in.InTimeOrder()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
		in.Close()
	}
}

// TestOwners: labels name threads and processes, with the keys of several profilers.
func TestOwners(t *testing.T) {
	text := func(keys ...string) map[string][]string {
		m := map[string][]string{}
		for i := 0; i < len(keys); i += 2 {
			m[keys[i]] = []string{keys[i+1]}
		}
		return m
	}
	number := func(key string, n int64) map[string][]int64 { return map[string][]int64{key: {n}} }
	for _, c := range []struct {
		label map[string][]string
		num   map[string][]int64
		want  string // name and tid
	}{
		{nil, nil, "main 1"},
		{text("thread", "worker"), number("tid", 7), "worker 7"},
		{text("thread name", "worker-7"), number("thread id", 7), "worker-7 7"},                        // Datadog, Python
		{text("thread id", "42 (1701)", "thread name", "Puma"), nil, "Puma 42"},                        // Datadog, Ruby
		{text("thread id", "<5> [#42]", "thread name", "pool"), nil, "pool 5"},                         // Datadog, .NET
		{text("thread_name", "x", "thread_id", "9"), nil, "x 9"},                                       // Pyroscope
		{text("thread.name", "x"), number("thread.id", 9), "x 9"},                                      // OpenTelemetry
		{text("comm", "app", "thread_comm", "io"), map[string][]int64{"pid": {4}, "tid": {9}}, "io 9"}, // perf_data_converter
		{text("thread name", "MainThread"), map[string][]int64{"thread id": {139872347}, "thread native id": {12}}, "MainThread 12"},
		{text("taskid", "11081818336", "thread_sleeping", "true", "threadid", "6"), nil, " 6"}, // Julia
		{text("thread", "only a name"), nil, "only a name 1"},
		{nil, map[string][]int64{"pid": {77}, "tid": {77}}, "main 77"},
	} {
		p := valued("cpu/nanoseconds", []int64{1}, []int64{2})
		for _, s := range p.Sample {
			s.Label, s.NumLabel = c.label, c.num
		}
		in, _, err := openProfile(t, p, format.Config{})
		if err != nil {
			t.Errorf("%s: %v", c.want, err)
			continue
		}
		var got []string
		for _, th := range in.Symbols.Threads {
			got = append(got, th.Name+" "+time.Duration(th.TID).String()[:len(time.Duration(th.TID).String())-2])
		}
		if !slices.Equal(got, []string{c.want}) {
			t.Errorf("%v %v: threads %q, want %q", c.label, c.num, got, c.want)
		}
	}
}

// TestOwnerLabelPriority: of two labels with one role, the one with the first key of the list
// counts, at every reading.
func TestOwnerLabelPriority(t *testing.T) {
	for range 50 {
		p := valued("cpu/nanoseconds", []int64{1}, []int64{2})
		for _, s := range p.Sample {
			s.Label = map[string][]string{"thread": {"a"}, "thread name": {"b"}}
			s.NumLabel = map[string][]int64{"os thread id": {5}, "thread native id": {6}}
		}
		in, _, err := openProfile(t, p, format.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if th := in.Symbols.Threads[0]; th.Name != "a" || th.TID != 5 {
			t.Fatalf("thread %s with tid %d, want a and 5", th.Name, th.TID)
		}
	}
}

// TestProcesses: two threads of different processes with the same name and id remain separate.
func TestProcesses(t *testing.T) {
	p := valued("cpu/nanoseconds", []int64{1}, []int64{2})
	for i, s := range p.Sample {
		s.Label = map[string][]string{"thread": {"worker"}}
		s.NumLabel = map[string][]int64{"tid": {9}, "pid": {int64(100 + i)}}
	}
	in, times, err := openProfile(t, p, format.Config{})
	if err != nil {
		t.Fatal(err)
	}
	threads := in.Symbols.Threads
	if len(threads) != 2 || threads[0].Name != "worker" || threads[1].Name != "worker (pid 101)" || threads[0].TID == threads[1].TID {
		t.Errorf("threads %v", threads)
	}
	if times["a"] != 1 || times["b"] != 2 {
		t.Errorf("times %v", times)
	}
}

// TestDropFrames: drop_frames removes the same frames as go tool pprof: the matching frame and its
// callees, except for keep_frames.
func TestDropFrames(t *testing.T) {
	p := valued("cpu/nanoseconds", []int64{1}, []int64{2})
	p.DropFrames = "a|b"
	p.KeepFrames = "b"
	_, times, err := openProfile(t, p, format.Config{})
	if want := (map[string]time.Duration{"main": 1, "main cpu": 1, "b": 2, "b cpu": 2}); err != nil || !maps.Equal(times, want) {
		t.Errorf("%v %v, want %v", times, err, want)
	}
}

// TestNoStack: the total includes memory and CPU time of samples without frames (2 of 8), as in go
// tool pprof. Wall time without frames is in no method.
func TestNoStack(t *testing.T) {
	for types, want := range map[string]map[string]time.Duration{
		"space/bytes":      {"a": 6, "(no stack)": 2},
		"cpu/nanoseconds":  {"a": 6, "a cpu": 6, "(no stack)": 2, "(no stack) cpu": 2},
		"wall/nanoseconds": {"a": 6},
	} {
		p := valued(types, []int64{6}, []int64{2})
		p.Sample[1].Location = nil
		if _, times, err := openProfile(t, p, format.Config{Quantities: true}); err != nil || !maps.Equal(times, want) {
			t.Errorf("%s: %v, %v, want %v", types, times, err, want)
		}
	}
}

// TestOfCPU checks that a profile without wall time is marked as sampled by CPU time, so that
// commands and formats with one clock state the right one.
func TestOfCPU(t *testing.T) {
	for types, want := range map[string]bool{"samples/count cpu/nanoseconds": true, "cpu/ns": true, "wall/ns": false, "cpu/ns wall/ns": false, "inuse_space/bytes": false} {
		n := len(strings.Fields(types))
		in, _, err := openProfile(t, valued(types, []int64{1, 2}[:n], []int64{3, 4}[:n]), format.Config{})
		if err != nil || in.Info.OfCPU != want {
			t.Errorf("%s: %v, %v, want %v", types, in.Info.OfCPU, err, want)
		}
	}
}
