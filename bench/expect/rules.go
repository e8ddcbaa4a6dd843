package expect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"artifice/internal/inputs"
	"artifice/internal/jsonread"
	"artifice/internal/yamlfile"
	"artifice/trace"
)

// Rules are assertions about a profile.
type Rules struct {
	List    []Rule
	Skipped []string // rules of the file without a sampling distribution, each with the reason
}

// Rule is one assertion. Exactly one of Self, Total, Path, Stack, Absent, Order, Samples and Time
// is set.
type Rule struct {
	Self  string // self time of a method
	Total string // time with a method on the stack
	// time in stacks that contain these adjacent frames, the caller first: "a;b;c"
	Path string
	// time in stacks that match; a stack is its frames from the outermost on, joined by semicolons
	Stack  *regexp.Regexp
	Absent string   // a method that must not be in any sample
	Order  []string // methods in descending order of self time

	Samples *Range // number of samples
	Time    *Range // time of all samples, in seconds

	Share  *Range  // expected share, 0 to 1; nil: the share in the truth
	Detect float64 // smallest bias that the test has to detect, as a share; 0: no requirement
}

// Range is a closed range of values.
type Range struct{ Low, High float64 }

// String returns a text that identifies the assertion.
func (r *Rule) String() string {
	switch {
	case r.Self != "":
		return "self " + r.Self
	case r.Total != "":
		return "total " + r.Total
	case r.Path != "":
		return "path " + r.Path
	case r.Stack != nil:
		return "stack " + r.Stack.String()
	case r.Absent != "":
		return "absent " + r.Absent
	case len(r.Order) > 0:
		return "order " + strings.Join(r.Order, " ≥ ")
	case r.Samples != nil:
		return "samples"
	}
	return "time"
}

// OpenRules reads rules from a YAML file, or from the JSON of prof-correctness
// (expected_profile.json) for profiles of a clock.
//
//	rules:
//	- self: main.work        # or total: METHOD, path: main.run;main.work, stack: REGEXP
//	  share: 30 %            # default: that of the truth
//	  detect: 5 points       # the smallest bias that has to be detected
//	- absent: main.idle
//	- order: [main.work, main.rest]
//	- samples: 900..1100
//	- time: 9s..11s
func OpenRules(name string, clock Clock) (*Rules, error) {
	text, err := inputs.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if filepath.Ext(name) == ".json" {
		return rulesOfJSON(text, name, clock)
	}
	root, err := yamlfile.Read(bytes.NewReader(text), name)
	if err != nil {
		return nil, err
	}
	f := root.Fields()
	f.Require("rules")
	rules := &Rules{}
	for _, n := range f.List("rules") {
		r, err := readRule(n)
		if err != nil {
			return nil, err
		}
		rules.List = append(rules.List, r)
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	if len(rules.List) == 0 {
		return nil, root.Errorf("no rules")
	}
	return rules, nil
}

// readRule reads one rule of a YAML file.
func readRule(n *yamlfile.Node) (r Rule, err error) {
	f := n.Fields()
	r.Self, r.Total, r.Path, r.Absent, r.Order = f.String("self"), f.String("total"), f.String("path"), f.String("absent"), f.Strings("order")
	if text := f.String("stack"); text != "" {
		if r.Stack, err = regexp.Compile(text); err != nil {
			return r, f.Node("stack").Errorf("not a regular expression: %v", err)
		}
	}
	if at := f.Node("samples"); at != nil {
		if r.Samples, err = parseRange(at, parseNumber); err != nil {
			return r, err
		}
	}
	if at := f.Node("time"); at != nil {
		if r.Time, err = parseRange(at, parseSeconds); err != nil {
			return r, err
		}
	}
	if at := f.Node("share"); at != nil {
		share, err := parseShare(at)
		if err != nil {
			return r, err
		}
		r.Share = &Range{share.low, share.high}
	}
	if at := f.Node("detect"); at != nil {
		if r.Detect, err = parsePoints(at); err != nil {
			return r, err
		}
	}
	if err := f.Err(); err != nil {
		return r, err
	}
	kinds := 0
	for _, set := range []bool{r.Self != "", r.Total != "", r.Path != "", r.Stack != nil, r.Absent != "", len(r.Order) > 0, r.Samples != nil, r.Time != nil} {
		if set {
			kinds++
		}
	}
	hasShare := r.Self != "" || r.Total != "" || r.Path != "" || r.Stack != nil
	switch {
	case kinds != 1:
		return r, n.Errorf("a rule needs one of the keys self, total, path, stack, absent, order, samples and time")
	case !hasShare && (r.Share != nil || r.Detect > 0):
		return r, n.Errorf("the keys share and detect apply only to rules of self, total, path or stack")
	case len(r.Order) == 1:
		return r, n.Errorf("an order needs at least two methods")
	}
	return r, nil
}

// parseRange parses "900..1100".
func parseRange(n *yamlfile.Node, parse func(string) (float64, error)) (*Range, error) {
	text, err := n.String()
	if err != nil {
		return nil, err
	}
	low, high, ok := strings.Cut(text, "..")
	a, errA := parse(strings.TrimSpace(low))
	b, errB := parse(strings.TrimSpace(high))
	if !ok || errA != nil || errB != nil || !(a >= 0 && a <= b) {
		return nil, n.Errorf("expected a range such as 900..1100 or 9s..11s")
	}
	return &Range{a, b}, nil
}

func parseNumber(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, errors.New("no number")
	}
	return v, nil
}

