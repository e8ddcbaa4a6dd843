package dmtrace

import (
	"cmp"
	"slices"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// packets returns the threads and methods: the Source's announcements, or those
// that the blocks use, methods in the order of their ids.
func (l *LongRun) packets() (b []byte, err error) {
	if l.fromFile() {
		for _, a := range l.rec.Source.Announced {
			if a.Method {
				b, err = dmformat.AppendMethodPacket(b, a.ID, a.Text)
			} else {
				b, err = dmformat.AppendThreadPacket(b, a.TID, a.Text)
			}
			if err != nil {
				return nil, err
			}
		}
		return b, nil
	}
	blocks := map[uint32]bool{} // also of threads of which nothing was kept
	for _, p := range l.parts {
		blocks[p.tid] = true
	}
	for i, tid := range l.ids.threads {
		t := l.rec.Symbols.Thread(trace.ThreadID(i))
		if tid == noTID {
			tid = t.TID
		}
		if blocks[tid] && l.gen.Threads {
			if b, err = dmformat.AppendThreadPacket(b, tid, t.Name); err != nil {
				return nil, err
			}
		}
	}
	var used []trace.MethodID
	for i, id := range l.ids.methods {
		if id != noMethod && !l.rec.Symbols.Methods[i].Unlisted {
			used = append(used, trace.MethodID(i))
		}
	}
	slices.SortFunc(used, func(a, b trace.MethodID) int { return cmp.Compare(l.ids.methods[a], l.ids.methods[b]) })
	for _, i := range used {
		line := string(dmformat.AppendMethodText(nil, l.rec.Symbols.Method(i))) + "\n"
		if b, err = dmformat.AppendMethodPacket(b, l.ids.methods[i], line); err != nil {
			return nil, err
		}
	}
	return b, nil
}
