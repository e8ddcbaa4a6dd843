package main

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"regexp"
	"time"

	"artifice/internal/testdata"
	"artifice/research/internal/art11"
	"artifice/research/internal/art11/matrix"
	"artifice/trace"
	"artifice/tracer/artgolden"
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
	sixteen := art11.Other("ART 16", func(ctx context.Context, script string, w *art11.Way, data string) *exec.Cmd {
		return launcher(ctx, home, script, data, !w.Plain)
	})
	return matrix.Print(sixteen, matrix.Truths(testdata.Root()), pattern, func(name string, truth *art11.Truth) (cells []*matrix.Cell) {
		for _, w := range ways() {
			cells = append(cells, &matrix.Cell{Name: name, Way: w, Truth: truth, By: matrix.Emulate("art16"), Same: same})
		}
		return cells
	})
}

// ways returns the options for classic files without costs: in the plain interpreter, as in a debug
// build, and in nterp, as in other apps.
func ways() (all []art11.Way) {
	for _, debug := range []bool{true, false} {
		for _, sampled := range []bool{false, true} {
			for _, clock := range []trace.Clock{trace.Dual, trace.Wall, trace.ThreadCPU} {
				for _, to := range []art11.Way{{}, {Streaming: true}, {Buffer: tight}} {
					to.Clock, to.Sampled, to.Interval, to.Debuggable, to.Plain = clock, sampled, time.Millisecond, debug, debug
					all = append(all, to)
				}
			}
		}
	}
	return all
}

// same returns an error if two files differ in more than the order of *methods, which is that of a
// hash table of addresses.
func same(art, ours []byte, w art11.Way) error {
	cell := artgolden.Cell{Version: "16", Sampled: w.Sampled, Clock: w.Clock, Streaming: w.Streaming, Buffer: w.Buffer}
	theirs, err := artgolden.Normalize(art, cell)
	mine, other := artgolden.Normalize(ours, cell)
	if err := errors.Join(err, other); err != nil || bytes.Equal(theirs, mine) {
		return err
	}
	return matrix.Compare(theirs, mine, w)
}
