package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// margin is an assertion of prof-correctness: a percentage of time, rounded down, and how far it
// may be off.
type margin struct {
	scenario string
	percent  int
	points   float64
	samples  int     // assumed: of one thread, for the time of the scenario
	share    float64 // assumed true share
}

// expectedProfile is the part of expected_profile.json that this program reads.
type expectedProfile struct {
	Stacks []struct {
		Type    string   `json:"profile-type"`
		Margin  *float64 `json:"error-margin"`
		Content []struct {
			Percent *int     `json:"percent"`
			Value   *float64 `json:"value"`
			Margin  *float64 `json:"error_margin"`
		} `json:"stack-content"`
	} `json:"stacks"`
}

// seconds finds how long a scenario runs.
var seconds = regexp.MustCompile(`EXECUTION_TIME_SEC[= ]"?(\d+)`)

// readMargins reads the scenarios of a folder. without counts the stacks that have no sampling
// distribution, by reason.
func readMargins(folder string) (list []margin, without map[string]int, err error) {
	without = map[string]int{}
	err = filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.Contains(entry.Name(), "expected") || filepath.Ext(name) != ".json" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var p expectedProfile
		if err := json.Unmarshal(text, &p); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		scenario, length := filepath.Base(filepath.Dir(name)), 60
		if docker, err := os.ReadFile(filepath.Join(filepath.Dir(name), "Dockerfile")); err == nil {
			if m := seconds.FindSubmatch(docker); m != nil {
				length, _ = strconv.Atoi(string(m[1]))
			}
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		rate := 100
		if strings.HasPrefix(scenario, "node") {
			rate = 99
		}
		for _, s := range p.Stacks {
			for _, c := range s.Content {
				switch {
				case !slices.Contains([]string{"cpu-time", "wall-time", "cpu", "wall"}, s.Type):
					without[s.Type]++
					continue
				case c.Percent == nil:
					without["time as a rate"]++
					continue
				}
				m := margin{scenario: scenario, percent: *c.Percent, samples: rate * length, share: shareOf(*c.Percent)}
				if c.Margin != nil {
					m.points = *c.Margin
				} else if s.Margin != nil {
					m.points = *s.Margin
				}
				list = append(list, m)
			}
		}
		return nil
	})
	return list, without, err
}

// shareOf returns the share that a percentage means: a simple fraction, if it is one rounded down.
func shareOf(percent int) float64 {
	switch percent {
	case 11:
		return 1. / 9
	case 33:
		return 1. / 3
	case 66:
		return 2. / 3
	}
	return min(max(float64(percent)/100, 1e-4), 1-1e-4)
}

// passes returns the probability that the count of independent samples with a share passes.
func (m *margin) passes(share float64) float64 {
	share = min(max(share, 1e-9), 1-1e-9)
	n := float64(m.samples)
	low, high := math.Ceil(float64(m.percent)-m.points), math.Floor(float64(m.percent)+m.points)
	least := max(0, int(math.Ceil(low*n/100-1e-9)))
	most := min(m.samples, int(math.Ceil((high+1)*n/100-1e-9))-1)
	if least > most {
		return 0
	}
	// The smaller tails, so that differences do not cancel.
	return max(0, 1-above(most+1, m.samples, share)-above(m.samples-least+1, m.samples, 1-share))
}

// biasPasses returns the probability that a bias passes, in its worse direction.
func (m *margin) biasPasses(bias float64) (most float64) {
	for _, s := range []float64{m.share + bias, m.share - bias} {
		if s >= 0 && s <= 1 {
			most = max(most, m.passes(s))
		}
	}
	return most
}

// needed returns the points that a count differs by at most, but for a probability of rate.
func (m *margin) needed(rate float64) float64 {
	n := float64(m.samples)
	up, down := int(n*m.share), int(n*(1-m.share))
	for above(up+1, m.samples, m.share) > rate/2 {
		up++
	}
	for above(down+1, m.samples, 1-m.share) > rate/2 {
		down++
	}
	return 100 * max(float64(up)/n-m.share, float64(down)/n-(1-m.share))
}

// runsOf has the number of runs of each function in two scenarios that state how long those last.
// The others are not classified.
var runsOf = map[string]int{"node_code_hotspots": 1, "python_native_cpu_3.11": 3}

// byRuns returns the points that a count differs by at most for a timer of constant period, given
// the runs of a function: by one sample for each of them. It is 0 if they are not stated.
func (m *margin) byRuns() float64 { return 100 * float64(runsOf[m.scenario]) / float64(m.samples) }

