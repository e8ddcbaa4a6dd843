package expect

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"artifice/internal/yamlfile"
)

// TestRuleFiles reads rules, and refuses wrong ones with their line.
func TestRuleFiles(t *testing.T) {
	read := func(name, text string, clock Clock) (*Rules, error) {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return OpenRules(file, clock)
	}
	rules, err := read("rules.yaml", `rules:
- self: main.work
  share: 30 %
  detect: 5 points
- stack: ^main
  share: 12.5 %
  detect: 1 point
- {samples: 900..1100}
- {time: 9s..11.5s}
- order: [main.work, main.rest]
- absent: main.idle
`, CPU)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		share, samples, time *Range
		detect               float64
	}{
		{share: &Range{0.295, 0.305}, detect: 0.05}, {share: &Range{0.1245, 0.1255}, detect: 0.01}, {samples: &Range{900, 1100}}, {time: &Range{9, 11.5}}, {}, {},
	} {
		r := rules.List[i]
		if !sameRange(r.Share, want.share) || !sameRange(r.Samples, want.samples) || !sameRange(r.Time, want.time) || math.Abs(r.Detect-want.detect) > 1e-12 {
			t.Errorf("rule %d: %+v, want %+v", i+1, r, want)
		}
	}
	if rules.List[1].Stack.String() != "^main" || !reflect.DeepEqual(rules.List[4].Order, []string{"main.work", "main.rest"}) || rules.List[5].Absent != "main.idle" {
		t.Errorf("%+v", rules.List)
	}
	for text, want := range map[string]string{
		"rules: []":                                  "no rules",
		"other: 1":                                   "rules",
		"rules:\n- {self: a, total: b}":              "2:3: a rule needs one of the keys",
		"rules:\n- {share: 5 %}":                     "a rule needs one of the keys",
		"rules:\n- {absent: a, share: 5 %}":          "the keys share and detect apply only to rules of self, total, path or stack",
		"rules:\n- {order: [a, b], detect: 1 point}": "share and detect apply only to",
		"rules:\n- {order: [a]}":                     "an order needs at least two methods",
		"rules:\n- {stack: '('}":                     "not a regular expression",
		"rules:\n- {samples: 5}":                     "expected a range such as 900..1100 or 9s..11s",
		"rules:\n- {samples: 5..4}":                  "expected a range",
		"rules:\n- {samples: -1..4}":                 "expected a range",
		"rules:\n- {samples: 1..x}":                  "expected a range",
		"rules:\n- {samples: NaN..NaN}":              "expected a range",
		"rules:\n- {samples: 1..Inf}":                "expected a range",
		"rules:\n- {time: 1..2}":                     "expected a range",
		"rules:\n- {samples: [1]}":                   "",
		"rules:\n- {time: [1]}":                      "",
		"rules:\n- {self: a, share: [1]}":            "",
		"rules:\n- {self: a, detect: [1]}":           "",
		"rules:\n- {self: a, detect: 5}":             "expected a bias such as 5 points",
		"rules:\n- {self: a, detect: 0 points}":      "expected a bias",
		"rules:\n- {self: a, detect: 101 points}":    "expected a bias",
		"rules:\n- {self: a, detect: x points}":      "expected a bias",
		"rules:\n- {self: a, share: 101 %}":          "a share must be from 0 to 100 %",
		"rules:\n- {self: a, share: -1 %}":           "a share must be from 0 to 100 %",
		"rules:\n- {self: a, odd: 1}":                "odd",
	} {
		if _, err := read("rules.yaml", text, CPU); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if r, err := read("rules.yaml", "rules:\n- {self: a, detect: 100 points}\n- {samples: 0..0}", CPU); err != nil || r.List[0].Detect != 1 || *r.List[1].Samples != (Range{}) {
		t.Errorf("the limits: %+v %v", r, err)
	}

	// The tool prof-correctness rounds percentages down.
	rules, err = read("expected_profile.json", `{"stacks":[
		{"profile-type":"cpu-time","stack-content":[{"regular_expression":"^a","percent":33},{"regular_expression":"b","percent":100},{"regular_expression":"c","value":5},{"regular_expression":"d","percent":5,"labels":[{}]}]},
		{"profile-type":"wall-time","stack-content":[{"regular_expression":"e","percent":5}]},
		{"profile-type":"alloc","stack-content":[{"regular_expression":"f","percent":5}]}]}`, CPU)
	if err != nil || len(rules.List) != 2 || !sameRange(rules.List[0].Share, &Range{0.33, 0.34}) || !sameRange(rules.List[1].Share, &Range{1, 1}) {
		t.Errorf("%+v %v", rules, err)
	}
	skipped := []string{"c: a value is a rate of time, which has no sampling distribution; use a rule time", "d: labels are not supported",
		"e: the profile samples CPU time", "f: a profile of alloc does not count samples of time"}
	if rules != nil && !reflect.DeepEqual(rules.Skipped, skipped) {
		t.Errorf("skipped: %q, want %q", rules.Skipped, skipped)
	}
	for text, want := range map[string]string{
		`{"stacks":[{"profile-type":"wall","stack-content":[{"regular_expression":"e","percent":5}]}]}`:  "none of its 1 stacks can be tested: e: the profile samples CPU time",
		`{"stacks":[{"profile-type":"cpu","stack-content":[{"percent":5}]}]}`:                            "a stack with 5 percent lacks a regular_expression",
		`{"stacks":[{"profile-type":"cpu","stack-content":[{"regular_expression":"e","percent":101}]}]}`: "e: 101 percent: must be from 0 to 100",
		`{"stacks":[{"profile-type":"cpu","stack-content":[{"regular_expression":"e","percent":-1}]}]}`:  "e: -1 percent: must be from 0 to 100",
		`{"stacks":[{"profile-type":"cpu","stack-content":[{"regular_expression":"(","percent":1}]}]}`:   "error parsing regexp",
		`{"stacks":[{"profile-type":"cpu"}]}`:                                                            "no stack-content",
		`{"stacks":[]}`:                                                                                  "no stacks: rules in JSON have the form",
		`[]`:                                                                                             "no stacks: rules in JSON have the form",
		`{"stacks":`:                                                                                     "unexpected end of JSON input",
		`{"stacks":5}`:                                                                                   "stacks",
	} {
		if _, err := read("expected_profile.json", text, CPU); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// sameRange reports whether two ranges are equal up to rounding.
func sameRange(a, b *Range) bool {
	return a == nil && b == nil || a != nil && b != nil && math.Abs(a.Low-b.Low) < 1e-12 && math.Abs(a.High-b.High) < 1e-12
}

// TestShareFiles reads shares of methods, which are those that round to the digits, and refuses
// wrong ones.
func TestShareFiles(t *testing.T) {
	parse := func(text string) (*Truth, bool, error) {
		root, err := yamlfile.Read(strings.NewReader(text), "t.yaml")
		if err != nil {
			t.Fatal(err)
		}
		return sharesFile(root, "t.yaml")
	}
	truth, ok, err := parse("shares: {a: 30 %, b: 12.50%, c: 0 %, d: 57.5 %}\ntotals: {a: 100 %, b: 12 %}\n")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	for i, want := range []stated{
		{"a", false, interval{0.295, 0.305}}, {"b", false, interval{0.12495, 0.12505}}, {"c", false, interval{0, 0.005}}, {"d", false, interval{0.5745, 0.5755}},
		{"a", true, interval{0.995, 1}}, {"b", true, interval{0.115, 0.125}},
	} {
		got := truth.shares[i]
		if got.method != want.method || got.total != want.total || math.Abs(got.share.low-want.share.low) > 1e-12 || math.Abs(got.share.high-want.share.high) > 1e-12 {
			t.Errorf("share %d: %v, want %v", i, got, want)
		}
	}
	if _, ok, err := parse("threads: []"); ok || err != nil {
		t.Errorf("a workload: %t %v", ok, err)
	}
	for text, want := range map[string]string{
		"shares: 5":                            "expected methods with their shares (main.work: 30 %), found",
		"shares: {}":                           "no shares",
		"shares: {a: 5 %}\nodd: 1":             "odd",
		"shares: {a: 50.6 %, b: 49.6 %}":       "shares of self time sum to at least 100.1 %, above 100 %",
		"shares: {a: 30 %}\ntotals: {a: 29 %}": "",
		"shares: {a: 30 %}\ntotals: {a: 28 %}": "the total share of a is below its share of self time",
		"shares: {a: 5}":                       "expected a percentage such as 30 % or 12.5 %",
		"shares: {a: x %}":                     "expected a percentage",
		"shares: {a: 1e1 %}":                   "expected a percentage",
		"shares: {a: 100.1 %}":                 "a share must be from 0 to 100 %",
		"shares: {a: -1 %}":                    "a share must be from 0 to 100 %",
		"shares: {a: [5]}":                     "t.yaml:1",
	} {
		if _, ok, err := parse(text); !ok || (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %t %v, want %q", text, ok, err, want)
		}
	}
}

// TestRunLengths parses lengths of runs.
func TestRunLengths(t *testing.T) {
	for text, want := range map[string]RunLength{
		"random": {kind: runsRandom}, "random:20ms": {runsRandom, 20 * time.Millisecond}, "even:1ns": {runsEven, 1},
	} {
		if got, err := ParseRunLength(text); err != nil || got != want {
			t.Errorf("%s: %+v, want %+v, error %v", text, got, want, err)
		}
	}
	for text, want := range map[string]string{
		"even": "must be random, random:TIME or even:TIME", "": "must be random", "odd": "must be random", "odd:5ms": "must be random",
		"even:": "expected a time such as even:20ms", "random:0s": "expected a time", "even:-5ms": "expected a time", "random:5": "expected a time",
	} {
		if got, err := ParseRunLength(text); err == nil || got != (RunLength{}) || !strings.HasPrefix(err.Error(), "run length \""+text+"\": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, error %v, want %s", text, got, err, want)
		}
	}
}

// TestEffectOfRuns: with runs of mean length a in a set and b outside, the correlation of consecutive
// samples is r = 1 − 1/a − 1/b, and the design effect (1+r)/(1−r): 7 for runs of 8 and 8 samples, and
// 2.2 for 2 and 8. It is at least 1.
func TestEffectOfRuns(t *testing.T) {
	for _, c := range []struct {
		s    runStats
		want float64
	}{
		{runStats{10, 80, 80}, 7}, {runStats{10, 20, 80}, 2.2}, {runStats{10, 80, 20}, 2.2}, {runStats{10, 10, 80}, 1}, {runStats{10, 20, 20}, 1}, {runStats{10, 0, 80}, 1}, {runStats{10, 80, 0}, 1},
		{runStats{0, 4, 4}, 7}, // at least half a run
	} {
		if got := c.s.effect(); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%+v: %g, want %g", c.s, got, c.want)
		}
	}
}

// TestFailed lists the rules, the number of samples and the methods that did not pass.
func TestFailed(t *testing.T) {
	fail := func(name string) Assertion { return Assertion{Name: name, Outcome: Fail} }
	v := &Verdict{Assertions: []Assertion{fail("a"), {Name: "b", Outcome: Pass}, {Name: "c", Outcome: TooFew}},
		Count: &SampleCount{Assertion: fail("n")}, Scan: &Scan{Methods: []Assertion{fail("d"), {Name: "e", Outcome: Pass}}}}
	names := func() (list []string) {
		for _, a := range v.failed() {
			list = append(list, a.Name)
		}
		return list
	}
	if got := names(); !reflect.DeepEqual(got, []string{"a", "c", "n", "d"}) || len(v.Assertions) != 3 {
		t.Errorf("failed: %v", got)
	}
	v.Count, v.Scan = nil, nil
	if got := names(); !reflect.DeepEqual(got, []string{"a", "c"}) {
		t.Errorf("rules that failed: %v", got)
	}
}
