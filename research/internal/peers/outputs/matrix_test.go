package outputs_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"artifice/internal/testdata"
	"artifice/research/internal/peers/outputs"
)

// TestMatrix: report prints the input's totals for a converted file, minus the losses in
// [outputs.Reasons]; research/readers/README.md contains the same matrix.
func TestMatrix(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	p := outputs.Build(t)
	data := filepath.Dir(testdata.Path(t, "traces"))
	all := outputs.MatrixFormats()
	formats := testdata.Some(t, all, 3)
	documented := documentedMatrix(t)
	needed := make(map[string]bool)
	var rows [][]outputs.Cell
	for _, k := range testdata.Some(t, outputs.Kinds, 1) {
		row := outputs.TripsOf(t, p, k, k.Path(data), formats)
		rows = append(rows, row)
		for _, c := range row {
			if c.Fault != "" {
				t.Errorf("%s as %s: %s", c.Kind, c.Format, c.Fault)
			}
			if c.Score != "" {
				t.Errorf("%s as %s: %s", c.Kind, c.Format, c.Score)
			}
			for _, r := range c.Needs {
				needed[c.Format+" "+outputs.Letter(r)] = true
			}
			if i := slices.Index(all, c.Format); i >= 0 && documented.cell(c.Kind, i) != c.String() {
				t.Errorf("%s as %s is %q, but research/readers/README.md has %q", c.Kind, c.Format, c, documented.cell(c.Kind, i))
			}
		}
	}
	if !testdata.Exhaustive() {
		return
	}
	if want := outputs.MatrixTable(all, rows); string(documented) != want {
		t.Errorf("research/readers/README.md differs from the output of go run ./readers -matrix:\n%s", want)
	}
	for i, r := range outputs.Reasons {
		for _, f := range r.Formats {
			if !needed[f+" "+outputs.Letter(i)] {
				t.Errorf("%s: the listed loss %q changes no total of any input", f, r.Text)
			}
		}
	}
}

// matrixText is the matrix in research/readers/README.md.
type matrixText string

func documentedMatrix(t *testing.T) matrixText {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(testdata.Root(), "research", "readers", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, behind, found := strings.Cut(string(page), "<!-- matrix -->\n")
	matrix, _, ended := strings.Cut(behind, "<!-- end of the matrix -->")
	if !found || !ended {
		t.Fatal("research/readers/README.md has no matrix between its marks")
	}
	return matrixText(matrix)
}

// cell returns the entry for a kind and a format's number.
func (m matrixText) cell(kind string, format int) string {
	for line := range strings.Lines(string(m)) {
		if cells := strings.Split(strings.TrimSpace(line), " | "); cells[0] == "| "+kind && len(cells) > format+1 {
			return strings.TrimSuffix(cells[format+1], " |")
		}
	}
	return ""
}
