package outputs

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"artifice/research/internal/peers/seen"
	"artifice/research/internal/peers/traceprocessor"
)

// calls returns the calls of an input, in nanoseconds.
func calls(in Input) seen.Calls {
	calls, _ := drawn(in)
	return calls
}

// marks returns the calls with the names of tracing marks.
func marks(in Input) seen.Calls {
	marks := seen.Calls{}
	for c, s := range calls(in) {
		c.Method = marked(c.Method)
		marks.Add(c, s.N, s.Time)
	}
	return marks
}

// signature matches the signature after the name in slices of a method trace.
var signature = regexp.MustCompile(`: \(\S*$`)

func exact(Input) time.Duration { return 0 }

// perfettoSlices compares trace_processor's slices of a file with the calls returned by want. Times
// may differ by up to each.
func perfettoSlices(p *traceprocessor.Processor, want func(Input) seen.Calls, each func(Input) time.Duration) func(Input, string) (map[string]string, error) {
	return func(in Input, file string) (map[string]string, error) {
		if err := p.Load(file); err != nil {
			return nil, err
		}
		got, err := p.Slices(func(name string) string { return signature.ReplaceAllString(name, "") })
		if err != nil {
			return nil, err
		}
		return seen.CompareCalls(want(in), got, each(in)), nil
	}
}

// perfettoSamples also compares the stack of each sample with the stack open at its time in the
// input.
func perfettoSamples(p *traceprocessor.Processor) func(Input, string) (map[string]string, error) {
	slices := perfettoSlices(p, calls, exact)
	return func(in Input, file string) (map[string]string, error) {
		differ, err := slices(in, file)
		if err != nil {
			return nil, err
		}
		samples, err := perfettoStacks(p, "SELECT ts, tid, callsite_id AS site FROM perf_sample JOIN thread USING (utid) ORDER BY ts")
		if err == nil {
			if wrong := wrongSample(in, samples); wrong != "" {
				differ["samples"] = wrong
			} else if len(samples) == 0 && strings.HasPrefix(in.Name, "sampled-") {
				differ["samples"] = "none, of a trace by samples"
			}
		}
		return differ, err
	}
}

// simpleperfSamples compares the stack of each sample with the stack open at its time in the input;
// each stack that ran must have a sample.
func simpleperfSamples(p *traceprocessor.Processor) func(Input, string) (map[string]string, error) {
	return func(in Input, file string) (map[string]string, error) {
		if err := p.Load(file); err != nil {
			return nil, err
		}
		samples, err := perfettoStacks(p, "SELECT ts, tid, callsite_id AS site FROM cpu_profile_stack_sample JOIN thread USING (utid) ORDER BY ts")
		if err != nil {
			return nil, err
		}
		differ := map[string]string{}
		if wrong := wrongSample(in, samples); wrong != "" {
			differ["samples"] = wrong
		}
		got := make(map[seen.Stack]bool)
		for _, s := range samples {
			got[seen.Stack{Thread: s.TID, Frames: seen.Frames(s.Frames)}] = true
		}
		for s, sum := range ran(in) {
			if sum.Time > 0 && s.Frames != "" && !got[s] {
				differ["samples"] = fmt.Sprintf("thread %d: none of %q, which ran for %v", s.Thread, s.Frames, sum.Time)
			}
		}
		return differ, nil
	}
}

// ran returns the stacks of an input with their running time.
func ran(in Input) seen.Stacks {
	if in.Trace.CPU {
		return in.Trace.CPUStacks()
	}
	_, stacks := drawn(in)
	return stacks
}

// perfettoSample is a sample with its stack, outermost first.
type perfettoSample struct {
	TS     int64
	TID    int
	Frames []string
}

// perfettoStacks returns the samples of a query for ts, tid and site.
func perfettoStacks(p *traceprocessor.Processor, sql string) ([]perfettoSample, error) {
	var sites []struct {
		ID     int
		Parent *int
		Name   string
	}
	if err := p.Query(`SELECT c.id AS id, parent_id AS parent, f.name AS name
		FROM stack_profile_callsite c JOIN stack_profile_frame f ON frame_id = f.id ORDER BY c.id`, &sites); err != nil {
		return nil, err
	}
	stacks := make([][]string, len(sites))
	for i, s := range sites {
		if s.ID != i {
			return nil, fmt.Errorf("call site %d is number %d", s.ID, i)
		}
		if s.Parent != nil {
			stacks[i] = slices.Clone(stacks[*s.Parent])
		}
		stacks[i] = append(stacks[i], s.Name)
	}
	var rows []struct {
		TS   int64
		TID  int
		Site *int
	}
	if err := p.Query(sql, &rows); err != nil {
		return nil, err
	}
	var samples []perfettoSample
	for _, r := range rows {
		if r.Site == nil {
			return nil, fmt.Errorf("the sample of thread %d at %d has no stack", r.TID, r.TS)
		}
		samples = append(samples, perfettoSample{r.TS, r.TID, stacks[*r.Site]})
	}
	return samples, nil
}

// wrongSample returns the first sample with a stack that was not open at its time; if several
// events share an instant, any stack between them is accepted.
func wrongSample(in Input, samples []perfettoSample) string {
	stacks := in.Trace.Stacks()
	for _, s := range samples {
		at := time.Duration(s.TS) - in.Trace.Start
		if frames := seen.Frames(s.Frames); !slices.Contains(stacks.At(s.TID, at), frames) && !(frames == toplevel+"\n" && slices.Contains(stacks.At(s.TID, at), "")) {
			return fmt.Sprintf("thread %d at %v: %q, want one of %q", s.TID, at, frames, stacks.At(s.TID, at))
		}
	}
	return ""
}

// toplevel is the frame name for no frame.
const toplevel = "(toplevel)"
