package perfetto_test

import (
	"slices"
	"strings"
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/kind"
)

// TestKernelSlices checks that slices of the kernel's work queues, interrupts and drivers are
// skipped, and that their begins are counted, but not ends, counters or other events.
func TestKernelSlices(t *testing.T) {
	event := func(field int, fields ...any) []byte {
		return message(2, message(1, at(1), 2, 77, field, message(fields...)))
	}
	calls := slices.Concat(
		message(2, message(1, at(0), 2, 77, 3, message(2, "B|77|f\n"))),
		message(2, message(1, at(2), 2, 77, 3, message(2, "E|77\n"))))
	for name, c := range map[string]struct {
		events []byte
		want   string // expected warning; "": none
	}{
		"none":      {nil, ""},
		"kernel":    {slices.Concat(event(58, 2, 1), event(57, 1, 1), event(36, 1, 9), event(37, 1, 9), event(24, 1, 2), event(25, 1, 2)), "3 slices skipped: "},
		"mdss":      {slices.Concat(event(80, 1, 77, 2, "x", 3, 1), event(80, 1, 77, 2, "x", 3, 0)), "1 slice skipped: "},
		"sde":       {slices.Concat(event(333, 1, 77, 2, "x", 3, int('B')), event(333, 3, int('E')), event(333, 3, int('C'), 4, 5), event(333, 5, 1)), "2 slices skipped: "},
		"dpu":       {slices.Concat(event(348, 4, "x", 5, int('B')), event(348, 5, int('E')), event(348, 5, int('C'), 6, 66)), "1 slice skipped: "},
		"g2d":       {slices.Concat(event(349, 4, "x", 5, int('B')), event(349, 5, int('E'))), "1 slice skipped: "},
		"mali":      {slices.Concat(event(350, 1, "x", 3, int('B')), event(350, 3, int('E')), event(350, 3, int('C'), 4, 66)), "1 slice skipped: "},
		"lwis":      {slices.Concat(event(467, 4, "x", 6, int('B')), event(467, 6, int('E'))), "1 slice skipped: "},
		"samsung":   {slices.Concat(event(484, 2, "x", 4, int('B')), event(484, 4, int('E'))), "1 slice skipped: "},
		"frequency": {event(11, 1, 66, 2, 0), ""},
	} {
		data := file(message(1, slices.Concat(message(1, 0), calls, c.events)))
		rec := formattest.MustOpen(t, data, kind.Config{}).Recording
		if got := len(rec.Warnings); got != min(1, len(c.want)) {
			t.Errorf("%s: %d warnings: %v", name, got, rec.Warnings)
			continue
		}
		if c.want != "" && !strings.Contains(rec.Warnings[0].Text, c.want+"they belong to the kernel's work queues, interrupts and drivers, not to threads") {
			t.Errorf("%s: %q, want %q", name, rec.Warnings[0].Text, c.want)
		}
	}
}
