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

// SparePercent is the percentage of garbage, relative to memory in use, that is allowed when much
// memory is in use. A large heap consists mostly of calls and calling-context trees without
// pointers for the garbage collector to follow, so frequent collections are cheap. With it, view
// --sample of 3 million events takes 150 MB; with 25 it takes 165 MB and a tenth less CPU time.
const SparePercent = 10

// SparePercent applies above large bytes of memory in use, or above the share partSpared of a
// smaller budget. When large was set, bench of stacks that never repeat took 370 to 390 MB with
// SparePercent, and 370 to 580 MB with a limit of 256 MiB, in the same time.
const (
	large      = 96 << 20
	partSpared = 0.25
)

// MinMemory is the minimum budget: somewhat more than a program uses for the smallest input.
const MinMemory Size = 64 << 20

// MemoryBudget limits the memory that the process uses. A nil budget is never exceeded.
type MemoryBudget struct {
	size     int64
	enough   int64 // bytes in use, above which Ended reports failure
	most     int64 // bytes in use, above which Exceeded reports failure
	previous int64 // limit of the garbage collector
	percent  int   // of the garbage collector before SparePercent was set; 0: not set

	mutex  sync.Mutex
	check  int64 // bytes in use, above which to measure again without garbage
	sample []metrics.Sample
}

// partInUse is the share of the budget that may be in use while an input is read. A growing table
// exists twice for a moment, and at the end of the input sums are made of all contexts.
const partInUse = 0.5

// partAtOnce is the share that may be in use at any instant. It is larger, because memory that is
// being moved to files remains in use for a while, and a check can fall into that time.
const partAtOnce = 0.625

// NewMemoryBudget returns a budget of size bytes. If size is 0, it is half of the machine's
// memory, or nil if that is unknown. The budget is the limit of the garbage collector until
// [MemoryBudget.End].
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

// Alone returns a budget for an input that is read while no other is. Memory already in use does
// not count, so the input may use the whole budget. It fails if the memory in use already exceeds
// the whole budget. The caller calls End.
func (b *MemoryBudget) Alone() (*MemoryBudget, error) {
	runtime.GC()
	b.mutex.Lock()
	defer b.mutex.Unlock()
	used := b.inUse()
	if used > b.size {
		return nil, fmt.Errorf("%d MiB of memory are in use before the input is read, more than --memory allows", used>>20)
	}
	return &MemoryBudget{
		size: b.size, enough: used + b.enough, most: used + b.most, check: used + b.most, previous: debug.SetMemoryLimit(used + b.size),
		sample: []metrics.Sample{{Name: b.sample[0].Name}},
	}, nil
}

// End restores the settings of the garbage collector.
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

// Exceeded reports whether the work needs more than the budget. It is called repeatedly while an
// input is read, and may be called from several goroutines at once.
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
		b.check = b.most + (b.most-used)/2 // including garbage
		return false
	}
	return true
}

// Ended reports whether the work needed more than the budget. It is called after an input is read,
// while its results are still in use. Exceeded allows for garbage, so it may miss the last
// allocations. Ended measures without garbage, and its result depends only on the memory in use.
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

// inUse returns the bytes on the heap, including garbage.
func (b *MemoryBudget) inUse() int64 {
	metrics.Read(b.sample)
	return int64(min(b.sample[0].Value.Uint64(), math.MaxInt64))
}

// MachineMemory returns the memory of the machine, or of the control group of the program
// (cgroups(7)). It returns 0 if that is unknown, as on systems other than Linux.
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
