package outputs

import (
	"math"
	"slices"
	"testing"
	"time"

	"artifice/research/internal/peers/seen"
)

// Format is a written format.
type Format struct {
	Name, Ending string
	Args         []string // of convert
	Not          []string // names of inputs that cannot be written in it
	Readers      []Reader
}

// Reader is a third-party program that reads a format.
type Reader struct {
	Name  string
	Shows []string // the aspects that it reports of such a file
	Note  string   // inherent differences that are no faults of the file

	// Tries reports whether an input is tried at all; nil: all are.
	Tries func(Input) bool

	// Refuses returns why the reader does not open the file of an input; "" if it opens it.
	Refuses func(Input) string

	// Compare loads a file and returns the aspects in which it differs from the input, with the
	// first difference of each.
	Compare func(in Input, file string) (map[string]string, error)
}

// Result is the outcome of a reader for the files of all inputs.
type Result struct {
	Format, Reader string
	Shows          []string
	Note           string
	Files          int      // read by it
	Refused        []string // expected rejections, by Refuses
	Failures       []Failure
}

// Failure is a difference in an aspect; an empty aspect is another error.
type Failure struct{ Input, Aspect, Text string }

// Run writes all formats of all inputs and reads them with all readers.
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

// look reads a file with a reader.
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

// drawn counts an input as drawn by viewers: by wall time if it has that.
func drawn(in Input) (seen.Calls, seen.Stacks) { return in.Trace.Count(in.Trace.Time) }

// apart counts an input as in Chrome's JSON, where no two stamps of a thread are equal: each is at
// least 1 ns after the one before.
func apart(in Input) seen.Calls {
	calls, _ := in.Trace.Apart().Count(in.Trace.Time)
	return calls
}

// rounding is the maximum error of a call's times in a reader with float64 milliseconds or
// microseconds since the start: two times 2^-53 of the latest, plus the conversion to nanoseconds.
const rounding = 2 * time.Nanosecond

// secondsRounding returns the same for stamps that are read as a float64 of seconds on the device's
// clock, and truncated to nanoseconds.
func secondsRounding(in Input) time.Duration {
	latest := in.Trace.Start.Seconds() + time.Hour.Seconds()
	step := math.Nextafter(latest, math.Inf(1)) - latest
	return rounding + time.Duration(2*step*1e9)
}
