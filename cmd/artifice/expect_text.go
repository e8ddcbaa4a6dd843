package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"

	"artifice/bench/expect"
	"artifice/cmd/internal/command"
	"artifice/internal/cli"
	"artifice/internal/words"
)

// writeVerdict prints a verdict: the answer, its reasons, and its certainty.
func writeVerdict(w io.Writer, truth, profile string, v *expect.Verdict) error {
	for _, line := range verdictLines(truth, profile, v) {
		if _, err := fmt.Fprintln(w, cli.WrapTerminal(w, cli.Quote(line))); err != nil {
			return err
		}
	}
	if l := assertionTable(v); len(l.Rows) > 0 {
		if err := l.WriteText(w); err != nil {
			return err
		}
	}
	for _, line := range verdictNotes(v) {
		if _, err := fmt.Fprintln(w, cli.WrapTerminal(w, cli.Quote(line))); err != nil {
			return err
		}
	}
	return nil
}

// verdictLines returns the lines before the table.
func verdictLines(truth, profile string, v *expect.Verdict) (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if len(v.Aliased) > 0 {
		a := v.Aliased[0]
		add("Aliased with the sampling interval of %s: %s of methods. The variance of %s is up to %.0f times that of independent samples. Aliasing widens the accepted ranges.",
			words.Duration(a.Period), words.Count(len(v.Aliased), "share"), a.Of, a.Effect)
	}
	samples := fmt.Sprintf("%s of %s", words.Count(int64(math.Round(v.Samples)), "sample"), v.Clock)
	if v.Ticks > 0 {
		samples += fmt.Sprintf(" at %s", words.Count(int64(math.Round(v.Ticks)), "instant"))
	}
	switch v.Outcome {
	case expect.Pass:
		but := ""
		if v.Diagnosis != nil && v.Diagnosis.Significant {
			but = ", but a fault of the sampler explains them better (see the last lines)"
		}
		add("%s: pass. %s agree with %s%s.", profile, samples, truth, but)
	case expect.TooFew:
		add("%s: too few samples. %s agree with %s, but do not detect the required bias.", profile, samples, truth)
	default:
		add("%s: fail. %s contradict %s: %s.", profile, samples, truth, strings.Join(failures(v), ", "))
	}
	return lines
}

// failures lists what failed.
func failures(v *expect.Verdict) (list []string) {
	failed := 0
	for _, a := range v.Assertions {
		if a.Outcome == expect.Fail {
			failed++
		}
	}
	if failed > 0 {
		list = append(list, fmt.Sprintf("%d of %s", failed, words.Count(len(v.Assertions), "rule")))
	}
	if v.Count != nil && v.Count.Outcome == expect.Fail {
		list = append(list, "the number of samples")
	}
	if s := v.Scan; s != nil && s.Outcome == expect.Fail {
		failed = 0
		for _, a := range s.Methods {
			if a.Outcome == expect.Fail {
				failed++
			}
		}
		if failed > 0 {
			list = append(list, fmt.Sprintf("%d of %s of methods", failed, words.Count(s.Tests, "share")))
		} else {
			list = append(list, "the shares of all methods together")
		}
	}
	if v.Impossible.Stacks > 0 {
		list = append(list, words.Count(v.Impossible.Stacks, "impossible stack"))
	}
	return list
}

// maxMethods is the number of methods of the scan in the table.
const maxMethods = 10

// assertionTable returns the table of tested shares: rules, and methods that failed.
func assertionTable(v *expect.Verdict) *cli.Table {
	l := &cli.Table{
		Columns: []string{"expected", "observed", "accepted", "smallest bias", "result", "quantity"},
		Right:   []bool{true, true, true, true, false, false},
	}
	add := func(a *expect.Assertion) {
		bias := "-"
		if a.Bias.Known() {
			bias = fmt.Sprintf("%.2f points", 100*float64(a.Bias))
		}
		result := string(a.Outcome)
		if a.Needed > 0 {
			result += fmt.Sprintf(" (%s for %.3g points)", words.Integer(int64(a.Needed)), 100*a.Detect)
		}
		l.Add(acceptedText(a.Expected, a.Unit), assertedText(a.Observed, a.Unit), acceptedText(a.Accepted, a.Unit), bias, result, a.Name)
	}
	for i := range v.Assertions {
		add(&v.Assertions[i])
	}
	if v.Count != nil {
		add(&v.Count.Assertion)
	}
	if v.Scan != nil {
		for i := range v.Scan.Methods[:min(maxMethods, len(v.Scan.Methods))] {
			add(&v.Scan.Methods[i])
		}
	}
	return l
}

