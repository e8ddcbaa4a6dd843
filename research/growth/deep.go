package main

import (
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"artifice/internal/testdata"
)

// deepCalls is the number of calls that a thread makes at the leaf of a stack. The cost of commands
// for them may at most double from 100 frames to 10,000.
const deepCalls = 100_000

// depths are the compared depths.
var depths = [2]int{100, 10_000}

// deepCommand is a command with a cost that may depend on depth. Its input is the truth or a
// sampled trace of it.
type deepCommand struct {
	sampled bool
	args    []string // IN is the input, OUT an output without ending
}

// deepCommands returns the commands to measure.
func deepCommands() (all []deepCommand) {
	for _, args := range [][]string{
		{"info", "IN"}, {"check", "IN"}, {"report", "IN"}, {"report", "IN", "--tree"}, {"report", "IN", "--csv"}, {"report", "IN", "--tree", "--csv"},
		{"report", "IN", "--graph", "OUT.dot"}, {"diff", "IN", "--to", "IN"}, {"view", "IN", "-o", "OUT.html"},
	} {
		all = append(all, deepCommand{false, args}, deepCommand{true, args})
	}
	for _, args := range [][]string{
		{"score", "IN", "SAMPLED"}, {"bench", "IN", "--modes", "sample", "--intervals", "1ms", "--seeds", "1"}, {"bench", "IN", "--intervals", "1ms", "--seeds", "1"},
		{"view", "IN", "--sample", "1ms", "-o", "OUT.html"}, {"calibrate", "IN"},
	} {
		all = append(all, deepCommand{false, args})
	}
	for _, mode := range [][2]string{{"sample", "trace"}, {"instrument", "trace"}, {"longrun", "trace"}, {"dump", "txt"}, {"simpleperf", "pb.gz"},
		{"perfetto", "pb.gz"}, {"blockcanary", "pb.gz"}, {"btrace2", "perfetto-trace"}, {"rheatrace1", "perfetto-trace"}, {"matrix", "perfetto-trace"},
		{"nanoscope", "perfetto-trace"}, {"rediff", "trace"}} {
		all = append(all, deepCommand{mode[0] == "rediff", []string{"record", "IN", "--mode", mode[0], "-o", "OUT." + mode[1]}})
	}
	for _, format := range []string{"art", "art-stream", "art-v2-17", "text", "pprof", "folded", "chrome", "perfetto", "speedscope", "firefox", "ftrace", "simpleperf-proto"} {
		args := []string{"convert", "IN", "--format", format, "-o", "OUT.any"}
		all = append(all, deepCommand{false, args}, deepCommand{true, args})
	}
	return all
}

// deep prints the cost of each command at both depths.
func deep(program, dir string, runs int, out io.Writer) error {
	for _, d := range depths {
		s := shape{threads: 1, depth: d, methods: 1000, contexts: 1000, events: int64(2*deepCalls + d)}
		if err := s.write(deepTrace(dir, d, false)); err != nil {
			return err
		}
		if text, err := exec.Command(program, "record", deepTrace(dir, d, false), "--interval", "20us", "--device", "ideal", "--buffer", "1GiB", "-o", deepTrace(dir, d, true)).CombinedOutput(); err != nil {
			return fmt.Errorf("sampling: %w\n%s", err, text)
		}
	}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%d frames\t%d frames\ttimes\tMiB\tMiB\t\n", depths[0], depths[1])
	for _, c := range deepCommands() {
		var took [2]time.Duration
		var bytes [2]int64
		what := ""
		for i, d := range depths {
			var err error
			if took[i], bytes[i], what, err = c.run(program, dir, d, runs); err != nil {
				return err
			}
		}
		fmt.Fprintf(t, "%d ms\t%d ms\t%.2f\t%d\t%d\t %s\n", took[0].Milliseconds(), took[1].Milliseconds(), took[1].Seconds()/took[0].Seconds(), bytes[0]>>20, bytes[1]>>20, what)
	}
	return t.Flush()
}

func deepTrace(dir string, depth int, sampled bool) string {
	if sampled {
		return filepath.Join(dir, fmt.Sprintf("sampled-%d.trace", depth))
	}
	return filepath.Join(dir, fmt.Sprintf("truth-%d.trace", depth))
}

// run runs the command at a depth and returns the minimum CPU time, the maximum memory, and the
// command in words.
func (c *deepCommand) run(program, dir string, depth, runs int) (least time.Duration, bytes int64, what string, err error) {
	args := make([]string, len(c.args))
	for i, a := range c.args {
		what += " " + a
		switch a {
		case "IN":
			a = deepTrace(dir, depth, c.sampled)
		case "SAMPLED":
			a = deepTrace(dir, depth, true)
		}
		if strings.HasPrefix(a, "OUT") {
			a = filepath.Join(dir, a)
		}
		args[i] = a
	}
	if c.sampled {
		what += " (sampled)"
	}
	for range runs {
		testdata.Shrink()
		cmd := exec.Command(program, args...)
		if text, err := cmd.CombinedOutput(); err != nil {
			return 0, 0, what, fmt.Errorf("%v: %w\n%.300s", cmd.Args, err, text)
		}
		if took := testdata.ProcessCPU(cmd.ProcessState); least == 0 || took < least {
			least = took
		}
		bytes = max(bytes, testdata.ProcessMemory(cmd.ProcessState))
	}
	return least, bytes, what, nil
}
