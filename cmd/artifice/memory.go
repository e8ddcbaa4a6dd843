package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// memoryAdvice is what to do where a command would need too much memory, by command:
// those that keep something for every calling context have the flag --memory.
var memoryAdvice = map[string]string{
	"bench":   "take fewer --modes, --device, --intervals or --seeds, or a part of the trace (--from, --to)",
	"score":   "compare parts of both traces (artifice convert --from --to)",
	"convert": "take a part of the trace (--from, --to, --thread), or a format that keeps every event, as .trace and .txt do",
}

// memoryKey is what a command's context has its budget under.
type memoryKey struct{}

// addMemory gives cmd the flag, and the context of its work the budget.
func addMemory(cmd *cobra.Command) {
	var size sizeValue
	cmd.Flags().Var(&size, "memory", "end, and say so, before more memory than `SIZE` is used; default half of the machine's")
	cmd.Flags().Lookup("memory").DefValue = ""
	work := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		given := cmd.Flags().Changed("memory")
		if given && size < leastMemory {
			return usagef("--memory %s: want 64MiB or more", &size)
		}
		budget := int64(size)
		if !given {
			budget = machineMemory() / 2
		}
		if budget > 0 {
			b := newMemoryBudget(budget, memoryAdvice[cmd.Name()])
			defer b.end()
			cmd.SetContext(context.WithValue(cmd.Context(), memoryKey{}, b))
		}
		return work(cmd, args)
	}
}

// leastMemory is what the program takes for the smallest input, and some more.
const leastMemory sizeValue = 64 << 20

// memoryBudget watches the memory in use.
type memoryBudget struct {
	size     int64
	enough   int64 // in use, above which the work ends
	check    int64 // in use, above which to count once more, without garbage
	advice   string
	previous int64 // limit of the garbage collector
	sample   []metrics.Sample
}

// partInUse is the part of the budget that may be in use while an input is read. A
// table that grows is there twice for a moment, and at the end of the input sums are
// made of all contexts.
const partInUse = 0.5

func newMemoryBudget(size int64, advice string) *memoryBudget {
	enough := int64(partInUse * float64(size))
	return &memoryBudget{
		size: size, enough: enough, check: enough, advice: advice,
		previous: debug.SetMemoryLimit(size), // garbage is collected in time
		sample:   []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}},
	}
}

// end lets the garbage collector be as before.
func (b *memoryBudget) end() { debug.SetMemoryLimit(b.previous) }

// exceeded returns an error when the work would need more than the budget. It is
// called again and again while an input is read.
func (b *memoryBudget) exceeded() error {
	if b == nil || b.inUse() < b.check {
		return nil
	}
	runtime.GC()
	used := b.inUse()
	if used < b.enough {
		b.check = b.enough + (b.enough-used)/2 // with so much garbage
		return nil
	}
	size := sizeValue(b.size)
	return memoryError(fmt.Sprintf("more than %s of memory would be needed, as the stacks of this trace hardly repeat: %s, or allow more with --memory", roundSize(size), b.advice))
}

// memoryError ends the work whatever of the input could be kept.
type memoryError string

func (e memoryError) Error() string { return string(e) }

// inUse returns the bytes of what is on the heap, with garbage.
func (b *memoryBudget) inUse() int64 {
	metrics.Read(b.sample)
	return int64(min(b.sample[0].Value.Uint64(), math.MaxInt64))
}

// keepProportion lets the garbage collector run in time for the law of memory, 64 MiB
// and 64 bytes for each byte read, when a file of stack dumps is read: if its every line
// is a new method, what is kept takes more than half of that. Then release undoes it.
func keepProportion(name string) (release func()) {
	file, err := os.Stat(name)
	if err != nil || !file.Mode().IsRegular() || path.Ext(name) == ".gz" {
		return nil
	}
	before := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(before, 64<<20+64*file.Size()))
	return func() { debug.SetMemoryLimit(before) }
}

// roundSize returns a size for people, in whole MiB.
func roundSize(s sizeValue) string {
	s -= s % (1 << 20)
	return s.String()
}

// stopOf returns what ends the reading of the inputs of the command whose context ctx
// is: an interruption, or too much memory.
func stopOf(ctx context.Context, name string) func() error {
	budget, _ := ctx.Value(memoryKey{}).(*memoryBudget)
	return func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := budget.exceeded(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
}

// machineMemory returns the memory of the machine, or of the control group that the
// program is in (cgroups(7)); 0 where that is not known, as it is elsewhere than on
// Linux.
func machineMemory() (bytes int64) {
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