// assertedText formats a value of an assertion.
func assertedText(x float64, unit string) string {
	switch unit {
	case "share", "order":
		return fmt.Sprintf("%.2f %%", 100*x)
	case "s":
		return fmt.Sprintf("%.3g s", x)
	}
	return words.Integer(int64(math.Round(x)))
}

// acceptedText formats a range of values.
func acceptedText(r expect.Range, unit string) string {
	low, high := assertedText(r.Low, unit), assertedText(r.High, unit)
	if low == high {
		return low
	}
	return strings.TrimSuffix(low, " %") + "–" + high
}

// verdictNotes returns the lines below the table.
func verdictNotes(v *expect.Verdict) (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if s := v.Scan; s != nil {
		more := ""
		if failed := len(s.Methods); failed > maxMethods {
			more = fmt.Sprintf("%s not shown (--json). ", words.Count(failed-maxMethods, "more failed share"))
		}
		what := fmt.Sprintf("%s%s of methods tested", more, words.Count(s.Tests, "share"))
		if s.Bias.Known() {
			what += fmt.Sprintf("; a bias of %.2f points in one of them is detected with 95 %% probability", 100*float64(s.Bias))
		} else {
			what += "; too few independent samples to detect a bias in each of them"
		}
		if s.Why != "" {
			what += "; the self times of all methods are not tested together, because " + s.Why
		}
		add("%s. False alarms: at most %s.", what, oneIn(v.Rate))
		if s.Outcome == expect.Fail && s.G != nil {
			add("All self times together: G %.1f (p ≤ %.2g), total variation distance %.2f %% (p ≤ %.2g).", s.G.Value, s.G.P, 100*s.TVD.Value, s.TVD.P)
		}
	} else {
		add("False alarms: at most %s.", oneIn(v.Rate))
	}
	if p := v.Perfect; p != nil {
		add("%.1f %% of %s correctly attributed%s", 100*float64(v.Overlap), v.Clock, excessWords(float64(v.Overlap), p))
		lines = append(lines, perfectWords(p))
	}
	if v.Impossible.Stacks > 0 {
		add("Impossible: %s (%.1f %% of samples); the truth never has %s.", words.Count(v.Impossible.Stacks, "stack"), 100*v.Impossible.Share, v.Impossible.First)
	}
	if c := v.Count; c != nil && c.Outcome == expect.Fail {
		word, off := "missing", 1-c.Observed/c.Expected.High
		if off < 0 {
			word, off = "too many", c.Observed/c.Expected.High-1
		}
		add("Samples: %.1f %% are %s: %s of CPU time every %s.", 100*off, word, words.Duration(c.Time), words.Duration(c.Interval))
	}
	if d := v.Depth; d != nil {
		add("Stacks are truncated: no sample has more than %s, but %.1f %% of the true time is deeper.", words.Count(d.Frames, "frame"), 100*d.Deeper)
	}
	if v.Outside > 0.0005 {
		add("%.1f %% of samples have no method of the truth and are not tested.", 100*v.Outside)
	}
	for _, s := range v.Skipped {
		add("Not tested: %s.", s)
	}
	return append(lines, diagnosisLines(v)...)
}

