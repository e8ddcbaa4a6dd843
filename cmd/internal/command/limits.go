package command

import (
	"context"
	"fmt"
	"os"
	"path"
	"runtime/debug"

	"github.com/spf13/cobra"

	"artifice/internal/cli"
	"artifice/trace"
)

// limitsFlag is the flag --limit of every command that reads traces.
type limitsFlag struct{ trace.Limits }

// Type implements pflag.Value.
func (limitsFlag) Type() string { return "NAME=N" }

// limitsKey is the key of the limits in a command's context. They apply to every input that the
// command opens.
type limitsKey struct{}

// AddLimits adds the flag to cmd, and the limits to the context of its work.
func AddLimits(cmd *cobra.Command) {
	var l limitsFlag
	cmd.Flags().Var(&l, "limit", "raise the safety limit that an error message names: depth, methods, unlisted, ratio, samples or frames; repeatable")
	work := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		cmd.SetContext(context.WithValue(cmd.Context(), limitsKey{}, l.Limits))
		return work(cmd, args)
	}
}

// LimitsOf returns the limits of the command with context ctx.
func LimitsOf(ctx context.Context) trace.Limits {
	l, _ := ctx.Value(limitsKey{}).(trace.Limits)
	return l
}

// memoryAdvice is the advice, by command, for a command that would need too much memory. Commands
// that store data for every calling context have the flag --memory.
var memoryAdvice = map[string]string{
	"bench":   "use fewer --modes, --device, --intervals or --seeds, or a part of the trace (--from, --to)",
	"score":   "compare parts of both traces (artifice convert --from --to)",
	"view":    "view a part of the trace (artifice convert --from --to, --thread)",
	"report":  "report a part of the trace (artifice convert --from --to, --thread)",
	"diff":    "compare parts of the traces (artifice convert --from --to, --thread)",
	"convert": "use a part of the trace (--from, --to, --thread), or a format that keeps every event, such as .trace and .txt",
}

// memoryKey is the key of the memory budget in a command's context.
type memoryKey struct{}

// AddMemory adds the flag to cmd, and the budget to the context of its work, if the command has a
// memory budget.
func AddMemory(cmd *cobra.Command) {
	advice, ok := memoryAdvice[cmd.Name()]
	if !ok {
		return
	}
	var size cli.Size
	cmd.Flags().Var(&size, "memory", "fail instead of using more memory than `SIZE`; default: half of the machine's memory")
	cmd.Flags().Lookup("memory").DefValue = ""
	work := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		b := memoryBudget{cli.NewMemoryBudget(int64(size)), advice}
		defer b.End()
		cmd.SetContext(context.WithValue(cmd.Context(), memoryKey{}, b))
		return work(cmd, args)
	}
}

// memoryBudget is a budget with the advice for the case that it is exceeded.
type memoryBudget struct {
	*cli.MemoryBudget
	advice string
}

// exceeded returns an error if the work would need more than the budget.
func (b memoryBudget) exceeded() error {
	if !b.Exceeded() {
		return nil
	}
	size := b.Size()
	return MemoryError(fmt.Sprintf("more than %s of memory would be needed: %s, or allow more with --memory", &size, b.advice))
}

// MemoryError ends the work without a partial result.
type MemoryError string

func (e MemoryError) Error() string { return string(e) }

// programBytes is the memory of the program outside the heap, that is, its loaded code and data.
const programBytes = 16 << 20

// memoryLimit is a limit of the program's memory. A nil memoryLimit has no effect.
type memoryLimit struct{ before int64 }

// limitInProportion makes the garbage collector run in time for the memory limit of 64 MiB plus
// 64 bytes for each byte read: if every line of a dump, or every record of a trace, has a new
// method, live memory takes more than half of that. The syntax tree of YAML takes twice as much. It
// returns nil for a packed file and for anything but a regular file.
func limitInProportion(name string) *memoryLimit {
	file, err := os.Stat(name)
	if err != nil || !file.Mode().IsRegular() || path.Ext(name) == ".gz" {
		return nil
	}
	each := int64(64)
	if ext := path.Ext(name); ext == ".yaml" || ext == ".yml" {
		each = 128
	}
	before := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(before, 64<<20+each*file.Size()-programBytes))
	return &memoryLimit{before}
}

// release restores the previous limit.
func (l *memoryLimit) release() {
	if l != nil {
		debug.SetMemoryLimit(l.before)
	}
}

// KeepSpare limits garbage to [cli.SparePercent] of live memory until release is called. A small
// heap is collected too often then.
func KeepSpare() (release func()) {
	before := debug.SetGCPercent(cli.SparePercent)
	return func() { debug.SetGCPercent(before) }
}

// budgetOf returns the budget of the command with context ctx; the zero value is never exceeded.
func budgetOf(ctx context.Context) memoryBudget {
	budget, _ := ctx.Value(memoryKey{}).(memoryBudget)
	return budget
}
