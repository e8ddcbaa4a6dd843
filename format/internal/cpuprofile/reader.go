package cpuprofile

import (
	"cmp"
	"encoding/json"
	"io"
	"time"

	"artifice/format/internal/stackdump"
	"artifice/internal/jsonread"
	"artifice/trace"
)

// parser reads V8's CPU profiles (.cpuprofile), as node --cpu-prof and Chrome's
// developer tools save them: the type Profiler.Profile of the DevTools protocol. The time of a
// sample is startTime plus the timeDeltas up to its own, in us. A sample lasts until the next
// one, the last until endTime. Older profiles have a tree "head" instead of "nodes",
// "timestamps" instead of timeDeltas (an additional one is the end), and startTime and endTime
// in seconds. The oldest have neither: Chrome's developer tools distribute their samples evenly.
//
// (root) is not a frame, and (idle) is an empty stack. (program) and (garbage collector) are
// activities of the thread other than JavaScript, and are kept.
type parser struct {
	stackdump.WholeJSON
	doc   cpuProfile
	nodes nodes
}

// cpuProfile is a profile without its nodes.
type cpuProfile struct {
	start, end     json.Number
	samples        []int64
	deltas, stamps []time.Duration
	old            bool
}

// cpuNode is a node without its children.
type cpuNode struct {
	ID     *int64        `json:"id"`
	Parent *int64        `json:"parent"`
	Call   *cpuCallFrame `json:"callFrame"`
	cpuCallFrame
}

// listNode is a node of a list.
type listNode struct {
	cpuNode
	Children []int64 `json:"children"` // ids
}

// treeNode is a node of a tree of nodes.
type treeNode struct {
	cpuNode
	Children []treeNode `json:"children"`
}

type cpuCallFrame struct {
	Name string `json:"functionName"`
	URL  string `json:"url"`
	Line int64  `json:"lineNumber"` // line number from 0
}

// codec is the [stackdump.Codec] of profiles.
type codec struct{}

// Detect implements [stackdump.Codec].
func (codec) Detect(head []byte) bool {
	return stackdump.HasJSONKeys(head, "callFrame", "nodes") ||
		stackdump.HasJSONKeys(head, "head", "functionName", "callUID")
}

// Parser implements [stackdump.Codec].
func (codec) Parser(in stackdump.Input, text io.Reader, _ stackdump.ReaderConfig) stackdump.Parser {
	p := &parser{}
	p.Init(in, text, p)
	p.nodes = newNodes(&p.WholeJSON)
	return p
}

// NameThread implements [stackdump.Document].
func (p *parser) NameThread(_ uint32, t *stackdump.Thread) { t.Name = "main" }

// ReadFile implements [stackdump.Document].
func (p *parser) ReadFile() error {
	if err := p.Object(p.member); err != nil {
		return err
	}
	if len(p.doc.samples) == 0 && len(p.nodes.index) > 1 {
		return p.Bad("the profile has counts of nodes (hitCount) instead of samples: record with node --cpu-prof or Chrome's developer tools, which write samples")
	}
	if err := p.nodes.link(); err != nil {
		return err
	}
	if err := p.place(); err != nil {
		return err
	}
	return checkStacks(&p.WholeJSON, p.nodes.missed, len(p.doc.samples))
}

// member reads a member of the profile.
func (p *parser) member(key string) error {
	switch key {
	case "nodes":
		return p.Array(func() error {
			var n listNode
			if err := p.Decode(&n); err != nil {
				return err
			}
			return p.nodes.add(&n)
		})
	case "head":
		p.doc.old = true
		var n treeNode
		if err := p.Decode(&n); err != nil {
			return err
		}
		return p.nodes.tree(&n)
	case "startTime":
		return p.Decode(&p.doc.start)
	case "endTime":
		return p.Decode(&p.doc.end)
	case "samples":
		return p.Array(func() error {
			id, err := jsonread.Int[int64](p.Document, 0)
			p.doc.samples = append(p.doc.samples, id)
			return err
		})
	case "timeDeltas":
		return p.times(key, &p.doc.deltas)
	case "timestamps":
		return p.times(key, &p.doc.stamps)
	}
	return p.Skip()
}

// times reads an array of times in µs.
func (p *parser) times(key string, to *[]time.Duration) error {
	return p.Array(func() error {
		n, err := p.Number()
		if err != nil {
			return err
		}
		t, err := stackdump.TimeOf(n, time.Microsecond)
		if err != nil {
			return p.Bad("%s: %v", key, err)
		}
		*to = append(*to, t)
		return nil
	})
}

// place sets the times of the samples.
func (p *parser) place() error {
	doc := &p.doc
	unit := time.Microsecond
	if doc.old {
		unit = time.Second
	}
	stamps, what := doc.deltas, "timeDeltas"
	if len(stamps) == 0 && len(doc.stamps) > 0 {
		stamps, what = doc.stamps, "timestamps"
	}
	end, err := stackdump.TimeOf(cmp.Or(doc.end, "0"), unit)
	if err != nil {
		return p.Bad("endTime: %v", err)
	}
	at, err := stackdump.TimeOf(cmp.Or(doc.start, "0"), unit)
	if err != nil {
		return p.Bad("startTime: %v", err)
	}
	n := len(doc.samples)
	if len(stamps) == 0 && end > at {
		stamps, what = evenly(at, end, n), "timestamps"
		p.Complain(trace.WarnDumpTime, "samples have no times: they are distributed evenly from startTime to endTime", "")
	}
	if what == "timestamps" && len(stamps) == n+1 {
		end, stamps = stamps[n], stamps[:n]
	}
	if len(stamps) != n {
		return p.Bad("%d samples, but %d %s", n, len(stamps), what)
	}
	var latest time.Duration
	var steps []time.Duration
	for i, t := range stamps {
		switch {
		case what == "timestamps":
			at = t
		default:
			at += t
			steps = append(steps, t)
		}
		if at < -stackdump.Farthest || at > stackdump.Farthest {
			return p.Bad("sample %d has the implausible time %s", i, at)
		}
		if i == 0 || at > latest {
			latest = at
		}
		p.Add(at, -1, 1, p.nodes.stackOf(doc.samples[i]), 1)
	}
	if len(stamps) > 0 {
		p.Add(max(end, latest), -1, 1, stackdump.NoNode, 0)
	}
	p.Interval = medianStep(steps)
	return nil
}

// evenly returns the times of n samples with equal distances.
func evenly(start, end time.Duration, n int) []time.Duration {
	times := make([]time.Duration, n)
	for i := range times {
		times[i] = start + time.Duration(float64(end-start)*float64(i)/float64(n))
	}
	return times
}
