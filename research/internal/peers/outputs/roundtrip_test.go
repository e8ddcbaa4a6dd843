package outputs_test

import (
	"encoding/csv"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"artifice/format"
	"artifice/internal/testdata"
	"artifice/research/internal/peers/outputs"
	"artifice/research/internal/peers/seen"
)

// lost contains, by format, the reason why its files lose times of threads: wall, CPU.
var lost = map[string][2]string{
	"art-longrun-2025-02": {"only methods that run long are in it", "it has no CPU time"},
	"art-longrun-16":      {"only methods that run long are in it", "it has no CPU time"},
	"folded":              {"the time of each stack is rounded to a microsecond, and threads are merged", "it has one value"},
	"speedscope":          {"", "it has one value"},
	"ftrace":              {"", "it has no CPU time"},
	"atrace":              {"", "it has no CPU time"},
	"simpleperf-proto":    {"it has running time only", ""},
	"dalvik1":             {"", "it has one clock"},
	"dalvik2":             {"", "it has one clock"},
}

// TestRoundTrips: report prints for a converted trace the time of each thread of the source,
// counted from its bytes, unless lost contains a reason.
func TestRoundTrips(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	p := outputs.Build(t)
	dir, missing := t.TempDir(), map[string]int{} // inputs that lose it
	for _, in := range outputs.Inputs(t, p, "") {
		if !slices.Contains(outputs.Apps[:2], in.Name) {
			continue
		}
		for _, f := range testdata.Some(t, format.Written(), 2) {
			want := inThreads(in.Trace)
			switch f.Name {
			case "chrome": // no two stamps of a thread are equal
				for name, t := range inThreads(in.Trace.Apart()) {
					want[name] = [2]time.Duration{t[0], want[name][1]}
				}
			case "ftrace", "atrace":
				want = want.kernelNames()
			}
			file := p.Convert(t, dir, in, outputs.Format{Name: f.Name, Ending: "." + f.Name})
			got, err := reported(p, file)
			for i, clock := range []string{"wall", "CPU"} {
				why := lost[f.Name][i]
				switch same := err == nil && equal(want, got, i); {
				case same:
				case why == "":
					t.Errorf("%s as %s: %s time differs, %v\nwant %v\ngot  %v", in.Name, f.Name, clock, err, want, got)
				default:
					missing[f.Name+" "+clock]++
				}
			}
		}
	}
	stale(t, lost, missing)
}

// times are the wall and the CPU time of threads by their names, in which a frame is open.
type times map[string][2]time.Duration

func (m times) add(name string, wall, cpu time.Duration) {
	m[name] = [2]time.Duration{m[name][0] + wall, m[name][1] + cpu}
}

// kernelNames sums threads by their names in ftrace text: the kernel's 15 bytes, with _ for a final
// -.
func (m times) kernelNames() times {
	cut := times{}
	for name, t := range m {
		cut.add(strings.ReplaceAll(name[:min(15, len(name))], "-", "_"), t[0], t[1])
	}
	return cut
}

// equal compares one of the clocks; a thread that is missing has no time.
func equal(want, got times, clock int) bool {
	for name := range want {
		if want[name][clock] != got[name][clock] {
			return false
		}
	}
	return true
}

// inThreads counts a trace.
func inThreads(in *seen.Trace) times {
	m := times{}
	_, wall := in.Count(func(e seen.Event) time.Duration { return e.Wall })
	for s, sum := range wall {
		if s.Frames != "" {
			m.add(in.Threads[s.Thread], sum.Time, 0)
		}
	}
	for s, sum := range in.CPUStacks() {
		if s.Frames != "" {
			m.add(in.Threads[s.Thread], 0, sum.Time)
		}
	}
	return m
}

// reported returns report's figures for a file.
func reported(p *outputs.Program, file string) (times, error) {
	cmd := exec.Command(p.Path(), "report", "-q", "--csv", "--by", "thread", "--until", "last", filepath.Base(file))
	cmd.Dir = filepath.Dir(file)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(out).ReadAll()
	if waited := cmd.Wait(); waited != nil || err != nil || len(rows) == 0 {
		return nil, errorOf(waited, err)
	}
	wall, cpu := slices.Index(rows[0], "self_wall_ns"), slices.Index(rows[0], "self_cpu_ns")
	m := times{}
	for _, row := range rows[1:] {
		m.add(row[0], ns(row, wall), ns(row, cpu))
	}
	return m, nil
}

func errorOf(waited, err error) error {
	if waited != nil {
		return waited
	}
	return err
}

// ns returns the time in a column; 0 if there is none.
func ns(row []string, column int) time.Duration {
	if column < 0 {
		return 0
	}
	n, _ := strconv.ParseInt(row[column], 10, 64)
	return time.Duration(n)
}
