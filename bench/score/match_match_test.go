package score_test

import (
	"slices"
	"testing"

	"artifice/bench/score"
	"artifice/trace"
)

// TestMatchThreads: threads are matched by name, or as the kernel has it; two of one such
// name by their numbers, else in their order. A "-" may be written as "_". One without a name
// is matched by its number.
func TestMatchThreads(t *testing.T) {
	numbered := func(from, step int, names ...string) *trace.Symbols {
		s := &trace.Symbols{}
		for i, name := range names {
			s.AddThread(trace.Thread{TID: uint32(from + i*step), Name: name})
		}
		return s
	}
	threads := func(names ...string) *trace.Symbols { return numbered(101, 1, names...) }
	truth := numbered(1, 1, "main", "OkHttp api.example.com", "OkHttp Dispatcher", "OkHttp Dispatcher", "pool-1-thread-1", "FinalizerDaemon")
	for name, c := range map[string]struct {
		observed *trace.Symbols
		want     []trace.ThreadID // 6 and above: nobody's
	}{
		"by name":       {threads("OkHttp Dispatcher", "main", "OkHttp Dispatcher"), []trace.ThreadID{2, 0, 3}},
		"by the kernel": {threads("OkHttp Dispatch", "api.example.com", "OkHttp Dispatch", "pool_1_thread_1"), []trace.ThreadID{2, 1, 3, 4}},
		"other names":   {threads("OkHttp Dispatchers", "OkHttp", "FinalizerDaemon", "OkHttp Dispatch", "OkHttp Dispatch", "OkHttp Dispatch"), []trace.ThreadID{6, 7, 5, 2, 3, 8}},
		"by number":     {numbered(5, -1, "other", "OkHttp Dispatch", "OkHttp Dispatcher", "OkHttp Dispatcher"), []trace.ThreadID{6, 3, 2, 7}},
		"one more":      {numbered(9, -3, "OkHttp Dispatcher", "other", "OkHttp Dispatcher"), []trace.ThreadID{3, 6, 2}},
		"no names":      {numbered(5, -2, "", "", ""), []trace.ThreadID{4, 2, 0}},
	} {
		got, _, _, err := score.Match(truth, c.observed)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, c.want)
		}
	}
}
