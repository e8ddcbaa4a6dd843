package job

import (
	"cmp"
	"context"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"artifice/check"
)

func init() {
	register.DoFn3x1[context.Context, []byte, func(string, []byte), error](&checkFn{})
}

// Checked is what package check found in one file.
type Checked struct {
	Verdict
	Format     string // variant; empty when it is not known
	Valid      bool   // without an error
	Conclusion string
	Rows       [][]string // a row for each finding, with check.Columns
	Counts     map[string]int64
}

// Check adds the check of every file to a pipeline.
func Check(w Worker) Work { return eachFile(&checkFn{w}) }

// CheckResults returns what Check found, in the order of the list.
func CheckResults(ctx context.Context, folder string) ([]Checked, error) {
	list, err := unpack[Checked](ctx, folder, "checked")
	slices.SortFunc(list, func(a, b Checked) int { return cmp.Compare(a.File.Index, b.File.Index) })
	return list, err
}

// checkFn checks one file.
type checkFn struct{ Worker }

// ProcessElement checks the file of an element.
func (f *checkFn) ProcessElement(ctx context.Context, element []byte, emit func(string, []byte)) error {
	file, err := fileOf(element)
	if err != nil {
		return err
	}
	var c Checked
	c.Verdict = f.read(ctx, file, func(s *source) error {
		r, err := check.File(s.name, check.Config{Name: file.Path, Limits: s.limits, Stop: s.stop})
		if err != nil {
			return err
		}
		s.verdict.Events = r.Events
		c.Format, c.Valid, c.Conclusion, c.Rows, c.Counts = r.Format, r.Errors() == 0, r.Conclusion(), r.Rows(), r.Counts
		return nil
	})
	emit("checked", pack(c))
	return nil
}
