package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"artifice/cmd/internal/command"
	"artifice/internal/testdata"
)

// numbers are values of flags at and near limits, by type.
var numbers = map[string][]string{
	"int":       {"-1", "0", "1", "9223372036854775807", "-9223372036854775808"},
	"int64":     {"-1", "0", "1", "9223372036854775807", "-9223372036854775808"},
	"uint64":    {"0", "1", "9223372036854775807", "18446744073709551615"},
	"us":        {"-1", "0", "1", "9223372036854775807", "-9223372036854775808"},
	"duration":  {"-1ns", "0", "1ns", "2562047h", "9223372036854775807ns", "-9223372036854775808ns"},
	"durations": {"1ns", "1us", "1us..1us", "10000h", "9223372036854775807ns"},
	"float64":   {"-1", "0", "1e-308", "100", "101"},
	"rate":      {"-1", "0", "1e-308", "0.5", "1"},
	"percent":   {"-1%", "0%", "1e-308%", "100%", "1e300%"},
	"size":      {"-1", "0", "1", "9223372036854775807", "8589934591GiB"},
	"NAME=N":    {"depth=-1", "depth=0", "depth=1", "depth=9223372036854775807"},
	"slow":      {"g=-1", "g=0", "g=1e-308", "g=1", "g=1001"},
	"goal":      {"overlap=-1", "overlap=0", "overlap=1e-308", "overlap=100", "overlap=101"},
}

// noNumbers are values that no flag of a type accepts.
var noNumbers = map[string][]string{
	"int":       {"NaN", "Inf", "-Inf", "1e308", "1.5", "", "9223372036854775808"},
	"int64":     {"NaN", "Inf", "-Inf", "1e308", "1.5", "", "9223372036854775808"},
	"uint64":    {"NaN", "Inf", "-1", "1e308", "1.5", "", "18446744073709551616"},
	"us":        {"NaN", "Inf", "1e308", "1.5", "", "9223372036854775808"},
	"duration":  {"NaN", "Inf", "-Inf", "1e308s", "9223372036854775808ns", "", "1", "1ms..2ms"},
	"durations": {"NaN", "Inf", "-1ns", "0", "1e308s", "", ",", "1ms,,2ms", "..", "1ms..", "..1ms", "2ms..1ms", "0..1ms", "1ns..9223372036854775807ns"},
	"float64":   {"NaN", "Inf", "-Inf", "1e308", "1e309", "-1e308", ""},
	"rate":      {"NaN", "Inf", "-Inf", "1e308", "1e309", "0.5%", ""},
	"percent":   {"NaN%", "Inf%", "-Inf%", "1e308%", "1e309%", "", "%", "5"},
	"size":      {"NaN", "Inf", "1e308", "1.5GiB", "", "GiB", "9223372036854775807GiB", "9223372036854775808"},
	"NAME=N":    {"depth=NaN", "depth=Inf", "depth=1e308", "depth=", "=1", "", "deep=1"},
	"slow":      {"g=NaN", "g=Inf", "g=1e308", "g="},
	"goal":      {"overlap=NaN", "overlap=Inf", "overlap=1e308", "overlap="},
}

// ranges are the ranges in the messages about a flag, by name. The range is "" if every number of
// the type is valid, or if the flag is that of another program.
var ranges = map[string]string{
	"budget": "from 0.000001% to 1000000%", "buffer": "from 1KiB to 1TiB", "buffer-kb": "from 1 to 1073741824", "change": "from 0.000001% to 1000000%",
	"cores": "from 1 to 1024, or 0 for all", "counter-hz": "from 1 to 1000000000000", "cut": "from 0 to 100", "duration": "from 1ns to 10000h",
	"events": "from 2 to 1000000000", "false-alarms": "from 1e-12 to 0.5", "fail-above": "from 0.000001% to 1000000%", "from": "at least 0s", "goal": "above 0 and up to 100", "interval": "to 10000h", "intervals": "from 1us to 10000h",
	"ladder": "from 1us to 10000h", "last": "at least 1ns", "late-frames": "from 1ns to 10000h", "length": "from 1ns to 10000h", "level": "from 0.000001% to 99.9999%",
	"limit": "from 1 to 2147483647", "memory": "at least 64MiB", "most": "at least 0", "offset": "from -10000h to 10000h", "phase": "from 0s to 10000h", "port": "from 0 to 65535",
	"ring": "from 1 to 1073741824", "sample": "from 1us to 10000h", "sampled": "from 10us to 1m", "sampling": "from 1 to 36000000000000", "seed": "whole number",
	"seeds": "from 1 to 1048576", "size": "from 1MiB to 1TiB", "slow": "at most 1000", "threshold": "", "to": "at least 0s", "top": "at least 0",
}

// sources are the command lines to which flags are added.
var sources = map[string]string{
	"record": "w.yaml -o out.txt", "bench": "w.yaml --seeds 1 --device ideal --modes sample", "score": "t.trace s.trace", "expect": "t.trace p.folded --sampler wall-tick", "report": "t.trace", "diff": "t.trace --to s.trace",
	"plan": "s.trace s.trace --method a.A.f", "view": "t.trace -o out.html", "convert": "t.trace -o out.txt", "info": "t.trace", "dump": "t.trace", "check": "t.trace", "calibrate": "s.trace",
	"fixtures": "corpus", "lab": "-o out.html", "list": "", "dmtracedump": "t.trace",
}

