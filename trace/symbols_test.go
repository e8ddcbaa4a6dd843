package trace

import "testing"

// TestSetEndsIsTheLastEventOfEachThread that has left all its frames by then: b has, once though it left one
// that it had not entered before, and a by an exception. One that has entered a frame since lives on.
func TestSetEndsIsTheLastEventOfEachThread(t *testing.T) {
	s := &Symbols{Threads: []Thread{{Name: "a"}, {Name: "b"}, {Name: "quiet", End: 7}, {Name: "in a frame", End: 7}}}
	s.SetEnds([]Event{
		{Wall: 1}, {Wall: 2, Thread: 1, Action: Exit}, {Wall: 2, Thread: 3}, {Wall: 2, Thread: 3, Action: Exit}, {Wall: 3, Action: Unwind},
		{Wall: 4, Thread: 1}, {Wall: 5, Thread: 1, Action: Exit}, {Wall: 6, Thread: 3},
	})
	for i, want := range []int64{3, 5, 0, 0} {
		if got := int64(s.Threads[i].End); got != want {
			t.Errorf("thread %d ends at %d, want %d", i, got, want)
		}
	}
}

// TestSetEndsIsTheLatestTime: of a thread whose clock stepped back, the end is the
// latest time that it showed, not the last one.
func TestSetEndsIsTheLatestTime(t *testing.T) {
	s := &Symbols{Threads: []Thread{{Name: "a"}}}
	s.SetEnds([]Event{{Wall: 1}, {Wall: 9, Action: Exit}, {Wall: 4, Action: Exit}})
	if got := int64(s.Threads[0].End); got != 9 {
		t.Errorf("the thread ends at %d, want 9", got)
	}
}
