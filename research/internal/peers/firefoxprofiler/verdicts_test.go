package firefoxprofiler_test

import (
	"testing"

	"artifice/format/check"
	"artifice/research/internal/peers/firefoxprofiler"
	"artifice/research/internal/peers/made"
)

// TestVerdicts loads broken files with the Firefox Profiler's importer: it rejects exactly those
// that check lists as rejected.
func TestVerdicts(t *testing.T) {
	if testing.Short() {
		t.Skip("installs a program of the npm registry")
	}
	client := firefoxprofiler.Install(t)
	tried := []string{"as it is", "streaming", "no summary", "CR LF", "version 9", "wrong magic", "header of version 2", "cut in a record",
		"empty line", "methods before threads", "unknown section", "Latin 1", "unlisted thread", "action 3", "wrong exit",
		"odd clock", "three columns", "header of 40 bytes", "orphan exit"}
	outcomes := make(map[check.Outcome]int)
	files := made.Files(t, "artifice/format/check", "^TestEveryRule$")
	for _, name := range tried {
		file, ok := files[name+".trace"]
		if !ok {
			t.Fatalf("there is no file %q", name)
		}
		checked, err := check.File(file, check.Config{Name: "made.trace"})
		if err != nil {
			t.Fatal(err)
		}
		verdict := checked.Verdict(check.Firefox)
		outcomes[verdict.Outcome]++
		_, err = client.Load(file)
		if refused := err != nil; verdict.Outcome != check.Unknown && refused != (verdict.Outcome == check.Refuses) {
			t.Errorf("%s: %s %q, but Firefox: %v", name, verdict.Outcome, verdict.Reasons, err)
		}
	}
	if outcomes[check.Accepts] < 4 || outcomes[check.Refuses] < 8 || outcomes[check.Misreads] < 2 {
		t.Errorf("too few of one kind were tried: %v", outcomes)
	}
}