func parseSeconds(s string) (float64, error) {
	d, err := time.ParseDuration(s)
	return d.Seconds(), err
}

// parsePoints parses "5 points".
func parsePoints(n *yamlfile.Node) (float64, error) {
	text, err := n.String()
	if err != nil {
		return 0, err
	}
	digits, ok := strings.CutSuffix(strings.TrimSuffix(text, "s"), " point")
	v, err := parseNumber(digits)
	if !ok || err != nil || v <= 0 || v > 100 {
		return 0, n.Errorf("expected a bias such as 5 points (percentage points)")
	}
	return v / 100, nil
}

// profCorrectness is the file expected_profile.json of Datadog's prof-correctness.
type profCorrectness struct {
	Stacks []struct {
		Type    string `json:"profile-type"`
		Content []struct {
			Expression string            `json:"regular_expression"`
			Percent    *int64            `json:"percent"`
			Value      *int64            `json:"value"`
			Labels     []json.RawMessage `json:"labels"`
		} `json:"stack-content"`
	} `json:"stacks"`
}

// timeTypes are the types of time profiles in prof-correctness.
var timeTypes = map[string]Clock{"cpu-time": CPU, "cpu": CPU, "cpu-samples": CPU, "wall-time": Wall, "wall": Wall, "wall-samples": Wall}

// rulesOfJSON reads expected_profile.json. The prof-correctness tool rounds percentages down, so 33
// means 33 to 34 %. Margins are not read: the test determines them.
func rulesOfJSON(text []byte, name string, clock Clock) (*Rules, error) {
	var file profCorrectness
	bad := func(format string, args ...any) error {
		return &trace.FormatError{Name: name, Offset: -1, Msg: fmt.Sprintf(format, args...)}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		var syntax *json.SyntaxError
		var kind *json.UnmarshalTypeError
		switch {
		case errors.As(err, &syntax):
			return nil, &trace.FormatError{Name: name, Offset: syntax.Offset, Msg: err.Error()}
		case errors.As(err, &kind) && kind.Field != "":
			return nil, &trace.FormatError{Name: name, Offset: kind.Offset, Msg: jsonread.WrongType(kind)}
		}
	}
	if len(file.Stacks) == 0 {
		return nil, bad("no stacks: rules in JSON have the form of prof-correctness's expected_profile.json")
	}
	rules := &Rules{}
	for _, typed := range file.Stacks {
		of, isTime := timeTypes[typed.Type]
		for _, c := range typed.Content {
			why := ""
			switch {
			case !isTime:
				why = "a profile of " + typed.Type + " does not count samples of time"
			case of != clock:
				why = "the profile samples " + clock.String()
			case len(c.Labels) > 0:
				why = "labels are not supported"
			case c.Percent == nil:
				why = "a value is a rate of time, which has no sampling distribution; use a rule time"
			}
			if why != "" {
				rules.Skipped = append(rules.Skipped, fmt.Sprintf("%s: %s", c.Expression, why))
				continue
			}
			if c.Expression == "" {
				return nil, bad("a stack with %d percent lacks a regular_expression", *c.Percent)
			}
			if *c.Percent < 0 || *c.Percent > 100 {
				return nil, bad("%s: %d percent: must be from 0 to 100", c.Expression, *c.Percent)
			}
			re, err := regexp.Compile(c.Expression)
			if err != nil {
				return nil, bad("%v", err)
			}
			p := float64(*c.Percent) / 100
			rules.List = append(rules.List, Rule{Stack: re, Share: &Range{p, min(1, p+0.01)}})
		}
	}
	switch {
	case len(rules.List) > 0:
		return rules, nil
	case len(rules.Skipped) == 0:
		return nil, bad("no stack-content")
	}
	return nil, bad("none of its %d stacks can be tested: %s", len(rules.Skipped), rules.Skipped[0])
}
