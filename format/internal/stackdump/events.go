package stackdump

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"artifice/internal/words"
	"artifice/trace"
)

// Events counts the samples of each event in a file and selects the event to read: the requested
// one or, by default, the best measure of CPU time. From best to worst, these are clocks
// (cpu-clock, task-clock), cycles, other hardware events, and tracepoints. Among events of the same
// kind it selects the one with the most samples.
type Events struct {
	wanted string // requested name, with or without modifiers; "": the best event
	chosen string // name of the selected event in the file
	key    string // key of chosen
	rank   int    // rank of chosen
	counts []eventCount
}

// eventCount is the number of samples of an event.
type eventCount struct {
	name, key string
	n         int
}

// add counts a sample. Files have few events, and consecutive samples often have the same event.
func (e *Events) add(name string) {
	for i := range e.counts {
		if e.counts[i].name == name {
			e.counts[i].n++
			return
		}
	}
	if len(e.counts) < maxEvents {
		e.counts = append(e.counts, eventCount{name, eventKey(name), 1})
	}
}

// maxEvents is the maximum number of events of a file that are counted.
const maxEvents = 1000

// undecided reports whether later samples may have a better event than those so far.
func (e *Events) undecided() bool {
	return !slices.ContainsFunc(e.counts, func(c eventCount) bool {
		return e.wanted == "" && rankOf(c.key) <= cycles || e.wanted != "" && e.isWanted(&c)
	})
}

// choose selects the event. It returns an error if the requested event is not among those counted.
func (e *Events) choose() error {
	candidates := slices.DeleteFunc(slices.Clone(e.counts), func(c eventCount) bool { return e.wanted != "" && !e.isWanted(&c) })
	if len(candidates) == 0 {
		return fmt.Errorf("no samples of event %s (--event); the file has %s", e.wanted, listEvents(e.counts))
	}
	best := slices.MinFunc(candidates, func(a, b eventCount) int {
		return cmp.Or(cmp.Compare(rankOf(a.key), rankOf(b.key)), cmp.Compare(b.n, a.n))
	})
	e.chosen, e.key = best.name, best.key
	e.rank = rankOf(best.key)
	return nil
}

// isWanted reports whether --event names an event: exactly, or without its modifiers, system or
// CPU.
func (e *Events) isWanted(c *eventCount) bool {
	if c.name == e.wanted || c.key == e.wanted {
		return true
	}
	_, point, ok := strings.Cut(c.name, ":")
	return ok && point == e.wanted || bareEvent(c.key) == e.wanted
}

// Has reports whether samples of an event are read. This includes samples of the same event on
// another kind of core (cpu_core/cycles/, cpu_atom/cycles/).
func (e *Events) Has(name string) bool { return name == e.chosen || eventKey(name) == e.key }

// ofCPU reports whether samples of the selected event represent CPU time. Only context switches do
// not.
func (e *Events) ofCPU() bool { return e.rank != contextSwitch }

// isCount reports whether the selected event, such as cache misses, does not measure CPU time.
func (e *Events) isCount() bool {
	return e.rank == hardware || e.rank == tracepoint || e.rank == offCPU
}

// quantity returns what the samples of the selected event count. perf's off-CPU samples
// (--off-cpu) count the time that a thread was off the CPU.
func (e *Events) quantity() trace.Quantity {
	q := trace.Quantity{Name: e.chosen, Unit: "count"}
	if e.rank == offCPU {
		q.Unit = "nanoseconds"
	}
	return q
}

// waits reports whether samples of an event are waits, that is, context switches, with or without
// samples of CPU time in the file.
func (e *Events) waits(name string) bool {
	return isSwitch(name) && (e.rank == clock || e.rank == cycles || e.Has(name))
}

// others returns a sentence about the events that are not read, or "" if there are none.
func (e *Events) others() string {
	var waits, others []eventCount
	for _, c := range e.counts {
		switch {
		case e.Has(c.name):
		case e.waits(c.name):
			waits = append(waits, c)
		default:
			others = append(others, c)
		}
	}
	text := "samples of " + e.chosen + " are read"
	if len(waits) > 0 {
		text += "; context switches are read as waits: " + listEvents(waits)
	}
	if len(others) > 0 {
		text += "; other events are ignored: " + listEvents(others)
	}
	if len(waits)+len(others) == 0 {
		return ""
	}
	return text + "; --event NAME reads another event"
}

