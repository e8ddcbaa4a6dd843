package stackdump

import (
	"fmt"

	"artifice/trace"
)

// maxPerKind is how many warnings of one kind are spelled out per file; the
// rest are counted, so that a spoiled file cannot fill memory with complaints.
const maxPerKind = 5

// warnings collects what was wrong with the files but did not stop their
// reading.
type warnings struct {
	list  []trace.Warning
	kinds map[complaint]int
	order []complaint // kinds in the order of their first warning
}

// complaint is one sort of complaint about one file.
type complaint struct {
	code       trace.WarningCode
	file, what string
}

// add notes that the line of a file, or with line 0 the file, has the fault what;
// detail, which may be empty, tells more.
func (w *warnings) add(code trace.WarningCode, file string, line int, what, detail string) {
	if w.kinds == nil {
		w.kinds = map[complaint]int{}
	}
	k := complaint{code, file, what}
	w.kinds[k]++
	switch n := w.kinds[k]; {
	case n > maxPerKind:
		return
	case n == 1:
		w.order = append(w.order, k)
	}
	if detail != "" {
		what += ": " + detail
	}
	w.list = append(w.list, trace.Warning{Code: code, Name: file, Offset: -1, Line: line, Text: what})
}

// flush adds how many more warnings of each kind there were. It is called once,
// at the end.
func (w *warnings) flush() {
	for _, k := range w.order {
		if more := w.kinds[k] - maxPerKind; more > 0 {
			w.list = append(w.list, trace.Warnf(k.code, k.file, "%d more: %s", more, k.what))
		}
	}
	w.order, w.kinds = nil, nil
}

// quoted returns the beginning of a line for a message.
func quoted(line []byte) string {
	const most = 60
	if len(line) > most {
		return fmt.Sprintf("%.*q…", most, line)
	}
	return fmt.Sprintf("%q", line)
}
