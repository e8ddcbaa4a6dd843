package check

import "testing"

// TestBehavioursRefused: the error for a line of behaviours.txt without content has the line
// number.
func TestBehavioursRefused(t *testing.T) {
	for text, want := range map[string]string{
		"E001\n\tall refuses it\n\nE0O2\n": `behaviours.txt:4: no rule and no property is called "E0O2"`,
		"gzip & !zip\n":                    `behaviours.txt:1: no rule and no property is called "zip"`,
		"\tall refuses it\n":               "behaviours.txt:1: no condition precedes it",
		"# text\ngzip\n\tall refuse it\n":  `behaviours.txt:3: expected tools, remark, misreads, refuses or unknown, and a text, found "all refuse it"`,
		"gzip\n\tperfeto refuses it\n":     `behaviours.txt:2: unknown reader "perfeto"; use "all", or a list of perfetto, firefox, studio, traceview, dmtracedump, androidx`,
	} {
		if _, err := readBehaviours(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestProperties: "!" means not, "&" means and, and "," means or, with the lowest precedence.
func TestProperties(t *testing.T) {
	when, err := parseCondition("E001, E002 & !gzip")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		broken string
		gzip   bool
		want   bool
	}{{"E001", false, true}, {"E001", true, true}, {"E002", false, true}, {"E002", true, false}, {"E003", false, false}} {
		if got := when.holds(&Report{Counts: map[string]int64{c.broken: 1}, facts: facts{Gzip: c.gzip}}); got != c.want {
			t.Errorf("%s broken, packed %t: %t, want %t", c.broken, c.gzip, got, c.want)
		}
	}
}
