package outputs

import (
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	"artifice/research/internal/peers/firefoxprofiler"
	"artifice/research/internal/peers/flamegraph"
	"artifice/research/internal/peers/seen"
	"artifice/research/internal/peers/speedscope"
	"artifice/research/internal/peers/traceprocessor"
)

// stacks returns the stacks of an input as in profiles: calls with only an exit are open from the
// first event of their thread, and time without an open frame has a frame for it.
func stacks(in Input) seen.Stacks {
	_, all := in.Trace.Enclosed().Count(in.Trace.Time)
	return withToplevel(all)
}

// folded returns the stacks as in folded stacks: of all threads together, with ":" for a ";" in a
// name, and only those that took time.
func folded(in Input) seen.Stacks {
	merged := seen.Stacks{}
	for s, sum := range stacks(in) {
		if sum.Time > 0 {
			merged.Add(seen.Stack{Frames: strings.ReplaceAll(s.Frames, ";", ":")}, 0, sum.Time)
		}
	}
	return merged
}

// noStacks returns why a reader does not open a folded file of an input: it has no line.
func noStacks(in Input) string {
	if len(folded(in)) == 0 {
		return "there is no stack that took time"
	}
	return ""
}

// fewLines returns why Perfetto does not open a folded file of an input.
func fewLines(in Input) string {
	lines := 0
	for s := range folded(in) {
		if strings.Count(s.Frames, "\n") > 1 {
			lines++
		}
	}
	if lines < 3 {
		return "it tells the format by a ; in each of three lines"
	}
	return ""
}

// flamegraphBoxes compares the frames of the picture: the number of boxes of a function at a depth,
// and their sum.
func flamegraphBoxes(in Input, file string) (map[string]string, error) {
	boxes, err := flamegraph.Draw(file)
	if err != nil {
		return nil, err
	}
	want, got := seen.Calls{}, seen.Calls{}
	for _, b := range boxes {
		got.Add(seen.Call{Depth: b.Depth, Method: b.Name}, 1, time.Duration(b.Samples)*time.Microsecond)
	}
	below := seen.Stacks{} // inclusive time of each stack
	for s, sum := range folded(in) {
		frames := strings.SplitAfter(s.Frames, "\n")
		for i := range frames[:len(frames)-1] {
			below.Add(seen.Stack{Frames: strings.Join(frames[:i+1], "")}, 0, sum.Time)
		}
	}
	for s, sum := range below {
		frames := strings.Split(strings.TrimSuffix(angles.Replace(s.Frames), "\n"), "\n")
		want.Add(seen.Call{Depth: len(frames) - 1, Method: frames[len(frames)-1]}, 1, sum.Time)
	}
	return samplesOf(seen.CompareCalls(want, got, 0)), nil
}

// angles replaces "<init>" by "(init)", as the script does.
var angles = strings.NewReplacer("<", "(", ">", ")")

// samplesOf reports any difference of boxes as a difference of samples.
func samplesOf(differ map[string]string) map[string]string {
	for _, aspect := range []string{"calls", "durations", "depths"} {
		if text := differ[aspect]; text != "" {
			differ["samples"] = text
			delete(differ, aspect)
		}
	}
	return differ
}

// speedscopeSums compares the stacks of speedscope's only profile, with weights in unit, with the
// stacks returned by want; stacks of weight 0 are ignored.
func speedscopeSums(s *speedscope.Importer, want func(Input) seen.Stacks, unit time.Duration) func(Input, string) (map[string]string, error) {
	return func(in Input, file string) (map[string]string, error) {
		profiles, err := s.Import(file)
		if err != nil {
			return nil, err
		}
		got := seen.Stacks{}
		for _, p := range profiles {
			for _, s := range p.Stack {
				got.Add(seen.Stack{Frames: seen.Frames(s.Frames)}, 0, scaled(s.Weight, unit))
			}
		}
		return seen.CompareStacks(want(in), timed(got), true, 0), nil
	}
}

// timed returns the stacks that took time.
func timed(stacks seen.Stacks) seen.Stacks {
	maps.DeleteFunc(stacks, func(_ seen.Stack, s seen.Sum) bool { return s.Time == 0 })
	return stacks
}

// merged returns the stacks of all threads together that took time.
func merged(in Input) seen.Stacks {
	merged := seen.Stacks{}
	for s, sum := range stacks(in) {
		merged.Add(seen.Stack{Frames: s.Frames}, 0, sum.Time)
	}
	return timed(merged)
}

// firefoxSums compares the stacks of a folded file in the Firefox Profiler, which interprets counts
// as milliseconds.
func firefoxSums(c *firefoxprofiler.Client) func(Input, string) (map[string]string, error) {
	return func(in Input, file string) (map[string]string, error) {
		threads, err := firefoxThreads(c, file)
		if err != nil {
			return nil, err
		}
		got := seen.Stacks{}
		for _, t := range threads {
			for _, s := range t.Stacks {
				got.Add(seen.Stack{Frames: seen.Frames(s.Frames)}, 0, scaled(s.Weight, time.Microsecond))
			}
		}
		return seen.CompareStacks(folded(in), got, true, 0), nil
	}
}

// perfettoSums compares trace_processor's sums of a profile's type, with values in unit, with the
// stacks returned by want.
func perfettoSums(p *traceprocessor.Processor, kind string, want func(Input) seen.Stacks, unit time.Duration) func(Input, string) (map[string]string, error) {
	return func(in Input, file string) (map[string]string, error) {
		if err := p.Load(file); err != nil {
			return nil, err
		}
		samples, err := perfettoStacks(p, fmt.Sprintf(`SELECT CAST(value AS INT) AS ts, callsite_id AS site FROM __intrinsic_aggregate_sample s
			JOIN __intrinsic_aggregate_profile p ON aggregate_profile_id = p.id WHERE sample_type_type = '%s'`, kind))
		if err != nil {
			return nil, err
		}
		got := seen.Stacks{}
		for _, s := range samples {
			got.Add(seen.Stack{Frames: seen.Frames(s.Frames)}, 0, time.Duration(s.TS)*unit)
		}
		return seen.CompareStacks(want(in), timed(got), true, 0), nil
	}
}

