package expect

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"
)

// DefaultRate is the default false-alarm rate of a check, that is, the share of profiles of a
// perfect sampler that fail.
const DefaultRate = 1e-6

// Options configure a check. The zero value tests all methods at [DefaultRate].
type Options struct {
	Rate  float64 // false-alarm rate of the whole check, 0 < rate < 1; 0: DefaultRate
	Rules *Rules  // assertions; nil: only the scan of all methods
	// of the sampler; 0: the periodic sampler for the profile's clock, and Poisson
	Schedules Schedules
	RunLength RunLength // for a truth without a timeline
	Quick     bool      // omit the diagnosis
}

// Outcome is the result of a check or of one assertion.
type Outcome string

const (
	Pass   Outcome = "pass"
	Fail   Outcome = "fail"
	TooFew Outcome = "too few samples" // to detect the bias required by a rule
)

// Verdict is the result of a check.
type Verdict struct {
	Outcome Outcome `json:"outcome"`
	Rate    float64 `json:"false_alarm_rate"`
	Clock   string  `json:"clock"`
	// number in methods of the truth, as samples of equal weight
	Samples float64 `json:"samples"`
	// number of independent instants, if threads are sampled together; else 0
	Ticks   float64 `json:"ticks"`
	Outside float64 `json:"share_outside"` // share of samples without a method of the truth
	// the truth has a timeline, so aliasing can be determined
	Timeline bool `json:"truth_timeline"`

	Aliased    []Alias      `json:"aliased"`
	Assertions []Assertion  `json:"assertions"`
	Scan       *Scan        `json:"scan"` // nil: the truth states too few shares
	Count      *SampleCount `json:"sample_count,omitempty"`
	Impossible Impossible   `json:"impossible"`
	Depth      *DepthLimit  `json:"depth_limit,omitempty"`
	// share correctly attributed; NaN if the truth does not state all shares
	Overlap Value `json:"overlap"`
	// share attributed correctly by a perfect sampler
	Perfect *Perfect `json:"perfect,omitempty"`
	Skipped []string `json:"skipped_rules"`
	// nil: the truth has no timeline, or no diagnosis is requested
	Diagnosis *Diagnosis `json:"diagnosis,omitempty"`
}

// Value is a number that may be unknown: NaN, or null in JSON.
type Value float64

var unknown = Value(math.NaN())

// Known reports whether v is a number.
func (v Value) Known() bool { return !math.IsNaN(float64(v)) }

// MarshalJSON implements [json.Marshaler].
func (v Value) MarshalJSON() ([]byte, error) {
	if !v.Known() {
		return []byte("null"), nil
	}
	return json.Marshal(float64(v))
}

// Assertion is a tested rule, or a method of the scan. Shares are from 0 to 1.
type Assertion struct {
	Name     string  `json:"name"`
	Outcome  Outcome `json:"outcome"`
	Expected Range   `json:"expected"`
	Observed float64 `json:"observed"`
	Accepted Range   `json:"accepted"` // observed values for which the assertion passes
	// p-value before the correction for several assertions; NaN if there is none
	P Value `json:"p"`
	// smallest bias that fails with 95 % probability; NaN if none does, or if the value is not a
	// share
	Bias Value `json:"bias"`
	// smallest bias that the rule requires to be detected; 0: no requirement
	Detect float64 `json:"detect"`
	// number of samples that detect it; 0: those of the profile suffice, or unknown
	Needed float64 `json:"needed"`
	Unit   string  `json:"unit"` // "share", "samples", "s" or "order"
}

// SampleCount compares the number of samples with the CPU time divided by the stated interval.
type SampleCount struct {
	Assertion
	Interval time.Duration `json:"interval_ns"`
	Time     time.Duration `json:"cpu_ns"`
}

// Impossible counts stacks with a pair of caller and method that the truth does not have.
type Impossible struct {
	Stacks int     `json:"stacks"`
	Share  float64 `json:"share"` // of samples
	First  string  `json:"first"` // the most frequent pair: "a → b"
}

// DepthLimit is a number of frames that no stack of the profile exceeds, although stacks of the
// truth do.
type DepthLimit struct {
	Frames int     `json:"frames"`
	Deeper float64 `json:"deeper"` // share of the truth's time in deeper stacks
}

// Errors of a check.
var (
	ErrNothingInCommon = errors.New("the truth and the profile have no method name in common")
	ErrNoRate          = errors.New("the rate of false alarms is unknown, because the truth has no timeline and the profile no order of samples: state how long methods run with --run-length random or even:20ms, or use a log as truth")
)

// Check tests a profile against its truth. Of the profiles of an unbiased sampler with the stated
// schedules, at most a share Rate fails. Half of Rate is used for the rules, half for the scan of
// all methods.
func Check(truth *Truth, profile *Profile, o Options) (Verdict, error) {
	if o.Rate == 0 {
		o.Rate = DefaultRate
	}
	if !(o.Rate > 0 && o.Rate < 1) {
		return Verdict{}, fmt.Errorf("a rate of false alarms of %g: must be above 0 and below 1", o.Rate)
	}
	c, err := newChecker(truth, profile, o)
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{
		Rate: o.Rate, Clock: c.profile.Clock.String(), Samples: c.samples, Ticks: c.profile.Ticks, Outside: 1 - c.inside, Timeline: truth.lines != nil,
		Overlap: unknown, Outcome: Pass,
	}
	forRules, forScan := c.split(o)
	if o.Rules != nil {
		v.Skipped = o.Rules.Skipped
		for i := range o.Rules.List {
			a, err := c.assert(&o.Rules.List[i], forRules)
			if err != nil {
				return Verdict{}, err
			}
			v.Assertions = append(v.Assertions, a)
		}
	}
	if c.counted {
		v.Count = c.sampleCount(forRules)
	}
	if forScan > 0 {
		v.Scan = c.scan(forScan)
		v.Overlap, v.Perfect = c.perfect()
	}
	v.Impossible, v.Depth = c.impossible(), c.depthLimit()
	v.Aliased = c.aliases
	if !o.Quick {
		v.Diagnosis = c.diagnose()
	}
	v.decide()
	return v, nil
}

// split returns the rate of one assertion and the rate of the scan, which is 0 if there is no scan.
func (c *checker) split(o Options) (one, scan float64) {
	assertions := 0
	if o.Rules != nil {
		assertions = len(o.Rules.List)
	}
	if c.counted {
		assertions++
	}
	switch {
	case len(c.methods) == 0:
		return o.Rate / float64(max(1, assertions)), 0
	case assertions == 0:
		return 0, o.Rate
	}
	return o.Rate / 2 / float64(assertions), o.Rate / 2
}

// decide determines the outcome.
func (v *Verdict) decide() {
	few := false
	for _, a := range v.Assertions {
		if a.Outcome == Fail {
			v.Outcome = Fail
		}
		few = few || a.Outcome == TooFew
	}
	switch {
	case v.Impossible.Stacks > 0, v.Scan != nil && v.Scan.Outcome == Fail, v.Count != nil && v.Count.Outcome == Fail:
		v.Outcome = Fail
	case v.Outcome == Pass && few:
		v.Outcome = TooFew
	}
}
