package dmtrace

import (
	"math"
	"slices"
	"time"

	"artifice/trace"
)

// arrange puts the blocks into the order of time: a thread's first block in the
// file is its last one when it ends after the others.
func (l *longRun) arrange() error {
	for _, b := range l.blocks {
		if l.threads[b.tid] == nil {
			if err := l.addThread(trace.Thread{TID: b.tid, Unlisted: true}, b.off); err != nil {
				return err
			}
		}
		th := l.threads[b.tid]
		th.blocks = append(th.blocks, b)
	}
	var early, last []*longrunLongRunBlock
	for _, b := range l.blocks {
		all := l.threads[b.tid].blocks
		if b == all[0] && (len(all) == 1 || b.records == 0 || b.last >= all[1].last) {
			last = append(last, b)
		} else {
			early = append(early, b)
		}
	}
	inTime := append(early, last...)
	if !slices.Equal(lastFirst(inTime), l.blocks) {
		l.f.Warnf(trace.WarnLayout, "the blocks are not in the order in which ART writes a file; written back, each thread's last block comes first")
	}
	l.blocks = inTime
	return l.findStart()
}

// lastFirst returns blocks in the order of a file.
func lastFirst(blocks []*longrunLongRunBlock) []*longrunLongRunBlock {
	last := map[uint32]*longrunLongRunBlock{}
	for _, b := range blocks {
		last[b.tid] = b
	}
	var first, rest []*longrunLongRunBlock
	for _, b := range blocks {
		if last[b.tid] == b {
			first = append(first, b)
		} else {
			rest = append(rest, b)
		}
	}
	return append(first, rest...)
}

// findStart finds the frames of the start and from all times the start of the
// trace. The time of these frames, in ns, is far above the counter's values
// unless that counts ns.
func (l *longRun) findStart() error {
	latest := uint64(0) // of the times that are surely the counter's
	for _, b := range l.blocks {
		if b.next != 0 {
			latest = max(latest, b.last)
		}
	}
	begin := time.Duration(math.MaxInt64)
	seen := map[uint32]bool{}
	for _, b := range l.blocks {
		if b.records == 0 {
			continue
		}
		if !l.gen.Nanoseconds && !seen[b.tid] && b.enters > 0 && (b.next != 0 && b.first > b.next || b.next == 0 && latest != 0 && b.first > latest) {
			b.inNS = true
			l.f.Symbols.Threads[l.threads[b.tid].id].Open = b.enters
			begin = min(begin, time.Duration(b.first))
		}
		seen[b.tid] = true
		if b.inNS && b.next == 0 {
			continue
		}
		at, ok := l.time(b.least)
		if _, fits := l.time(b.last); !ok || !fits {
			return &trace.FormatError{Name: l.f.Name, Offset: b.off, Msg: "a time is out of range; is the counter's frequency right?"}
		}
		begin = min(begin, at)
	}
	if begin != math.MaxInt64 {
		l.f.Info.Start = begin
	}
	return nil
}
