//go:build pending

package perfetto_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/research/internal/peers/traceprocessor"
	"artifice/trace"
)

// TestCompactStates: the same switches and wakings as columns (CompactSched), which name no device and, of the first switch of a
// core, not who left it: nothing is known of 78 before it has the core. trace_processor, which leaves out that first switch, makes the same times of them.
func TestCompactStates(t *testing.T) {
	columns := func(core int, switches, states, next []int64, wakings, woken []int64) []byte {
		m := message(1, numbersOf(differences(switches)), 2, numbersOf(states), 3, numbersOf(next), 4, numbersOf(repeat(120, len(next))), 5, "comm", 6, numbersOf(repeat(0, len(next))))
		if len(woken) > 0 {
			m = slices.Concat(m, message(7, numbersOf(differences(wakings)), 8, numbersOf(woken), 9, numbersOf(repeat(0, len(woken))), 10, numbersOf(repeat(120, len(woken))), 11, numbersOf(repeat(0, len(woken)))))
		}
		return message(1, slices.Concat(message(1, core), message(4, m)))
	}
	mark := func(ms float64, tid int, text string) []byte {
		return message(1, slices.Concat(message(1, 0), message(2, message(1, at(ms), 2, tid, 3, message(2, text)))))
	}
	data := file(
		columns(1, []int64{at(2), at(6), at(10)}, []int64{0x100, 0, 2}, []int64{0, 78, 0}, []int64{at(11), at(12)}, []int64{77, 78}),
		columns(0, []int64{at(-1), at(0), at(6), at(12), at(13), at(15), at(16)}, []int64{0, 0, 2, 0, 1, 0, 16}, []int64{0, 77, 0, 77, 0, 77, 0}, nil, nil),
		mark(0, 77, "B|77|f\n"), mark(16, 77, "E|77\n"), mark(6, 78, "B|77|g\n"), mark(7, 78, "E|77\n"))
	const ms = time.Millisecond
	want := map[uint32]trace.ThreadStates{
		77: {OnCore: 8 * ms, Runnable: 1 * ms, Sleeping: 2 * ms, Uninterruptible: 5 * ms},
		78: {OnCore: 4 * ms, Uninterruptible: 2 * ms},
	}
	checkStates(t, data, want)

	p := traceprocessor.Install(t)
	path := filepath.Join(t.TempDir(), "compact.pftrace")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := p.Load(path); err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		TID   uint32
		State string
		Dur   int64
	}
	if err := p.Query(`select tid as TID, state as State, sum(dur) as Dur from thread_state join thread using (utid)
		where tid in (77, 78) and dur > 0 group by tid, state`, &rows); err != nil {
		t.Fatal(err)
	}
	got := map[uint32]trace.ThreadStates{}
	for _, r := range rows {
		s := got[r.TID]
		for state, sum := range map[string]*time.Duration{"Running": &s.OnCore, "R": &s.Runnable, "S": &s.Sleeping, "D": &s.Uninterruptible} {
			if r.State == state {
				*sum += time.Duration(r.Dur)
			}
		}
		got[r.TID] = s
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +trace_processor:\n%s%+v", d, rows)
	}
}

// numbersOf returns numbers as one field has them.
func numbersOf(numbers []int64) (b []byte) {
	for _, v := range numbers {
		b = binary.AppendUvarint(b, uint64(v))
	}
	return b
}

// differences returns the first number and how much each one is more than the one before.
func differences(of []int64) (d []int64) {
	last := int64(0)
	for _, v := range of {
		d, last = append(d, v-last), v
	}
	return d
}

func repeat(v int64, n int) (list []int64) {
	for range n {
		list = append(list, v)
	}
	return list
}
