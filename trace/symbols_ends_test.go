package trace

import "testing"

func TestSetEndsIsTheLastEventOfEachThread(t *testing.T) {
	s := &Symbols{Threads: []Thread{{Name: "a"}, {Name: "b"}, {Name: "quiet", End: 7}}}
	s.SetEnds([]Event{{Wall: 1}, {Wall: 5, Thread: 1}, {Wall: 3}})
	for i, want := range []int64{3, 5, 0} {
		if got := int64(s.Threads[i].End); got != want {
			t.Errorf("thread %d ends at %d, want %d", i, got, want)
		}
	}
}

// TestSetEndsIsTheLatestTime: of a thread whose clock stepped back, the end is the
// latest time that it showed, not the last one.
func TestSetEndsIsTheLatestTime(t *testing.T) {
	s := &Symbols{Threads: []Thread{{Name: "a"}}}
	s.SetEnds([]Event{{Wall: 1}, {Wall: 9}, {Wall: 4}})
	if got := int64(s.Threads[0].End); got != 9 {
		t.Errorf("the thread ends at %d, want 9", got)
	}
}
