package command

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"artifice/internal/words"
	"artifice/trace"
)

// Micros returns a flag that sets d to an interval given in whole microseconds, like that of
// Android's "am profile start --sampling".
func Micros(d *time.Duration) pflag.Value { return microsValue{d} }

type microsValue struct{ d *time.Duration }

// String implements pflag.Value.
func (m microsValue) String() string {
	if m.d == nil {
		return ""
	}
	return strconv.FormatInt(m.d.Microseconds(), 10)
}

// Set implements pflag.Value.
func (m microsValue) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > math.MaxInt64/1000 {
		return fmt.Errorf("%s is not an interval in microseconds; write 1000 for 1ms", words.Quote(text))
	}
	*m.d = time.Duration(n) * time.Microsecond
	return nil
}

// Type implements pflag.Value.
func (m microsValue) Type() string { return "us" }

// Intervals is a flag with sampling intervals: 1ms,2ms or 0.1ms..20ms.
type Intervals []time.Duration

// maxIntervals is the maximum length of a list.
const maxIntervals = 1000

// String implements pflag.Value.
func (v *Intervals) String() string {
	if len(*v) == 0 {
		return "100us..20ms"
	}
	var list []string
	for _, d := range *v {
		list = append(list, words.Setting(d))
	}
	return strings.Join(list, ",")
}

// Set implements pflag.Value.
func (v *Intervals) Set(text string) error {
	*v = nil
	for _, word := range strings.Split(text, ",") {
		from, to, isRange := strings.Cut(word, "..")
		low, err := parseInterval(from)
		if err != nil {
			return err
		}
		if !isRange {
			*v = append(*v, low)
			continue
		}
		high, err := parseInterval(to)
		if err != nil {
			return err
		}
		if high < low {
			return fmt.Errorf("the range %q ends before it begins", word)
		}
		*v = append(*v, steps(low, high)...)
	}
	if len(*v) > maxIntervals {
		return fmt.Errorf("%d intervals: at most %d are allowed", len(*v), maxIntervals)
	}
	return nil
}

// Type implements pflag.Value.
func (v *Intervals) Type() string { return "durations" }

func parseInterval(text string) (time.Duration, error) {
	d, err := time.ParseDuration(strings.TrimSpace(text))
	if err != nil || d < time.Microsecond || d > MaxDuration {
		return 0, fmt.Errorf("%s is not an interval; write 500us, 1ms, or 0.1ms..20ms", words.Quote(text))
	}
	return d, nil
}

// steps returns low, high, and the values 1, 2, 5, 10, 20, … ns between them.
func steps(low, high time.Duration) []time.Duration {
	list := []time.Duration{low}
	for decade := time.Duration(1); decade <= high && decade < math.MaxInt64/10; decade *= 10 {
		for _, n := range []time.Duration{1, 2, 5} {
			if d := n * decade; low < d && d < high {
				list = append(list, d)
			}
		}
	}
	if high > low {
		list = append(list, high)
	}
	return list
}

// Percent is a flag with a share in percent, 5%.
type Percent float64

// String implements pflag.Value.
func (p *Percent) String() string {
	if *p == 0 {
		return ""
	}
	return strconv.FormatFloat(100*float64(*p), 'g', 6, 64) + "%"
}

// Set implements pflag.Value.
func (p *Percent) Set(text string) error {
	share, err := words.ParsePercent(text)
	if err == nil && share <= 0 {
		err = fmt.Errorf("%s is not above 0%%", words.Quote(text))
	}
	*p = Percent(share)
	return err
}

// Type implements pflag.Value.
func (p *Percent) Type() string { return "percent" }

// Help of flags that several commands have.
const (
	InlinedUsage   = "emulate inlining of methods that match `REGEXP`: simpleperf, Perfetto and V8 show the callers of inlined methods instead"
	UntilUsage     = "`WHEN` to end a call that has not returned when tracing stops: end (when its thread ends), last (at its thread's last event) or stop (when tracing stops)"
	SliceEndUsage  = "`WHEN` a call in samples or stack dumps ends: next (at the first sample without the call, as in ART), last (at the last sample with the call), mid (midway between the two) or capped (as next, but at most 1 ms after the last sample with the call)"
	NamesUsage     = "`STYLE` of method names: short (View.draw), full (with package), or descriptor (also with signature, as in ART's files); CSV and JSON: full by default"
	TopUsage       = "print `N` rows, or all with 0; CSV and JSON have all rows by default"
	SubtractUsage  = "subtract the tracing overhead; `VALUE` is own (as artifice calibrate estimates it), header (only the clock cost that the file states) or none"
	IntervalsUsage = "sampling `INTERVALS`: a list, or a range FROM..TO, which contains 1, 2 and 5 times each power of ten"
	DurationUsage  = "run the workload for this time; default: the duration that the workload states"
	OffsetUsage    = "`TIME` in the recording OBSERVED at which the ground truth begins; can be negative"
	AlignUsage     = "compute the offset between truth and recording from the times at which their calls begin"
)

// InlinedFlag is a regular expression of the names of methods.
type InlinedFlag struct {
	expression *regexp.Regexp // nil: no flag
}

// given reports whether there is an expression.
func (f *InlinedFlag) given() bool { return f.expression != nil }

// matches reports whether the name of a method matches.
func (f *InlinedFlag) matches(m *trace.Method) bool { return f.expression.MatchString(m.FullName()) }

// String implements pflag.Value.
func (f *InlinedFlag) String() string {
	if f.expression == nil {
		return ""
	}
	return f.expression.String()
}

// Set implements pflag.Value.
func (f *InlinedFlag) Set(text string) (err error) {
	f.expression, err = regexp.Compile(text)
	return err
}

// Type implements pflag.Value.
func (f *InlinedFlag) Type() string { return "regexp" }
