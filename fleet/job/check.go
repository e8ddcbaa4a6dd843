package job

import (
	"cmp"
	"context"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"artifice/fleet/manifest"
	"artifice/format/check"
)

func init() {
	beam.RegisterType(reflect.TypeFor[checkFn]())
}

// Checked is the result of package check for one file.
type Checked struct {
	Index      int // in the list
	Path       string
	Format     string // variant; empty when it is not known
	Valid      bool   // no errors
	Conclusion string
	Rows       [][]string // a row for each finding, with check.Columns
	Counts     map[string]int64
}

// Check adds the check of every file to a pipeline.
func Check(w Worker) Work {
	return func(s beam.Scope, streams []beam.PCollection) []beam.PCollection {
		var read, checked []beam.PCollection
		for _, files := range streams {
			some, out := beam.ParDo2(s, &checkFn{Worker: w}, files)
			read, checked = append(read, some), append(checked, out)
		}
		return append(checked, outcomes(s, read))
	}
}

// CheckResults returns the results of Check in the order of the list.
func CheckResults(ctx context.Context, folder string) ([]Checked, error) {
	batches, err := unpack[[]Checked](ctx, folder, "checked")
	list := slices.Concat(batches...)
	slices.SortFunc(list, func(a, b Checked) int { return cmp.Compare(a.Index, b.Index) })
	return list, err
}

// checkFn checks the files of a bundle.
type checkFn struct {
	Worker

	outcome Outcome
	checked []Checked
}

// batch is the number of files in one record.
const batch = 1000

// StartBundle begins without files.
func (f *checkFn) StartBundle(func(*Outcome), func(string, []byte)) {
	f.outcome, f.checked = Outcome{}, nil
}

// ProcessElement checks the file of an element.
func (f *checkFn) ProcessElement(ctx context.Context, element []byte, _ func(*Outcome), emit func(string, []byte)) error {
	use := func(s *source) (c Checked, err error) {
		r, err := check.File(s.name, check.Config{Name: s.file.Path, Limits: s.limits, Stop: s.stop})
		if err != nil {
			return c, err
		}
		s.events = r.Events
		return Checked{s.file.Index, s.file.Path, r.Format, r.Errors() == 0, r.Conclusion(), r.Rows(), r.Counts}, nil
	}
	return read(ctx, f.Worker, &f.outcome, element, use, func(_ manifest.File, c Checked) {
		if f.checked = append(f.checked, c); len(f.checked) == batch {
			emit("checked", pack(f.checked))
			f.checked = nil
		}
	})
}

// FinishBundle emits the results and the outcome of the files.
func (f *checkFn) FinishBundle(outcome func(*Outcome), emit func(string, []byte)) {
	f.outcome.handOn(outcome)
	if len(f.checked) > 0 {
		emit("checked", pack(f.checked))
	}
	f.checked = nil
}
