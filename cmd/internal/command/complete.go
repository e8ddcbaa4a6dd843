package command

import (
	"strings"

	"github.com/spf13/cobra"

	"artifice/format"
	"artifice/format/check"
	"artifice/internal/dmformat"
	"artifice/tracer"
)

// Completions are the values that flags complete to, by command and flag, or by
// flag alone.
var Completions = map[string]func() []Entry{
	"device":          Devices,
	"runtime":         Runtimes,
	"modes":           Modes,
	"mode":            Tracers,
	"workload":        Workloads,
	"format":          Outputs,
	"check format":    traceEntries,
	"input-format":    inputEntries,
	"load":            traceEntries,
	"for":             toolEntries,
	"explain":         ruleEntries,
	"clock":           valuesOf("dual", "wall", "thread-cpu"),
	"until":           valuesOf("last", "stop"),
	"weight":          valuesOf("time", "cpu", "calls"),
	"unit":            valuesOf("ns", "us", "ms"),
	"schedule":        valuesOf("sleep", "poisson"),
	"safepoint-bias":  valuesOf("none", "leaf"),
	"repair":          valuesOf("forward", "rhea", "article"),
	"slice-end":       valuesOf("next", "last", "capped", "mid"),
	"frames":          valuesOf("managed", "all"),
	"identity":        valuesOf("method", "method+line"),
	"record identity": valuesOf("method", "method+line", "call"),
	"interval":        intervalEntries,
	"intervals":       intervalEntries,
	"ladder":          intervalEntries,
	"sample":          intervalEntries,
	"goal":            goalEntries,
	"budget":          valuesOf("1%", "2%", "5%", "10%"),
	"change":          valuesOf("5%", "10%", "20%"),
	"level":           valuesOf("1%", "3%", "5%"),
}

// filesToo are the flags whose values can also be file names.
var filesToo = map[string]bool{"device": true}

// listed are the flags that take several values, separated by commas.
var listed = map[string]bool{"bench device": true, "modes": true, "load": true, "for": true, "intervals": true}

// Complete adds shell completion of the values of cmd's flags, and of a SOURCE.
func Complete(cmd *cobra.Command) {
	for name, entries := range Completions {
		command, flag, ofOne := strings.Cut(name, " ")
		if !ofOne {
			command, flag = cmd.Name(), name
			if _, special := Completions[command+" "+flag]; special {
				continue
			}
		}
		if command != cmd.Name() || cmd.Flags().Lookup(flag) == nil {
			continue
		}
		list := listed[flag] || listed[command+" "+flag]
		rest := cobra.ShellCompDirectiveNoFileComp
		if filesToo[flag] && command != "list" {
			rest = cobra.ShellCompDirectiveDefault
		}
		cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return complete(entries(), typed, list), rest
		})
	}
	if takesWorkload[cmd.Name()] {
		cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return complete(Workloads(), typed, false), cobra.ShellCompDirectiveDefault
		}
	}
}

// takesWorkload are the commands that accept a built-in workload as their first argument.
var takesWorkload = map[string]bool{"record": true, "bench": true, "score": true, "info": true, "dump": true, "convert": true, "view": true, "plan": true}

// complete returns the entries with the typed prefix; in a list, the prefix is the text after the
// last comma.
func complete(entries []Entry, typed string, list bool) []string {
	before := ""
	if i := strings.LastIndexByte(typed, ','); list && i >= 0 {
		before = typed[:i+1]
	}
	var all []string
	for _, e := range entries {
		if word := before + e.Name; strings.HasPrefix(word, typed) {
			all = append(all, word+"\t"+e.Description)
		}
	}
	return all
}

func valuesOf(words ...string) func() []Entry {
	var all []Entry
	for _, w := range words {
		all = append(all, Entry{Name: w})
	}
	return func() []Entry { return all }
}

// Tracers returns the modes of record.
func Tracers() []Entry {
	var all []Entry
	for _, t := range tracer.All() {
		all = append(all, Entry{t.Name, t.Description})
	}
	return all
}

// Outputs are the formats that can be written, including those of stack dumps.
func Outputs() []Entry {
	var all []Entry
	for _, f := range format.Written() {
		all = append(all, Entry{f.Name, f.About})
	}
	for _, f := range format.All() {
		if f.Write == nil && f.Dumps != nil && f.Dumps.Written() {
			all = append(all, Entry{f.Name, f.About})
		}
	}
	return all
}

// traceEntries are the formats of the files that runtimes write.
func traceEntries() []Entry {
	var all []Entry
	for _, name := range dmformat.Names() {
		if f := format.ToWrite(name); f != nil {
			all = append(all, Entry{name, f.About})
		}
	}
	return all
}

// inputEntries are the formats in which a source can be read.
func inputEntries() []Entry {
	all := traceEntries()
	for _, f := range format.Sniffed() {
		all = append(all, Entry{f.Name, f.About})
	}
	return all
}

func toolEntries() []Entry {
	all := []Entry{{"all", "every tool"}}
	for _, t := range check.Tools {
		all = append(all, Entry{Name: string(t)})
	}
	return all
}

func ruleEntries() []Entry {
	all := []Entry{{"all", "every rule"}}
	for i := range check.Rules {
		all = append(all, Entry{check.Rules[i].ID, check.Rules[i].Name})
	}
	return all
}

// goalEntries are the goals of bench, with common values.
func goalEntries() []Entry {
	return []Entry{
		{"overlap=95", "95 % of the CPU time correctly attributed"},
		{"recall=95", "95 % of the methods with 1 % of the CPU time or more seen"},
		{"methods=", "all of these seen: methods=Class.name,Other.name"},
	}
}

// intervalEntries are commonly used intervals.
func intervalEntries() []Entry {
	return []Entry{{"500us", ""}, {"1ms", ""}, {"5ms", ""}, {"10ms", ""}, {"20ms", ""}}
}
