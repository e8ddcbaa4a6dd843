package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"time"

	"artifice/internal/dmformat"
	"artifice/internal/testdata"
	"artifice/internal/testdata/artgolden"
	"artifice/research/internal/art11"
	"artifice/research/internal/art11/matrix"
	"artifice/trace"
)

// tight is the size of a buffer that overflows.
const tight = 5000

// compare compares the emulation of Android 16 with the runtime in a folder, and prints a line for
// each truth of the matrix with a matching name.
func compare(home, match string) error {
	pattern, err := regexp.Compile(match)
	if err != nil {
		return err
	}
	return matrix.Print(runtimeIn(home), matrix.Truths(testdata.Root()), pattern, func(name string, truth *art11.Truth) (cells []*matrix.Cell) {
		for _, w := range ways(truth) {
			cells = append(cells, &matrix.Cell{Name: name, Way: w, Truth: truth, By: matrix.Emulate("art16"), Same: same})
		}
		return cells
	})
}

// runtimeIn returns the runtime in a folder.
func runtimeIn(home string) *art11.ART {
	return art11.Other("ART 16", func(ctx context.Context, script string, w *art11.Way, data string) *exec.Cmd {
		return launcher(ctx, home, script, data, !w.Plain, w.V2)
	})
}

// compareRandom compares random truths of all kinds, without costs. Objects are not counted: the
// launcher makes collections by the layout of ART 11. Recorded traces are debuggable apps: of
// others, 16 reports native frames at the start, which a trace that is read once does not state.
func compareRandom(home string, n int) error {
	kinds := []func(uint64) (*matrix.Cell, error){matrix.Random, matrix.RandomWide, matrix.RandomRare}
	sum := &matrix.Sum{}
	matrix.Each(runtimeIn(home), n, func(i int) (*matrix.Cell, error) {
		c, err := kinds[i%len(kinds)](uint64(i))
		if err == nil {
			c.By, c.Same = matrix.Emulate("art16"), same
			w := &c.Way
			w.Debuggable = w.Debuggable || c.Truth.Recorded()
			w.Plain, w.Count, w.DDMS, w.Costs = w.Debuggable, false, false, art11.Costs{}
			w.V2 = w.Streaming && i%2 == 0
		}
		return c, err
	}, sum.Add)
	fmt.Println("random truths:", sum)
	return sum.Err()
}

// ways returns the options without costs: in the plain interpreter, as in a debug build, and in
// nterp, as in other apps. Format V2 has no small buffer in output mode file: ART writes past its
// end. The samples of a truth that is longer than a minute are 10 ms apart.
func ways(truth *art11.Truth) (all []art11.Way) {
	interval := time.Millisecond
	if truth.Elapsed() > time.Minute {
		interval *= 10
	}
	for _, debug := range []bool{true, false} {
		for _, sampled := range []bool{false, true} {
			for _, clock := range []trace.Clock{trace.Dual, trace.Wall, trace.ThreadCPU} {
				for _, to := range []art11.Way{{}, {Streaming: true}, {Buffer: tight}, {V2: true}, {V2: true, Streaming: true}} {
					to.Clock, to.Sampled, to.Interval, to.Debuggable, to.Plain = clock, sampled, interval, debug, debug
					all = append(all, to)
				}
			}
		}
	}
	return all
}

// same returns an error if two files differ in more than the order of *methods, which is that of a
// hash table of addresses, and the places of announcements of threads in a stream.
func same(art, ours []byte, w art11.Way) error {
	if w.V2 {
		return sameV2(art, ours)
	}
	if w.Streaming {
		var err, other error
		art, err = threadsFirst(art, w.Clock)
		ours, other = threadsFirst(ours, w.Clock)
		if err := errors.Join(err, other); err != nil {
			return err
		}
	}
	cell := artgolden.Cell{Version: "16", Sampled: w.Sampled, Clock: w.Clock, Streaming: w.Streaming, Buffer: w.Buffer}
	theirs, err := artgolden.Normalize(art, cell)
	mine, other := artgolden.Normalize(ours, cell)
	if err := errors.Join(err, other); err != nil || bytes.Equal(theirs, mine) {
		return err
	}
	return matrix.Compare(theirs, mine, w)
}

// threadsFirst returns a classic stream with the announcements of threads before all else, in their
// order. In ART's file they are anywhere before the thread's first event: the thread writes them
// (RecordThreadInfo), while a worker thread writes the events of full buffers and ended threads.
func threadsFirst(file []byte, clock trace.Clock) ([]byte, error) {
	record := 10
	if clock == trace.Dual {
		record = 14
	}
	var threads, rest []byte
	known := map[uint16]bool{}
	at := min(dmformat.HeaderSize, len(file))
	header := file[:at]
	for at < len(file) {
		b, n := file[at:], record
		if len(b) < 7 {
			return nil, fmt.Errorf("offset %d: %d bytes are left", at, len(b))
		}
		tid := binary.LittleEndian.Uint16(b)
		announces := tid == 0 && b[2] == dmformat.ItemThread
		switch {
		case tid != 0 && !known[tid]:
			return nil, fmt.Errorf("offset %d: an event of thread %d, which is not announced", at, tid)
		case tid != 0:
		case announces:
			n = 7 + int(binary.LittleEndian.Uint16(b[5:]))
			known[binary.LittleEndian.Uint16(b[3:])] = true
		case b[2] == dmformat.ItemMethod:
			n = 5 + int(binary.LittleEndian.Uint16(b[3:]))
		default: // the summary
			n = len(b)
		}
		n = min(n, len(b))
		if announces {
			threads = append(threads, b[:n]...)
		} else {
			rest = append(rest, b[:n]...)
		}
		at += n
	}
	return slices.Concat(header, threads, rest), nil
}
