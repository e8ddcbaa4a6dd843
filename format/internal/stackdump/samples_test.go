package stackdump

import (
	"slices"
	"testing"
	"time"
)

// oneFrame resolves every key to no frames.
type oneFrame struct{}

func (oneFrame) Resolve(uint64) []FrameID   { return nil }
func (oneFrame) NameThread(uint32, *Thread) {}

// TestBlockingCallEnded checks that Again is set exactly if a blocking call ended at the thread's
// previous sample.
func TestBlockingCallEnded(t *testing.T) {
	s := NewSamples(Input{Lines: &Lines{}}, oneFrame{})
	for i, c := range []struct {
		tid     uint32
		blocked bool
	}{{1, false}, {1, true}, {2, false}, {1, true}, {2, true}, {1, false}, {2, false}, {1, false}} {
		s.List = append(s.List, Sample{At: time.Duration(i), TID: c.tid, Stack: NoNode, Blocked: c.blocked})
	}
	var again []bool
	for {
		var d Dump
		if s.Deliver(&d) != nil {
			break
		}
		again = append(again, d.Threads[0].Again)
	}
	if want := []bool{false, false, false, true, false, true, true, false}; !slices.Equal(again, want) {
		t.Errorf("Again = %v, want %v", again, want)
	}
}