// scenarioRow sums up the margins of a scenario: the smallest and the largest values.
type scenarioRow struct {
	margins, samples                   int
	chosen, needed, passes, flakes, by [2]float64
}

// printScenarios prints a row for each scenario with percentages of time.
func printScenarios(w io.Writer, list []margin) {
	rows := map[string]*scenarioRow{}
	var names []string
	for i := range list {
		m := &list[i]
		r := rows[m.scenario]
		if r == nil {
			far := [2]float64{math.Inf(1), math.Inf(-1)}
			r = &scenarioRow{0, m.samples, far, far, far, far, far}
			rows[m.scenario], names = r, append(names, m.scenario)
		}
		r.margins++
		for _, x := range []struct {
			of    *[2]float64
			value float64
		}{{&r.chosen, m.points}, {&r.needed, m.needed(1e-6)}, {&r.passes, 100 * m.biasPasses(0.05)}, {&r.flakes, 100 * (1 - m.passes(m.share))}, {&r.by, m.byRuns()}} {
			x.of[0], x.of[1] = min(x.of[0], x.value), max(x.of[1], x.value)
		}
	}
	slices.Sort(names)
	text := func(x [2]float64, decimals int) string {
		low, high := strconv.FormatFloat(x[0], 'f', decimals, 64), strconv.FormatFloat(x[1], 'f', decimals, 64)
		if low == high {
			return low
		}
		return low + "-" + high
	}
	const layout = "%-33s %7v %7v %7s %9s %7s %9s %8s\n"
	fmt.Fprintf(w, layout, "scenario", "margins", "samples", "chosen", "needed", "by runs", "5 pass", "flake")
	for _, name := range names {
		r := rows[name]
		by := "-"
		if r.by[1] > 0 {
			by = text(r.by, 1)
		}
		fmt.Fprintf(w, layout, name, r.margins, r.samples, text(r.chosen, 0), text(r.needed, 1), by, text(r.passes, 0)+" %", text(r.flakes, 0)+" %")
	}
}

// printMargins prints tables of the margins of a folder.
func printMargins(w io.Writer, folder string) error {
	list, without, err := readMargins(folder)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return fmt.Errorf("%s: no percentages of time", folder)
	}
	var samples, chosen, needed []float64
	var wider, twice, passes5, half5, few, chance2, chance4 int
	for i := range list {
		m := &list[i]
		need := m.needed(1e-6)
		samples, chosen, needed = append(samples, float64(m.samples)), append(chosen, m.points), append(needed, need)
		count := func(n *int, is bool) {
			if is {
				*n++
			}
		}
		count(&wider, m.points > need+1)
		count(&twice, m.points > 2*need+1)
		count(&passes5, m.biasPasses(0.05) >= 0.95)
		count(&half5, m.biasPasses(0.05) >= 0.5)
		deviation := math.Sqrt(m.share * (1 - m.share) / float64(m.samples))
		count(&few, (4.892+1.645)*deviation > 0.05) // quantiles of the normal distribution at 1e-6/2 and 95 %
		fails := 1 - m.passes(m.share)
		count(&chance2, fails > 1e-2)
		count(&chance4, fails > 1e-4)
	}
	row := func(name, format string, value any) { fmt.Fprintf(w, "%-58s "+format+"\n", name, value) }
	row("percentages of time with a margin", "%6d", len(list))
	row("samples, median", "%6.0f", median(samples))
	row("margin chosen, median", "%6.1f points", median(chosen))
	row("margin needed at 1e-6, median", "%6.1f points", median(needed))
	row("chosen wider than needed by more than a point", "%6d", wider)
	row("more than twice as wide", "%6d", twice)
	row("a bias of 5 points passes in 95 % of runs", "%6d", passes5)
	row("in half of the runs", "%6d", half5)
	row("too few samples to detect 5 points at 1e-6", "%6d", few)
	row("fails by chance above 1e-2, if samples were independent", "%6d", chance2)
	row("fails by chance above 1e-4, if samples were independent", "%6d", chance4)
	var reasons []string
	all := 0
	for reason, n := range without {
		reasons = append(reasons, fmt.Sprintf("%s %d", reason, n))
		all += n
	}
	slices.Sort(reasons)
	row("without a sampling distribution", "%6d", all)
	for len(reasons) > 0 {
		line := min(4, len(reasons))
		fmt.Fprintf(w, "  %s\n", strings.Join(reasons[:line], ", "))
		reasons = reasons[line:]
	}
	printScenarios(w, list)
	return nil
}

func median(list []float64) float64 {
	slices.Sort(list)
	if k := len(list) / 2; len(list)%2 == 0 {
		return (list[k-1] + list[k]) / 2
	}
	return list[len(list)/2]
}