// diagnosisLines returns lines with the fault that explains a profile best, and with the faults
// that are undetectable in it.
func diagnosisLines(v *expect.Verdict) (lines []string) {
	d := v.Diagnosis
	switch {
	case d == nil:
		return nil
	case d.Significant:
		var list []string
		for _, x := range d.Faults {
			list = append(list, explanationWords(&x))
		}
		not := ""
		if len(list) > 1 {
			not = " (likelihoods within a factor of 20)"
		}
		lines = append(lines, fmt.Sprintf("Best explanation: %s%s; %s times likelier than no fault.", strings.Join(list, ", or "), not, factorWords(d.LogE)))
	case v.Outcome == expect.Fail:
		lines = append(lines, "None of the known faults explains the profile.")
	}
	return append(lines, observableWords(d)...)
}

// observableWords lists the faults that are undetectable in a profile, or, if these are most of
// them, the detectable ones.
func observableWords(d *expect.Diagnosis) []string {
	const with = "detectable with this truth and number of samples"
	switch {
	case len(d.Unobserved) == 0:
		return nil
	case len(d.Observable) == 0:
		return []string{"No known fault is " + with + "."}
	case len(d.Observable) < len(d.Unobserved):
		return []string{"The only faults " + with + ": " + strings.Join(d.Observable, ", ") + "."}
	}
	return []string{"Faults not " + with + ": " + strings.Join(d.Unobserved, ", ") + "."}
}

// explanationWords describes a fault.
func explanationWords(x *expect.Explanation) string {
	var details []string
	if x.Of != "" {
		details = append(details, x.Of)
	}
	if x.Size > 0 && x.Size < 1 {
		details = append(details, fmt.Sprintf("about %.2g %% of %s", 100*x.Size, x.Part))
	}
	if len(details) == 0 {
		return x.Fault
	}
	return fmt.Sprintf("%s (%s)", x.Fault, strings.Join(details, "; "))
}

// factorWords formats a large factor given its decimal logarithm.
func factorWords(log float64) string {
	if log < 6 {
		return words.Integer(int64(math.Pow(10, log)))
	}
	return "10^" + words.Integer(int64(log))
}

// oneIn formats a probability: "1 in 1,000,000".
func oneIn(rate float64) string {
	return "1 in " + words.Integer(int64(math.Round(1/rate)))
}

// JUnit's XML, as CI systems read it.
type (
	junitSuite struct {
		XMLName  xml.Name    `xml:"testsuite"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Failure *junitFailure `xml:"failure,omitempty"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
	}
)

// writeJUnit writes a verdict as JUnit XML: a case for each rule, the scan, the number of samples
// and impossible stacks.
func writeJUnit(std command.Stdio, name, profile string, v *expect.Verdict) error {
	suite := junitSuite{Name: "artifice expect"}
	add := func(what string, outcome expect.Outcome, message string) {
		c := junitCase{Class: profile, Name: what}
		if outcome != expect.Pass {
			c.Failure = &junitFailure{message, string(outcome)}
			suite.Failures++
		}
		suite.Tests++
		suite.Cases = append(suite.Cases, c)
	}
	assertion := func(a *expect.Assertion) {
		add(a.Name, a.Outcome, fmt.Sprintf("observed %s, accepted %s", assertedText(a.Observed, a.Unit), acceptedText(a.Accepted, a.Unit)))
	}
	for i := range v.Assertions {
		assertion(&v.Assertions[i])
	}
	if v.Count != nil {
		assertion(&v.Count.Assertion)
	}
	if s := v.Scan; s != nil {
		message := "the shares of all methods together"
		if len(s.Methods) > 0 && s.Methods[0].Outcome == expect.Fail {
			a := &s.Methods[0]
			message = fmt.Sprintf("%s: observed %s, accepted %s", a.Name, assertedText(a.Observed, a.Unit), acceptedText(a.Accepted, a.Unit))
		}
		add("all methods", s.Outcome, message)
	}
	possible := expect.Pass
	if v.Impossible.Stacks > 0 {
		possible = expect.Fail
	}
	add("impossible stacks", possible, v.Impossible.First)
	file, err := command.Create(std, name)
	if err != nil {
		return err
	}
	defer file.Abort()
	text, err := xml.MarshalIndent(suite, "", "  ")
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(file, "%s%s\n", xml.Header, text); err != nil {
		return err
	}
	return file.Commit()
}
