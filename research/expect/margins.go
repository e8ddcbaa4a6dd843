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

// printMargins prints a table of the margins of a folder.
func printMargins(w io.Writer, folder string) error {
	list, without, err := readMargins(folder)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return fmt.Errorf("%s: no percentages of time", folder)
	}
	var samples, chosen, needed []float64
	var wider, twice, passes5, few, chance2, chance4 int
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
	return nil
}

func median(list []float64) float64 {
	slices.Sort(list)
	if k := len(list) / 2; len(list)%2 == 0 {
		return (list[k-1] + list[k]) / 2
	}
	return list[len(list)/2]
}
