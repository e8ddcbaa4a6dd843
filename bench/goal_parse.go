package bench

import (
	"fmt"
	"strings"

	"artifice/internal/words"
)

// ParseGoal returns the goal of a command line: hottest (the five hottest methods, in order),
// overlap=95 (% of the running time in the
// right method), recall=95 (% of the methods with 1 % of it seen) or methods=NAME,NAME
// (all of them seen).
func ParseGoal(text string) (g Goal, err error) {
	name, value, _ := strings.Cut(text, "=")
	if text == "hottest" {
		g = AssumedGoal
		g.assumed = false
		return g, nil
	}
	switch name {
	case "overlap", "recall":
		share, err := words.ParsePercent(strings.TrimSuffix(value, "%") + "%")
		if err != nil || share <= 0 || share > 1 {
			return g, fmt.Errorf("%q is not a share in percent; write %s=95", value, name)
		}
		g.Measure, g.Wanted = RecallRunning, share
		if name == "overlap" {
			g.Measure = OverlapRunning
		}
	case "methods":
		g.Measure, g.Wanted, g.Methods = NamedSeen, 1, strings.Split(value, ",")
		for _, m := range g.Methods {
			if strings.TrimSpace(m) == "" {
				return g, fmt.Errorf("a name is empty; write methods=Class.name,Other.name")
			}
		}
	default:
		return g, fmt.Errorf("%q is not a goal; write hottest, overlap=95, recall=95 or methods=NAME,NAME", text)
	}
	return g, nil
}
