package stackdump_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"artifice/format"
	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// profile returns a profile in the format of V8's CPU profiler. It has chains of calls of the given
// depth, and samples alternate between the chains.
func profile(t *testing.T, chains, depth, samples int) string {
	type node struct {
		ID        int            `json:"id"`
		CallFrame map[string]any `json:"callFrame"`
		Children  []int          `json:"children"`
	}
	frame := func(name string) map[string]any {
		return map[string]any{"functionName": name, "scriptId": "1", "url": "a.js", "lineNumber": 1, "columnNumber": 1}
	}
	nodes := []*node{{ID: 1, CallFrame: frame("(root)")}}
	var leaves []int
	for chain := range chains {
		caller := nodes[0]
		for range depth {
			n := &node{ID: len(nodes) + 1, CallFrame: frame(fmt.Sprintf("f%d", chain))}
			caller.Children = append(caller.Children, n.ID)
			nodes, caller = append(nodes, n), n
		}
		leaves = append(leaves, caller.ID)
	}
	var seen, gaps []int
	for i := range samples {
		seen, gaps = append(seen, leaves[i%chains]), append(gaps, 1000)
	}
	text, err := json.Marshal(map[string]any{"nodes": nodes, "startTime": 0, "endTime": samples * 1000, "samples": seen, "timeDeltas": gaps})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestTreeOfStacks checks samples that alternate between two stacks. They enter and leave only the
// frames in which the stacks differ. A snapshot states the number of frames that it shares with the
// previous one.
func TestTreeOfStacks(t *testing.T) {
	text := strings.NewReplacer(`"functionName":"f1"`, `"functionName":"f0"`).Replace(profile(t, 2, 3, 4))
	text = strings.Replace(text, `"id":7,"callFrame":{"columnNumber":1,"functionName":"f0"`, `"id":7,"callFrame":{"columnNumber":1,"functionName":"leaf"`, 1)
	if !strings.Contains(text, "leaf") {
		t.Fatal("the leaf is not renamed: ", text)
	}
	s := formattest.Parse(t, stackdump.Config{Format: format.ByName("cpuprofile").Dumps}, text)
	var shared, deep []int
	s.SnapshotsTo(tracetest.SnapshotFunc(func(snap *trace.Snapshot) {
		shared, deep = append(shared, snap.Same), append(deep, len(snap.Stack))
	}))
	enters, exits := 0, 0
	for _, e := range tracetest.Events(t, s) {
		if e.Action == trace.Enter {
			enters++
		} else {
			exits++
		}
	}
	// The nodes differ from the second frame on, but only the third frame has another method.
	if enters != 3+3 || exits < 3 {
		t.Errorf("%d enters and %d exits, want 6 and 3 or more", enters, exits)
	}
	for i, n := range shared[:4] {
		if want := min(i, 1) * 2; n != want || deep[i] != 3 {
			t.Errorf("snapshot %d shares %d of %d frames, want %d of 3", i, n, deep[i], want)
		}
	}
}

// TestDeepSamples checks that 20,000 samples of a stack of 60,000 frames take the time of one
// sample. Two such stacks that alternate are refused when their frames exceed the limit.
func TestDeepSamples(t *testing.T) {
	testdata.Seldom(t, 4)
	same := formattest.Parse(t, stackdump.Config{Format: format.ByName("cpuprofile").Dumps}, profile(t, 1, 60_000, 20_000))
	if n := len(tracetest.Events(t, same)); n < 60_000 || n > 120_000 {
		t.Errorf("%d events, want 60,000 enters and at most 60,000 exits", n)
	}
	two := formattest.Parse(t, stackdump.Config{Format: format.ByName("cpuprofile").Dumps, Limits: trace.Limits{Frames: 1_000_000}}, profile(t, 2, 10_000, 20_000))
	buffer := make([]trace.Event, 4096)
	var events int
	var err error
	for err == nil {
		var n int
		n, err = two.Events.ReadEvents(buffer)
		events += n
	}
	var limit *trace.LimitError
	if !errors.As(err, &limit) || limit.Limit != "frames" {
		t.Fatalf("after %d events: %v, want the limit of frames", events, err)
	}
	if events > 1_000_000+8*8_000_000 {
		t.Errorf("%d events before the limit", events)
	}
}