// listEvents returns a list of events with their numbers of samples, the most frequent first.
func listEvents(counts []eventCount) string {
	slices.SortStableFunc(counts, func(a, b eventCount) int { return cmp.Compare(b.n, a.n) })
	var names []string
	for _, c := range counts[:min(len(counts), 10)] {
		names = append(names, fmt.Sprintf("%s (%s)", cmp.Or(c.name, "no event"), words.Count(c.n, "sample")))
	}
	if more := len(counts) - 10; more > 0 {
		names = append(names, words.Count(more, "more event"))
	}
	return strings.Join(names, ", ")
}

// Ranks of events as measures of CPU time.
const (
	clock = iota
	cycles
	hardware
	tracepoint
	offCPU
	contextSwitch
)

// rankOf returns the rank of an event by its key.
func rankOf(key string) int {
	bare := bareEvent(key)
	switch {
	case bare == "cpu-clock" || bare == "task-clock":
		return clock
	case bare == "cycles" || bare == "cpu-cycles" || bare == "cpu_cycles" || bare == "ref-cycles" || isUnnamed(bare):
		return cycles
	case isSwitch(key):
		return contextSwitch
	case bare == "offcpu-time":
		return offCPU
	case strings.Contains(bare, ":") || strings.Contains(bare, "fault") || bare == "cpu-migrations" || bare == "migrations":
		return tracepoint
	}
	return hardware
}

// UnnamedEvent returns a name for an event that a file identifies only by a number.
func UnnamedEvent(number uint16) string { return fmt.Sprintf("event %d", number) }

// isUnnamed reports whether an event has no name in its file. Profilers count cycles by default.
func isUnnamed(name string) bool { return name == "" || strings.HasPrefix(name, "event ") }

// isSwitch reports whether an event is a context switch, at which a thread leaves its CPU.
func isSwitch(name string) bool {
	switch bareEvent(eventKey(name)) {
	case "sched:sched_switch", "sched_switch", "context-switches", "cs":
		return true
	}
	return false
}

// MeasuresCPU reports whether samples of an event with this name represent CPU time: those of a
// clock or of cycles.
func MeasuresCPU(event string) bool { return event != "" && rankOf(eventKey(event)) <= cycles }

// countsTime reports whether an event counts nanoseconds of CPU time.
func countsTime(event string) bool { return rankOf(eventKey(event)) == clock }

// eventKey returns the name of an event without the kind of core and the precision:
// "cpu_core/cycles/P" and "cycles:pp" are cycles. It keeps privileges (:u, :k): cycles:u and
// cycles:k are different events.
func eventKey(name string) string {
	if pmu, event, ok := strings.Cut(name, "/"); ok {
		event, modifiers, _ := strings.Cut(event, "/")
		if strings.HasPrefix(pmu, "cpu") || strings.HasPrefix(pmu, "armv") || strings.HasPrefix(pmu, "apple_") {
			name = event
			if modifiers = strings.TrimPrefix(modifiers, ":"); modifiers != "" {
				name += ":" + modifiers
			}
		}
	}
	i := strings.LastIndexByte(name, ':')
	if i < 0 || strings.Trim(name[i+1:], eventModifiers) != "" {
		return name
	}
	if privileges := strings.Trim(name[i+1:], "pPSDWebRHGI"); privileges != "" {
		return name[:i+1] + privileges
	}
	return name[:i]
}

// eventModifiers are the letters that perf writes after an event's name.
const eventModifiers = "ukhpPGHISDWebR"

// bareEvent returns the key of an event without privileges and parameters.
func bareEvent(key string) string {
	key, _, _ = strings.Cut(key, "/")
	if i := strings.LastIndexByte(key, ':'); i >= 0 && strings.Trim(key[i+1:], eventModifiers) == "" {
		key = key[:i]
	}
	return key
}
