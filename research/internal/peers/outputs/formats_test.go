package outputs_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"artifice/format"
	"artifice/internal/testdata"
	"artifice/research/internal/peers/outputs"
)

// TestEveryFormatHasARow: the matrix has an input for each format that is only read, and a column
// for each format that is written.
func TestEveryFormatHasARow(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	p := outputs.Build(t)
	data := filepath.Dir(testdata.Path(t, "traces"))
	read := map[string]bool{"method-trace": true} // opens all variants of it
	read["chrome-samples"] = true                 // cpuprofile's profiles in the events of chrome
	for _, k := range outputs.Kinds {
		switch {
		case k.Made != "":
			read[k.Made] = true
		case k.As == "":
			out, err := exec.Command(p.Path(), "info", "-q", k.Path(data)).Output()
			m := formatLine.FindSubmatch(out)
			if err != nil || m == nil {
				t.Fatalf("info of %s: %v: %s", k.Name, err, out)
			}
			read[string(m[1])] = true
		case k.Name == "speedscope, sampled": // it is written as speedscope, and read as its own format
			read["speedscope-samples"] = true
		}
	}
	for _, f := range format.All() {
		if f.Read != nil && f.Write == nil && !read[f.Name] {
			t.Errorf("%s is read, but no input of the matrix is of it", f.Name)
		}
	}
}

var formatLine = regexp.MustCompile(`(?m)^format +([\w-]+)`)
