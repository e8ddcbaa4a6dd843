package machine

import "testing"

// TestCoreFor checks that a task takes the fastest idle core, and among equal cores its last one,
// as machine documents.
func TestCoreFor(t *testing.T) {
	for _, test := range []struct {
		speeds []int64
		last   int
		want   int
	}{
		{[]int64{1, 1, 1}, -1, 0},
		{[]int64{1, 1, 1}, 1, 1},
		{[]int64{1, 1, 1}, 2, 2},
		{[]int64{1, 2, 1}, 2, 1},
		{[]int64{2, 1, 2}, 1, 0},
	} {
		m := &machine{tasks: []task{{core: test.last}}}
		for _, speed := range test.speeds {
			m.cores = append(m.cores, coreState{Core: &Core{Speed: speed}, task: none})
		}
		if got := m.number(m.coreFor(0)); got != test.want {
			t.Errorf("cores of speed %v, last core %d: takes %d, want %d", test.speeds, test.last, got, test.want)
		}
	}
}