// TestRanges passes numbers at and beyond its limits, and texts that are not numbers, to every
// numeric flag of every command; two values, if the tests are not exhaustive. Either the command
// ends quickly and with little memory, or it rejects the value with status 2. The message then
// contains the flag, the value and the range.
func TestRanges(t *testing.T) {
	testdata.Seldom(t, 4)
	t.Chdir(t.TempDir())
	write(t, "w.yaml", "name: x\nduration: 100us\nmethods:\n  a.A.f()V: {do: [{self: 10us}, {call: a.A.g}]}\n  a.A.g()V: {do: [{self: 10us}]}\nthreads:\n  - {name: main, do: [{loop: forever, do: [{call: a.A.f}]}]}\n")
	write(t, "p.folded", "a.A.f 5\na.A.f;a.A.g 5\n")
	for _, args := range [][]string{{"record", "w.yaml", "--mode", "truth", "-o", "t.trace"}, {"record", "w.yaml", "--interval", "10us", "-o", "s.trace"}} {
		if status, _, stderr := artifice(args...); status != exitOK {
			t.Fatal(stderr)
		}
	}
	root, _ := newRoot(command.Stdio{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}, commands)
	for _, cmd := range root.Commands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			kind := f.Value.Type()
			if numbers[kind] == nil {
				if known := []string{"bool", "string", "stringSlice", "regexp", "NEW"}; !slices.Contains(known, kind) {
					t.Errorf("%s --%s: no values for type %s", cmd.Name(), f.Name, kind)
				}
				return
			}
			want, ok := ranges[f.Name]
			if !ok {
				t.Errorf("%s --%s: no range", cmd.Name(), f.Name)
			}
			for _, value := range testdata.SomeUnlessNamed(t, slices.Concat(numbers[kind], noNumbers[kind]), 2) {
				line := append([]string{cmd.Name()}, strings.Fields(sources[cmd.Name()])...)
				tryNumber(t, append(line, "--"+f.Name+"="+value), f.Name, value, want, slices.Contains(noNumbers[kind], value))
			}
		})
	}
}

// tryNumber runs a command whose last argument sets a flag to a value.
func tryNumber(t *testing.T, args []string, flag, value, want string, refused bool) {
	os.RemoveAll("corpus")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // for a loaded machine
	defer cancel()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var stdout, stderr bytes.Buffer
	status := run(ctx, args, command.Stdio{In: strings.NewReader(""), Out: &stdout, Err: &stderr})
	runtime.ReadMemStats(&after)
	// With -short, tests run under the race detector, where pools keep little.
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 256<<20 && !testing.Short() || ctx.Err() != nil {
		t.Errorf("%q: %d MiB allocated, %v", args, allocated>>20, ctx.Err())
	}
	message, _, _ := strings.Cut(stderr.String(), "\n")
	switch {
	case status != exitUsage && refused:
		t.Errorf("%q: status %d, want status 2: %s", args, status, message)
	case status != exitUsage || strings.Contains(message, " does not apply to ") || strings.Contains(message, " applies to "), strings.Contains(message, "(raise it with --limit"), strings.Contains(message, " not to a file (-o)"):
	case !strings.Contains(message, "--"+flag) || !strings.Contains(message, want) || !strings.Contains(message, strings.Trim(strconv.Quote(value), `"`)) && !strings.Contains(message, readBack(value)):
		t.Errorf("%q: %s\nwant the flag, the value and %q", args, message, want)
	}
}

// readBack returns a value as error messages format it.
func readBack(value string) string {
	if d, err := time.ParseDuration(value); err == nil {
		return d.String()
	}
	return map[string]string{"1": "1B", "8589934591GiB": "8589934591GiB", "-9223372036854775808": "-9223372036854775808", "1e-308%": "1e-308%"}[value] + " "
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestEmptyValues passes an empty name to every flag that takes names.
func TestEmptyValues(t *testing.T) {
	t.Chdir(t.TempDir())
	root, _ := newRoot(command.Stdio{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}, commands)
	for _, cmd := range root.Commands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			values := map[string][]string{"string": {""}, "stringSlice": {"", ",", "a,,b", "a,"}}[f.Value.Type()]
			for _, value := range values {
				source := strings.TrimSuffix(sources[cmd.Name()], " --device ideal --modes sample") // with these flags, an empty list would be valid
				line := append([]string{cmd.Name()}, strings.Fields(source)...)
				line = append(line, "--"+f.Name+"="+value)
				var stdout, stderr bytes.Buffer
				status := run(t.Context(), line, command.Stdio{In: strings.NewReader(""), Out: &stdout, Err: &stderr})
				if status != exitUsage || !strings.Contains(stderr.String(), "--"+f.Name) || stdout.Len() > 0 {
					t.Errorf("%q: status %d: %s", line, status, stderr.String())
				}
			}
		})
	}
}
