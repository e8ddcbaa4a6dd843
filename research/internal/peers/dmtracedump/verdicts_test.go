package dmtracedump_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/format/check"
	"artifice/format/dmtrace"
	"artifice/research/internal/peers/dmtracedump"
	"artifice/research/internal/peers/made"
	"artifice/trace"
	"artifice/trace/calltree"
)

// TestVerdicts runs dmtracedump on every broken file: it rejects those that check lists as
// rejected, and reports the times in the file for those listed as accepted.
func TestVerdicts(t *testing.T) {
	dmtracedump.Require(t)
	outcomes := make(map[check.Outcome]int)
	for name, file := range made.Files(t, "artifice/format/check", "^TestEveryRule$") {
		checked, err := check.File(file, check.Config{Name: "made.trace"})
		if err != nil {
			t.Fatal(err)
		}
		verdict := checked.Verdict(check.Dmtracedump)
		outcomes[verdict.Outcome]++
		report, _, err := dmtracedump.Run(file)
		if refused := err != nil; refused != (verdict.Outcome == check.Refuses) {
			t.Errorf("%s: %s %q, but dmtracedump: %v", name, verdict.Outcome, verdict.Reasons, err)
		}
		if verdict.Outcome == check.Accepts && err == nil {
			if diff := cmp.Diff(exclusiveTimes(t, file), theirExclusive(report)); diff != "" {
				t.Errorf("%s: accepted (-in the file +dmtracedump)\n%s", name, diff)
			}
		}
	}
	if outcomes[check.Accepts] < 20 || outcomes[check.Refuses] < 10 || outcomes[check.Misreads] < 5 || outcomes[check.Unknown] > 0 {
		t.Errorf("too few of one kind were tried: %v", outcomes)
	}
}

// theirExclusive returns dmtracedump's times by method, without its own two rows.
func theirExclusive(r *dmtracedump.Report) map[string]time.Duration {
	times := make(map[string]time.Duration)
	for _, m := range r.Methods {
		name, _, _ := strings.Cut(m.Name, " ")
		if m.Exclusive != 0 && name != "(toplevel)" {
			times[name] += m.Exclusive
		}
	}
	return times
}

// exclusiveTimes returns the times of the first clock in the file, as far as it can be read.
func exclusiveTimes(t *testing.T, file string) map[string]time.Duration {
	t.Helper()
	times := make(map[string]time.Duration)
	f, err := dmtrace.Open(file, dmtrace.ReadOptions{})
	if err != nil {
		return goodTimes()
	}
	defer f.Close()
	b := calltree.NewBuilder()
	trace.Copy(b, f.Events) // events before an error count
	tree, _ := b.Finish(&trace.Recording{}, trace.UnknownTechnique, calltree.UntilLastEvent)
	for _, m := range tree.Methods() {
		name := f.Symbols.Method(m.Method).FullName()
		if f.Symbols.Method(m.Method).Unlisted {
			name = "(unknown)"
		}
		time := m.Exclusive.Wall
		if f.Info.Clock.HasCPU() {
			time = m.Exclusive.CPU
		}
		if time != 0 {
			times[name] += time
		}
	}
	return times
}

// goodTimes returns the times of the unbroken file: foo from 10 to 30 us with bar from 12 to 20 in
// it. dmtracedump reads some files that our reader rejects, and reports these times.
func goodTimes() map[string]time.Duration {
	return map[string]time.Duration{"a.A.foo": 12 * time.Microsecond, "a.A.bar": 8 * time.Microsecond}
}
