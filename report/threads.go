package report

import (
	"slices"
	"strconv"
	"time"

	"artifice/internal/words"
	"artifice/trace"
	"artifice/trace/calltree"
)

// ThreadTime contains the times in which a thread had an open frame.
type ThreadTime struct {
	ID trace.ThreadID
	// CPU time and the remaining wall time; without a CPU clock, wall times by the innermost method
	Running, Waiting time.Duration
	CPU              time.Duration
}

// Active returns the time that indicates whether a thread was active: CPU time if the trace has it,
// else running time.
func (t *ThreadTime) Active(cpu bool) time.Duration {
	if cpu {
		return t.CPU
	}
	return t.Running
}

// ThreadTimes returns the times of the threads with frames, in thread order. If the trace has a CPU
// clock, the clock determines running time; otherwise method names do. Without symbols, no method
// waits.
func ThreadTimes(t *calltree.Tree, clock trace.Clock, symbols *trace.Symbols) []ThreadTime {
	byClock := clock.HasCPU() && t.Total().CPU > 0
	times, met := make([]ThreadTime, t.Threads()), make([]bool, t.Threads())
	for n := calltree.Node(1); int(n) < t.Len(); n++ {
		if t.IsRoot(n) || t.Root(t.Thread(n)) == calltree.NoNode {
			continue
		}
		self, sum := t.At(n).Self, &times[t.Thread(n)]
		met[t.Thread(n)] = true
		sum.CPU += self.CPU
		switch {
		case byClock:
			sum.Running += self.CPU
			sum.Waiting += self.Wall - self.CPU
		case symbols != nil && symbols.Method(t.Method(n)).Waits():
			sum.Waiting += self.Wall
		default:
			sum.Running += self.Wall
		}
	}
	for i := range times {
		times[i].ID, times[i].Waiting = trace.ThreadID(i), max(0, times[i].Waiting)
	}
	return slices.DeleteFunc(times, func(t ThreadTime) bool { return !met[t.ID] })
}

// AllThreads selects all threads, MainThread an app's main thread.
const (
	AllThreads = "all"
	MainThread = "main"
)

// ThreadChoice chooses the threads of a profile by their names ([chooseThreads]). It implements
// [estimate.ThreadChooser].
type ThreadChoice struct {
	Names     []string
	Recording *trace.Recording

	Chosen *Threads // after Choose
	Err    error    // set if no thread has one of the names; all threads are then kept
}

// Choose returns the threads of a tree to keep.
func (c *ThreadChoice) Choose(t *calltree.Tree) func(trace.ThreadID) bool {
	if c.Chosen, c.Err = chooseThreads(c.Names, t, c.Recording); c.Err != nil {
		return func(trace.ThreadID) bool { return true }
	}
	return c.Chosen.Keeps
}

// mainShare is the minimum share of all threads' time for which a report is about the main thread
// by default.
const mainShare = 0.01

// Threads is the selection of threads for a report. It contains the times of all threads.
type Threads struct {
	All  []ThreadTime // all threads with frames
	Kept []ThreadTime // the selected threads

	Main      bool // Kept is the main thread, because no names were requested
	OthersRan int  // number of threads that are not kept and were active
}

// chooseThreads selects threads by name or tid. [AllThreads] selects all threads, and [MainThread]
// the thread with this name or with the process's tid. Without names, it selects the main thread.
// If there is no main thread, or it has less than a hundredth of the time, it selects all threads.
// It returns an error if no thread has one of the names.
func chooseThreads(names []string, t *calltree.Tree, rec *trace.Recording) (*Threads, error) {
	symbols := rec.Symbols
	if rec.Info.Quantity.IsSet() {
		symbols = nil
	}
	c := &Threads{All: ThreadTimes(t, rec.Info.Clock, symbols)}
	cpu := rec.Info.Clock.HasCPU()
	var all time.Duration
	for i := range c.All {
		all += c.All[i].Active(cpu)
	}
	if slices.Contains(names, AllThreads) {
		c.Kept = c.All
		return c, nil
	}
	for _, one := range c.All {
		th := rec.Symbols.Thread(one.ID)
		named := slices.Contains(names, th.Name) || slices.Contains(names, MainThread) && isMain(th, &rec.Info) || slices.Contains(names, th.String()) || slices.Contains(names, strconv.FormatUint(uint64(th.TID), 10))
		isMain := len(names) == 0 && isMain(th, &rec.Info) && float64(one.Active(cpu)) >= mainShare*float64(all)
		if named || isMain {
			c.Kept, c.Main = append(c.Kept, one), isMain
		} else if one.Active(cpu) > 0 {
			c.OthersRan++
		}
	}
	if len(c.Kept) == 0 && len(names) > 0 {
		return nil, &NoThreadError{Name: names[0], Known: c.names(rec.Symbols)}
	}
	if len(c.Kept) == 0 {
		c.Kept, c.OthersRan = c.All, 0
	}
	return c, nil
}

// NoThreadError reports that no thread has a requested name.
type NoThreadError struct {
	Name  string
	Known []string // the names of the threads
}

func (e *NoThreadError) Error() string { return "no thread is called " + e.Name }

// names returns the names of the threads with frames.
func (c *Threads) names(symbols *trace.Symbols) (list []string) {
	for _, t := range c.All {
		list = append(list, symbols.Thread(t.ID).Name)
	}
	return list
}

func isMain(t *trace.Thread, info *trace.Info) bool {
	return t.Name == MainThread || info.PID != 0 && int(t.TID) == info.PID
}

// Keeps reports whether a thread is selected.
func (c *Threads) Keeps(id trace.ThreadID) bool {
	return slices.ContainsFunc(c.Kept, func(t ThreadTime) bool { return t.ID == id })
}

// Part reports whether only some of the threads are selected.
func (c *Threads) Part() bool { return len(c.Kept) < len(c.All) }

// Names describes the threads that the report covers.
func (c *Threads) Names(symbols *trace.Symbols) string {
	switch {
	case len(c.Kept) == 1:
		return symbols.Thread(c.Kept[0].ID).String()
	case c.Part():
		return words.Count(len(c.Kept), "thread")
	}
	return "all threads"
}

// Sum returns the sum of the times of the selected threads.
func (c *Threads) Sum() (sum ThreadTime) {
	for _, t := range c.Kept {
		sum.Running += t.Running
		sum.Waiting += t.Waiting
		sum.CPU += t.CPU
	}
	return sum
}
