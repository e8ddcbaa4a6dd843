package dmtracedump_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/research/internal/peers/dmtracedump"
	"artifice/research/internal/peers/made"
)

// shown is the sum of a method's calls on a page.
type shown struct {
	Exclusive, Inclusive time.Duration
	Calls, Recursive     int64
}

// TestPage compares the page of a file with dmtracedump's report of the file, which omits methods
// that took no time. Neither file has an exit without an enter, which dmtracedump converts to a
// call from time 0.
func TestPage(t *testing.T) {
	dmtracedump.Require(t)
	for name, file := range made.Files(t, "artifice/view", "^TestRealFiles$") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var ours map[string]shown
		if err := json.Unmarshal(text, &ours); err != nil {
			t.Fatal(err)
		}
		theirs, _, err := dmtracedump.Run(testdata.Path(t, "traces", strings.TrimSuffix(name, ".json")))
		if err != nil {
			t.Fatal(err)
		}
		compared := 0
		for _, m := range theirs.Methods {
			full, _, _ := strings.Cut(m.Name, "\t")
			full = strings.Replace(full, " (", "(", 1)
			want := shown{m.Exclusive, m.Inclusive, m.Calls, m.Recursive}
			if full[0] == '(' || want == (shown{}) { // toplevel; no time
				continue
			}
			if got := ours[full]; got != want {
				t.Errorf("%s: page %+v, dmtracedump %+v", full, got, want)
			}
			compared++
		}
		if compared < 200 {
			t.Errorf("%s: only %d methods compared", name, compared)
		}
	}
}
