package cli

import (
	"fmt"
	"math"
	"os"
	"path"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
)

// SparePercent is how much more than what is in use may be garbage where much is. Most
// of a large heap is calls and trees of calling contexts, which have no pointers for the garbage
// collector to follow: to collect more often costs little there. view --sample of 3 million events takes
// 150 MB with it and a tenth less CPU time with 25, where it takes 165.
const SparePercent = 10

// large is the memory in use above which a budget sees to that, and partSpared the part of a smaller budget. When the former was set,
// bench of stacks that never repeat took 370 to 390 MB with it, and 370 to 580 with a limit of
// 256 MiB, in the same time.
const (
	large      = 96 << 20
	partSpared = 0.25
)

// LeastMemory is what a program takes for the smallest input, and some more: a budget
// must not be less.
const LeastMemory Size = 64 << 20

// MemoryBudget watches the memory that the process uses. A nil budget is never used up.
type MemoryBudget struct {
	size     int64
	enough   int64 // in use, above which the work does not end well
	most     int64 // in use, above which it ends at once
	previous int64 // limit of the garbage collector
	percent  int   // of the garbage collector before it was asked to spare memory; 0: it was not

	mutex  sync.Mutex
	check  int64 // in use, above which to count once more, without garbage
	sample []metrics.Sample
}

// partInUse is the part of the budget that may be in use while an input is read. A
// table that grows is there twice for a moment, and at the end of the input sums are
// made of all contexts.
const partInUse = 0.5

// partAtOnce is the part that may be in use at an instant: what is moved to files is there until it is, and
// a check can fall on that.
const partAtOnce = 0.625

// NewMemoryBudget returns a budget of size bytes; of half of the machine's memory where
// that is 0, or none where the machine's is not known. Garbage is collected in time for
// it until [MemoryBudget.End].
func NewMemoryBudget(size int64) *MemoryBudget {
	if size == 0 {
		size = MachineMemory() / 2
	}
	if size == 0 {
		return nil
	}
	enough, most := int64(partInUse*float64(size)), int64(partAtOnce*float64(size))
	return &MemoryBudget{
		size: size, enough: enough, most: most, check: most, previous: debug.SetMemoryLimit(size),
		sample: []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}},
	}
}

// Alone returns a budget for an input that is read while no other is: what is in use
// before does not count, and the input may use as much as it could if nothing else were.
// It fails where what is in use already is more than the whole budget. End follows.
func (b *MemoryBudget) Alone() (*MemoryBudget, error) {
	runtime.GC()
	b.mutex.Lock()
	defer b.mutex.Unlock()
	used := b.inUse()
	if used > b.size {
		return nil, fmt.Errorf("%d MiB of memory are in use before the input is read", used>>20)
	}
	return &MemoryBudget{
		size: b.size, enough: used + b.enough, most: used + b.most, check: used + b.most, previous: debug.SetMemoryLimit(used + b.size),
		sample: []metrics.Sample{{Name: b.sample[0].Name}},
	}, nil
}

// End lets the garbage collector be as before.
func (b *MemoryBudget) End() {
	if b == nil {
		return
	}
	debug.SetMemoryLimit(b.previous)
	if b.percent != 0 {
		debug.SetGCPercent(b.percent)
	}
}

// Size returns the budget in whole MiB.
func (b *MemoryBudget) Size() Size { return Size(b.size - b.size%(1<<20)) }

// Exceeded reports whether the work would need more than the budget. It is called again
// and again while an input is read, and from several goroutines at once where several
// are.
func (b *MemoryBudget) Exceeded() bool {
	if b == nil {
		return false
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	inUse := b.inUse()
	if inUse > min(large, int64(partSpared*float64(b.size))) && b.percent == 0 {
		b.percent = debug.SetGCPercent(SparePercent)
	}
	if inUse < b.check {
		return false
	}
	runtime.GC()
	used := b.inUse()
	if used < b.most {
		b.check = b.most + (b.most-used)/2 // with so much garbage
		return false
	}
	return true
}

// Ended reports, once an input is read and while what was made of it is held, whether
// the work needed more than the budget. Exceeded leaves room for garbage, so that what
// came last may have escaped it; Ended counts without garbage, and its answer depends on
// what is in use alone.
func (b *MemoryBudget) Ended() bool {
	if b == nil {
		return false
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.inUse() < b.enough {
		return false
	}
	runtime.GC()
	return b.inUse() >= b.enough
}

// inUse returns the bytes of what is on the heap, with garbage.
func (b *MemoryBudget) inUse() int64 {
	metrics.Read(b.sample)
	return int64(min(b.sample[0].Value.Uint64(), math.MaxInt64))
}

// MachineMemory returns the memory of the machine, or of the control group that the
// program is in (cgroups(7)); 0 where that is not known, as it is elsewhere than on
// Linux.
func MachineMemory() (bytes int64) {
	text, _ := os.ReadFile("/proc/meminfo")
	if _, rest, ok := strings.Cut(string(text), "MemTotal:"); ok {
		if fields := strings.Fields(rest); len(fields) > 0 {
			kB, _ := strconv.ParseInt(fields[0], 10, 64)
			bytes = kB << 10
		}
	}
	groups, _ := os.ReadFile("/proc/self/cgroup")
	_, group, _ := strings.Cut(string(groups), "0::")
	group, _, _ = strings.Cut(group, "\n")
	for _, file := range []string{path.Join("/sys/fs/cgroup", group, "memory.max"), "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, _ := os.ReadFile(file)
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 && bytes > 0 {
			bytes = min(bytes, n)
		}
	}
	return bytes
}
