package check

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"artifice/internal/dmformat"
	"artifice/trace"
)

//go:embed behaviours.txt
var behavioursText string

// behaviours is the content of behaviours.txt. It is parsed at the first verdict.
var behaviours = sync.OnceValue(func() []behaviour {
	all, err := readBehaviours(behavioursText)
	if err != nil {
		panic(err) // an error in the built-in file: every test of this package finds it
	}
	return all
})

// readBehaviours parses behaviours.txt. The file itself describes its format.
func readBehaviours(text string) (all []behaviour, err error) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSuffix(line, "\n")
		switch effects, indented := strings.CutPrefix(line, "\t"); {
		case line == "" || line[0] == '#':
		case !indented:
			when, wrong := parseCondition(line)
			all, err = append(all, behaviour{when, map[Tool]effect{}}), wrong
		case len(all) == 0:
			err = fmt.Errorf("no condition precedes it")
		default:
			err = all[len(all)-1].add(effects)
		}
		if err != nil {
			return nil, fmt.Errorf("behaviours.txt:%d: %w", number, err)
		}
	}
	return all, nil
}

// add adds a line "tool,tool outcome text".
func (b *behaviour) add(line string) error {
	tools, rest, _ := strings.Cut(line, " ")
	word, text, _ := strings.Cut(rest, " ")
	outcome := slices.Index([]string{"remark", "misreads", "refuses", "unknown"}, word)
	if outcome < 0 || text == "" {
		return fmt.Errorf("expected tools, remark, misreads, refuses or unknown, and a text, found %q", line)
	}
	list, err := ParseTools(tools)
	for _, tool := range list {
		b.on[tool] = effect{Outcome(outcome), text}
	}
	return err
}

// condition is a boolean expression over rules and properties: a disjunction of conjunctions of
// terms.
type condition [][]term

// term is a rule that a file breaks, or a property that it has. With not, the file must not break
// the rule or have the property.
type term struct {
	name string
	not  bool
}

// parseCondition parses a condition: "," is or, "&" is and, "!" is not.
func parseCondition(text string) (condition, error) {
	var c condition
	for choice := range strings.SplitSeq(text, ", ") {
		var all []term
		for name := range strings.SplitSeq(choice, " & ") {
			name, not := strings.CutPrefix(name, "!")
			if _, err := RuleByID(name); err != nil && properties[name] == nil {
				return nil, fmt.Errorf("no rule and no property is called %q", name)
			}
			all = append(all, term{name, not})
		}
		c = append(c, all)
	}
	return c, nil
}

// holds reports whether the condition holds for a file.
func (c condition) holds(r *Report) bool {
	return slices.ContainsFunc(c, func(all []term) bool {
		return !slices.ContainsFunc(all, func(t term) bool { return !t.holds(r) })
	})
}

func (t term) holds(r *Report) bool {
	if property := properties[t.name]; property != nil {
		return property(r) != t.not
	}
	return r.Has(t.name) != t.not
}

// properties are the properties of files that behaviours.txt uses besides rules.
var properties = map[string]func(*Report) bool{
	"gzip": func(r *Report) bool { return r.facts.Gzip }, "chrome": func(r *Report) bool { return r.facts.Other == "chrome" },
	"text": isFormat("text"), "long-run": func(r *Report) bool { return dmformat.IsLongRun(r.Format) }, "dalvik1": isFormat(dmformat.Dalvik1),
	"streaming": func(r *Report) bool { return r.facts.Streaming }, "v2": func(r *Report) bool { return r.facts.V2 },
	"art-v2-15": isFormat(dmformat.ARTV2of15), "art-v2-16": isFormat(dmformat.ARTV2of16), "art-v2-17": isFormat(dmformat.ARTV2of17),

	// The part in which reading fails.
	"in-block": func(r *Report) bool { return r.facts.BrokenPart == "block" }, "between": func(r *Report) bool { return r.facts.BrokenPart == "" },

	// The header, and the size of records.
	"short-data": func(r *Report) bool { return r.facts.DataBytes < dmformat.HeaderSize }, "record-size": func(r *Report) bool { return r.facts.RecordSize > 0 },
	"record-size-65535": func(r *Report) bool { return r.facts.RecordSize == 0xffff }, "empty-records": func(r *Report) bool { return r.facts.NoRecordSize },
	"cut-behind": func(r *Report) bool { return r.facts.CutBehind }, "even-at-32": evenAt32(true), "odd-at-32": evenAt32(false),
	"chunk": func(r *Report) bool { return r.facts.Chunk }, "short-header": func(r *Report) bool { return r.facts.ShortHeader }, "global-clock": func(r *Report) bool { return r.facts.GlobalClock },

	// The tables.
	"blank-methods": func(r *Report) bool { return r.facts.BlankMethods > 0 }, "no-member": func(r *Report) bool { return r.facts.NoMember },
	"no-class": func(r *Report) bool { return r.facts.NoClass }, "no-package": func(r *Report) bool { return r.facts.Packages.common() == "" },
	"long-names": func(r *Report) bool { return r.facts.LongNames > 0 }, "nul-in-method": func(r *Report) bool { return r.facts.NULMethod },
	"nul-in-thread": func(r *Report) bool { return r.facts.NULThread },

	// The clocks, as stated by the file and as read.
	"thread-cpu": clockIs(trace.ThreadCPU), "dual": clockIs(trace.Dual),
	"wall": func(r *Report) bool { return r.facts.Clock.HasWall() }, "wall-alone": func(r *Report) bool { return r.facts.Clock == trace.Wall },

	// The events.
	"first-time-wraps": func(r *Report) bool { return r.facts.MaxFirst >= 1<<32 }, "1000-seconds": func(r *Report) bool { return r.facts.MaxTime >= 1e9 },
	"new-cpu-clock": func(r *Report) bool { return r.facts.NewCPUClocks > 0 }, "starts-at-0": func(r *Report) bool { return r.facts.StartsAt0 > 0 },
	"depth-513": isDeep(513), "depth-4000": isDeep(4000), "depth-10001": isDeep(10001),
	"instrumented": func(r *Report) bool { return r.Origin.Technique == trace.Instrumented },
}

// isFormat returns the property that the file has this format.
func isFormat(name string) func(*Report) bool {
	return func(r *Report) bool { return r.Format == name }
}

// isDeep returns the property that this number of frames are open at one time.
func isDeep(frames int64) func(*Report) bool {
	return func(r *Report) bool { return r.facts.MaxDepth >= frames }
}

// clockIs returns the property that the trace has this clock and the file states it.
func clockIs(c trace.Clock) func(*Report) bool {
	return func(r *Report) bool {
		return r.Format != "" && r.Format != "text" && r.facts.Clock == c && !r.Has("W103") && !r.Has("W104") && !r.facts.GlobalClock
	}
}

// evenAt32 returns the property that the bytes after the first 32 bytes of the data section are
// whole records, or that they are not. Perfetto takes these 32 bytes for the header.
func evenAt32(even bool) func(*Report) bool {
	return func(r *Report) bool {
		f := r.facts
		size := int64(f.RecordSize)
		if f.Version == 1 || f.Version == 2 {
			size = int64(dmformat.LayoutFor(uint16(f.Version), trace.Wall).Size)
		}
		return f.DataBytes >= dmformat.HeaderSize && size > 0 && even == ((f.DataBytes-dmformat.HeaderSize)%size == 0)
	}
}
