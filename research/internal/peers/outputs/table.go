package outputs

import (
	"math"
	"slices"
	"testing"
	"time"

	"artifice/research/internal/peers/seen"
)

// Format is a format that is written.
type Format struct {
	Name, Ending string
	Args         []string // of convert
	Not          []string // names of inputs that cannot be written so
	Readers      []Reader
}

// Reader is a program of others that reads a format.
type Reader struct {
	Name  string
	Shows []string // the aspects that it has of such a file
	Note  string   // how it differs by what it is, not by a fault of the file

	// Tries says whether it is tried with an input at all; nil is with each.
	Tries func(Input) bool

	// Refuses says that it does not open the file of an input, and why.
	Refuses func(Input) string

	// Compare loads a file and returns in which aspects it differs from the input, with the
	// first difference of each.
	Compare func(in Input, file string) (map[string]string, error)
}

// Result is what a reader made of the files of all inputs.
type Result struct {
	Format, Reader string
	Shows          []string
	Note           string
	Files          int      // that it read
	Refused        []string // that it does not read, as Refuses says
	Failures       []Failure
}

// Failure is a difference in an aspect; that of "" is another error.
type Failure struct{ Input, Aspect, Text string }

// Run writes all formats of all inputs and lets all readers look at them.
func Run(t testing.TB, p *Program, formats []Format, inputs []Input) []Result {
	t.Helper()
	dir := t.TempDir()
	var results []Result
	for _, f := range formats {
		inputs := slices.DeleteFunc(slices.Clone(inputs), func(in Input) bool { return slices.Contains(f.Not, in.Name) })
		files := make(map[string]string)
		for _, in := range inputs {
			files[in.Name] = p.Convert(t, dir, in, f)
		}
		for _, r := range f.Readers {
			result := Result{Format: f.Name, Reader: r.Name, Shows: r.Shows, Note: r.Note}
			for _, in := range inputs {
				if r.Tries != nil && !r.Tries(in) {
					continue
				}
				result.look(r, in, files[in.Name])
			}
			results = append(results, result)
		}
	}
	return results
}

// look lets a reader look at a file.
func (r *Result) look(reader Reader, in Input, file string) {
	differ, err := reader.Compare(in, file)
	refuses := ""
	if reader.Refuses != nil {
		refuses = reader.Refuses(in)
	}
	switch {
	case err != nil && refuses != "":
		r.Refused = append(r.Refused, in.Name)
		return
	case err != nil:
		r.Failures = append(r.Failures, Failure{in.Name, "", err.Error()})
		return
	case refuses != "":
		r.Failures = append(r.Failures, Failure{in.Name, "", "it is read, but should be refused: " + refuses})
	}
	r.Files++
	for aspect, text := range differ {
		r.Failures = append(r.Failures, Failure{in.Name, aspect, text})
	}
}

// drawn counts an input as viewers draw it: by wall time where it has that.
func drawn(in Input) (seen.Calls, seen.Stacks) { return in.Trace.Count(in.Trace.Time) }

// apart counts an input as Chrome's JSON has it, where no two stamps of a thread are
// equal: each is at least a nanosecond later than the one before.
func apart(in Input) seen.Calls {
	calls, _ := in.Trace.Apart().Count(in.Trace.Time)
	return calls
}

// rounding is what the times of a call may be off where a reader has them as float64 of
// milliseconds or microseconds since the start: two times 2^-53 of the latest, and what
// making nanoseconds of it adds.
const rounding = 2 * time.Nanosecond

// secondsRounding does the same for stamps that are read as a float64 of seconds on the
// device's clock, and cut to nanoseconds.
func secondsRounding(in Input) time.Duration {
	latest := in.Trace.Start.Seconds() + time.Hour.Seconds()
	step := math.Nextafter(latest, math.Inf(1)) - latest
	return rounding + time.Duration(2*step*1e9)
}
