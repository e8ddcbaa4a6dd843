package trace

import "testing"

// TestSetEndsIsTheLastEventOfEachThread checks that End is the time of the last event of a thread
// without open frames. Thread b has an orphan exit, and a leaves a frame by an exception. A thread
// with an open frame has End 0.
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

// TestSetEndsIsTheLatestTime checks that, if a thread's clock steps back, End is its latest time,
// not the time of its last event.
func TestSetEndsIsTheLatestTime(t *testing.T) {
	s := &Symbols{Threads: []Thread{{Name: "a"}}}
	s.SetEnds([]Event{{Wall: 1}, {Wall: 9, Action: Exit}, {Wall: 4, Action: Exit}})
	if got := int64(s.Threads[0].End); got != 9 {
		t.Errorf("the thread ends at %d, want 9", got)
	}
}
