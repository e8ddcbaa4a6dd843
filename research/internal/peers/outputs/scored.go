package outputs

import (
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// scored compares score's output for an input and a file made of it with the input's totals after
// the given reasons are applied: the share of methods' self time attributed to the same method, on
// both clocks, and the error of their total times.
func (p *Program) scored(held *Held, file, out string, reasons []int) string {
	cmd := exec.Command(p.path, "score", "-q", "--json", file, out)
	var said strings.Builder
	cmd.Stderr = &said
	text, err := cmd.Output()
	if !held.Wall {
		const refusal = "without wall clock cannot be compared"
		if err == nil || !strings.Contains(said.String(), refusal) {
			return "it should be refused: " + refusal
		}
		return ""
	}
	if err != nil {
		return fmt.Sprintf("%v: %s", err, said.String())
	}
	var got []struct {
		Scores map[string]*float64
	}
	if err := json.Unmarshal(text, &got); err != nil || len(got) != 1 {
		return fmt.Sprintf("score --json: %v: %.200s", err, text)
	}
	truth, seen := *held, *held
	truth.signed, seen.signed = true, true
	if format := filepath.Ext(out); !slices.Contains(sums, strings.TrimPrefix(format, ".")) {
		// Sums contain the calls of exits without an enter; these calls enclose everything that
		// their threads did before.
		withoutOrphans(&truth)
		withoutOrphans(&seen)
	}
	// The reference implementation ends open frames at the last events of their threads, score at
	// the ends of the threads: their wall times are comparable only if no frame is open.
	ofWall := !held.open()
	for _, i := range reasons {
		if f := Reasons[i].held; f != nil {
			f(&seen)
		}
		if strings.HasPrefix(Reasons[i].Text, "no signatures") {
			Reasons[i].held(&truth)
		}
		if strings.HasPrefix(Reasons[i].Text, "no wall time") {
			ofWall = false
		}
	}
	want, have := truth.Totals().Methods, seen.Totals().Methods
	wall := func(t Total) time.Duration { return t.Self.Wall }
	cpu := func(t Total) time.Duration { return t.Self.CPU }
	scores := got[0].Scores
	byCPU := scores["total_cpu_wmape"] != nil
	for _, m := range []struct {
		measure string
		of      func(Total) time.Duration
		holds   bool
	}{{"wall_correct", wall, ofWall}, {"cpu_correct", cpu, byCPU}} {
		if total(want, m.of) == 0 || !m.holds {
			continue
		}
		if v := scores[m.measure]; v == nil || math.Abs(*v-overlap(want, have, m.of)) > 1e-9 {
			return fmt.Sprintf("%s is %s, want %v", m.measure, printed(v), overlap(want, have, m.of))
		}
	}
	return ""
}

// open reports whether frames are open at the end.
func (h *Held) open() bool {
	depth := make(map[int]int)
	for _, e := range h.Events {
		if e.Closing {
			return true
		}
		if e.Enter {
			depth[e.Thread]++
		} else if depth[e.Thread] > 0 {
			depth[e.Thread]--
		}
	}
	for _, d := range depth {
		if d > 0 {
			return true
		}
	}
	return false
}

func printed(v *float64) string {
	if v == nil {
		return "left out"
	}
	return fmt.Sprint(*v)
}

func total(methods map[string]Total, of func(Total) time.Duration) (sum time.Duration) {
	for _, t := range methods {
		sum += of(t)
	}
	return sum
}

// overlap returns the sum of the smaller of the two shares of each method (package bench/measure).
func overlap(want, have map[string]Total, of func(Total) time.Duration) float64 {
	all, seen := float64(total(want, of)), float64(total(have, of))
	var shares []float64
	for name, t := range want {
		shares = append(shares, min(float64(of(t))/all, float64(of(have[name]))/max(seen, 1)))
	}
	slices.Sort(shares)
	var sum float64
	for _, s := range shares {
		sum += s
	}
	return sum
}