// perfettoPprof compares the default type of a profile.
func perfettoPprof(p *traceprocessor.Processor) func(Input, string) (map[string]string, error) {
	return func(in Input, file string) (map[string]string, error) {
		kind := "wall"
		if !in.Trace.Wall {
			kind = "cpu"
		}
		return perfettoSums(p, kind, merged, time.Nanosecond)(in, file)
	}
}

// The lines of go tool pprof -raw that are parsed: the types, a sample, its thread's id, and a
// location with its function, followed by the file, the line and, if there is one, the function
// with its signature.
var (
	rawTypes    = regexp.MustCompile(`(?m)^Samples:\n(.*)$`)
	rawSample   = regexp.MustCompile(`^ +([\d -]+): ([\d ]+)$`)
	rawTID      = regexp.MustCompile(`^ +tid:\[(\d+)\]$`)
	rawLocation = regexp.MustCompile(`^ +(\d+): 0x0 M=1 (.*):\d+:\d+ s=\d+(?:\((.*)\))?$`)
)

// goPprof compares calls, wall times and CPU times of the stacks of each thread with the output of
// go tool pprof.
func goPprof(in Input, file string) (map[string]string, error) {
	out, err := exec.Command("go", "tool", "pprof", "-raw", file).Output()
	if err != nil {
		return nil, fmt.Errorf("go tool pprof: %w", err)
	}
	raw, err := parseRaw(string(out))
	if err != nil {
		return nil, err
	}
	differ := make(map[string]string)
	if len(raw.types) == 0 || strings.Join(raw.types, " ") != strings.Join(typesOf(in), " ") {
		differ["samples"] = fmt.Sprintf("types %q, want %q", raw.types, typesOf(in))
	}
	for i, kind := range raw.types {
		switch got := raw.stacks(i); {
		case strings.HasPrefix(kind, "calls/"):
			maps.Copy(differ, seen.CompareStacks(stacks(in), got, false, 0))
		case strings.HasPrefix(kind, "wall/"):
			_, want := in.Trace.Enclosed().Count(func(e seen.Event) time.Duration { return e.Wall })
			maps.Copy(differ, seen.CompareStacks(withToplevel(want), got, true, 0))
		case strings.HasPrefix(kind, "cpu/"):
			want := in.Trace.Enclosed().CPUStacks()
			maps.Copy(differ, seen.CompareStacks(withToplevel(want), got, true, 0))
		}
	}
	return differ, nil
}

// typesOf returns the sample types of an input; the default type is marked.
func typesOf(in Input) []string {
	switch {
	case in.Trace.Wall && in.Trace.CPU:
		return []string{"calls/count", "wall/nanoseconds[dflt]", "cpu/nanoseconds"}
	case in.Trace.CPU:
		return []string{"calls/count", "cpu/nanoseconds[dflt]"}
	}
	return []string{"calls/count", "wall/nanoseconds[dflt]"}
}

func withToplevel(all seen.Stacks) seen.Stacks {
	stacks := seen.Stacks{}
	for s, sum := range all {
		if s.Frames == "" {
			s.Frames = seen.Frames([]string{toplevel})
		}
		stacks.Add(s, sum.N, sum.Time)
	}
	return stacks
}

// rawProfile is the output of go tool pprof -raw.
type rawProfile struct {
	types     []string
	samples   []rawStack
	functions map[string]string // by location
}

type rawStack struct {
	values    []int64
	locations []string // innermost first
	tid       int
}

func parseRaw(text string) (*rawProfile, error) {
	types := rawTypes.FindStringSubmatch(text)
	if types == nil {
		return nil, fmt.Errorf("go tool pprof -raw prints no types: %.200q", text)
	}
	p := &rawProfile{types: strings.Fields(types[1]), functions: make(map[string]string)}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if m := rawSample.FindStringSubmatch(line); m != nil {
			var s rawStack
			for _, v := range strings.Fields(m[1]) {
				n, err := strconv.ParseInt(v, 10, 64)
				if err != nil {
					return nil, err
				}
				s.values = append(s.values, n)
			}
			s.locations = strings.Fields(m[2])
			p.samples = append(p.samples, s)
		} else if m := rawTID.FindStringSubmatch(line); m != nil && len(p.samples) > 0 {
			p.samples[len(p.samples)-1].tid, _ = strconv.Atoi(m[1])
		} else if m := rawLocation.FindStringSubmatch(line); m != nil {
			p.functions[m[1]] = functionOf(m[2], m[3])
		}
	}
	return p, nil
}

// functionOf returns the name of a function from the text "name file", in which both can contain
// blanks, and from the name with the signature.
func functionOf(text, signed string) string {
	n := 0
	for n < min(len(text), len(signed)) && text[n] == signed[n] {
		n++
	}
	if n == 0 { // without a signature, and then without a file
		return strings.TrimSpace(text)
	}
	return text[:n]
}

// stacks returns the stacks with the values of a type.
func (p *rawProfile) stacks(kind int) seen.Stacks {
	stacks := seen.Stacks{}
	for _, s := range p.samples {
		var frames []string
		for _, l := range s.locations {
			frames = append([]string{p.functions[l]}, frames...)
		}
		stacks.Add(seen.Stack{Thread: s.tid, Frames: seen.Frames(frames)}, s.values[kind], time.Duration(s.values[kind]))
	}
	return stacks
}
