package main

import (
	"slices"

	"github.com/spf13/cobra"

	"artifice/calltree"
	"artifice/writer"
)

// addProfile adds the flags that only profiles know.
func (f *outputFlags) addProfile(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.until, "until", "last", "profiles: frames open at the end run to their thread's last event (last) or to the trace's stop (stop)")
	cmd.Flags().StringVar(&f.value, "value", "time", "folded stacks: what is counted, time, cpu or calls")
	cmd.Flags().BoolVar(&f.threads, "by-thread", false, "folded stacks: begin each with the thread's name")
}

// profileOnly are the flags that mean nothing to most formats.
var profileOnly = []struct {
	flag    string
	of      string
	formats []string
}{
	{"until", "profiles", []string{"pprof", "folded"}},
	{"value", "folded stacks", []string{"folded"}},
	{"by-thread", "folded stacks", []string{"folded"}},
}

// checkProfile refuses flags of profiles where the output has another format.
func (f *outputFlags) checkProfile(format string) error {
	for _, only := range profileOnly {
		if f.flags.Changed(only.flag) && !slices.Contains(only.formats, format) {
			return usagef("--%s is of %s, and %s is written as %s", only.flag, only.of, f.name, format)
		}
	}
	return nil
}

// The words of --until and --value.
var (
	untils       = map[string]calltree.EndPolicy{"last": calltree.UntilLastEvent, "stop": calltree.UntilStop}
	foldedValues = map[string]writer.FoldedValue{"time": writer.FoldedTime, "cpu": writer.FoldedCPU, "calls": writer.FoldedCalls}
)

// checkWords refuses words that the flags do not know.
func (f *outputFlags) checkWords() error {
	if _, ok := untils[f.until]; !ok {
		return usagef("--until %s: it is last or stop", f.until)
	}
	if _, ok := foldedValues[f.value]; !ok {
		return usagef("--value %s: it is time, cpu or calls", f.value)
	}
	return nil
}
