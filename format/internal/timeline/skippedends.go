package timeline

import (
	"slices"

	"artifice/internal/words"
	"artifice/trace"
)

// skippedEnds counts the ends that close no call and are skipped.
type skippedEnds struct {
	named   int64 // no open call has their name
	unnamed int64 // surplus ends of tracing marks
}

// isSurplus reports whether an end on a thread without open calls is surplus: among tracing marks,
// an end with a name or after a begin on its thread. Another end closes a section that began before
// the trace.
func (c *Calls) isSurplus(name trace.MethodID, begun bool) bool {
	return c.Marked && (name != 0 || begun)
}

// add counts an end with a name, or without one if it is 0.
func (s *skippedEnds) add(name trace.MethodID) {
	if name != 0 {
		s.named++
	} else {
		s.unnamed++
	}
}

// warn adds a warning for each kind of counted ends, and forgets them.
func (s *skippedEnds) warn(warnings *[]trace.Warning, source string) {
	if s.named > 0 {
		*warnings = append(*warnings, trace.Warnf(trace.WarnNesting, source, "%s ignored: no call of that name is open there", words.Count(s.named, "end")))
	}
	if s.unnamed > 0 {
		*warnings = append(*warnings, trace.Warnf(trace.WarnNesting, source, "%s ignored: no section is open there", words.Count(s.unnamed, "end")))
	}
	*s = skippedEnds{}
}

// WarnKernelSlices adds a warning if slices of the kernel were skipped: those of its work queues,
// interrupts and drivers.
func (s *Source) WarnKernelSlices(skipped int64) {
	if skipped > 0 {
		s.Warnings = append(s.Warnings, trace.Warnf(trace.WarnDumpLine, s.Name, "%s skipped: they are of the kernel's work queues, interrupts and drivers, not of threads", words.Count(skipped, "slice")))
	}
}

// impliedEnds are the methods of calls that ended with a named end of a call around them. Their own
// ends may follow and are surplus.
type impliedEnds map[trace.ThreadID][]trace.MethodID

// mostImplied bounds the calls of a thread that are kept.
const mostImplied = 64

// add adds a call of a thread.
func (i *impliedEnds) add(id trace.ThreadID, method trace.MethodID) {
	if *i == nil {
		*i = impliedEnds{}
	}
	if list := (*i)[id]; len(list) < mostImplied {
		(*i)[id] = append(list, method)
	}
}

// has reports whether an end with a name, one more than its method, is of such a call.
func (i impliedEnds) has(id trace.ThreadID, name trace.MethodID) bool {
	return name != 0 && slices.Contains(i[id], name-1)
}

// remove removes the call of an end, if there is one.
func (i impliedEnds) remove(id trace.ThreadID, name trace.MethodID) {
	if at := slices.Index(i[id], name-1); name != 0 && at >= 0 {
		i[id] = slices.Delete(i[id], at, at+1)
	}
}
