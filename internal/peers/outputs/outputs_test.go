package outputs_test

import (
	"path/filepath"
	"slices"
	"testing"

	"artifice/internal/peers/outputs"
	"artifice/internal/testdata"
)

// TestTimelines: what readers see in the files of every input is what is in the input.
func TestTimelines(t *testing.T) { run(t, outputs.Timelines) }

// TestMethodTraces does the same with the method trace that every reader accepts.
func TestMethodTraces(t *testing.T) { run(t, outputs.MethodTraces) }

// TestProfiles does the same with sums.
func TestProfiles(t *testing.T) { run(t, outputs.Profiles) }

func run(t *testing.T, formats func(testing.TB) []outputs.Format) {
	if testing.Short() {
		t.Skip("installs programs of the npm registry")
	}
	p := outputs.Build(t)
	all := outputs.Inputs(t, p, filepath.Dir(testdata.Path(t, "traces", outputs.Real[0])))
	inputs := testdata.Some(t, all, 2)
	for _, r := range outputs.Run(t, p, formats(t), inputs) {
		for _, f := range r.Failures {
			if f.Aspect == "" || slices.Contains(r.Shows, f.Aspect) {
				t.Errorf("%s in %s, %s: %s %s", r.Format, r.Reader, f.Input, f.Aspect, f.Text)
			}
		}
		if len(inputs) == len(all) && len(r.Refused) > len(inputs)*2/3 {
			t.Errorf("%s in %s: refused of most inputs: %v", r.Format, r.Reader, r.Refused)
		}
		t.Logf("%s in %s: %d files", r.Format, r.Reader, r.Files)
	}
}
