package timeline

import (
	"slices"

	"artifice/internal/words"
	"artifice/trace"
)

// skippedEnds counts the ends that close no call and are skipped.
type skippedEnds struct {
	named   int64 // no open call has this name
	unnamed int64 // surplus ends of tracing marks
}

// isSurplus reports whether an end on a thread without open calls is surplus. Among tracing marks,
// an end is surplus if it has a name or its thread has had a begin. Any other end closes a section
// that began before the trace.
func (c *Calls) isSurplus(name trace.MethodID, begun bool) bool {
	return c.Marked && (name != 0 || begun)
}

// add counts a skipped end; named is 0 for an end without a name.
func (s *skippedEnds) add(name trace.MethodID) {
	if name != 0 {
		s.named++
	} else {
		s.unnamed++
	}
}

// warn adds a warning for each kind of counted ends, and resets the counts.
func (s *skippedEnds) warn(warnings *[]trace.Warning, source string) {
	if s.named > 0 {
		*warnings = append(*warnings, trace.Warnf(trace.WarnNesting, source, "%s ignored: no call with the same name is open at that time", words.Count(s.named, "end")))
	}
	if s.unnamed > 0 {
		*warnings = append(*warnings, trace.Warnf(trace.WarnNesting, source, "%s ignored: no section is open at that time", words.Count(s.unnamed, "end")))
	}
	*s = skippedEnds{}
}

// WarnKernelSlices adds a warning if slices of the kernel were skipped, that is, slices of its work
// queues, interrupts and drivers.
func (s *Source) WarnKernelSlices(skipped int64) {
	if skipped > 0 {
		s.Warnings = append(s.Warnings, trace.Warnf(trace.WarnDumpLine, s.Name, "%s skipped: they belong to the kernel's work queues, interrupts and drivers, not to threads", words.Count(skipped, "slice")))
	}
}

// impliedEnds contains the methods of calls that were closed by the named end of an enclosing call.
// The own ends of these calls may follow and are surplus.
type impliedEnds map[trace.ThreadID][]trace.MethodID

// maxImplied is the maximum number of such calls that are kept for a thread.
const maxImplied = 64

// add adds a call of a thread.
func (i *impliedEnds) add(id trace.ThreadID, method trace.MethodID) {
	if *i == nil {
		*i = impliedEnds{}
	}
	if list := (*i)[id]; len(list) < maxImplied {
		(*i)[id] = append(list, method)
	}
}

// has reports whether an end with a name closes such a call. named is 1 + the method of the end.
func (i impliedEnds) has(id trace.ThreadID, name trace.MethodID) bool {
	return name != 0 && slices.Contains(i[id], name-1)
}

// remove removes the call of an end, if there is one.
func (i impliedEnds) remove(id trace.ThreadID, name trace.MethodID) {
	if at := slices.Index(i[id], name-1); name != 0 && at >= 0 {
		i[id] = slices.Delete(i[id], at, at+1)
	}
}
