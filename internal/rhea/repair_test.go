package rhea

import (
	"fmt"
	"strings"
	"testing"
)

// TestRepair compares the repair of markers with the output of repair_rhea_lines_nosort of
// RheaTrace 1.0.2. Each marker has an index. The output has begin and end of calls in the order of
// printing, and ! for ": CrashTag".
func TestRepair(t *testing.T) {
	for _, c := range []struct{ markers, want string }{
		{"Ba Ba Ba Ea Ea Ea", "a 2-4, a 1-5, a 0-0!"},
		{"Bm Ba Ba Ba Ea Ea Ea Em", "a 3-6, a 2-2!, a 1-1!, m 0-7"},
		{"Bm Ba Ba Ba Ba Ea Ea Ea Ea Em", "a 4-8, a 3-3!, a 2-2!, a 1-1!, m 0-9"},
		{"Ba Bb Bc Ea", "c 2-3!, b 1-3!, a 0-3"},
		{"Ba Bb Bc Tc Eb Ea", "c 2-2!, b 1-4, a 0-5"},
		{"Ba Bb Bc Bd Td Eb Ea", "d 3-3!, c 2-2!, b 1-5, a 0-6"},
		{"Bx Ex Ty Ez", "x 0-1"},
		{"Ba Ex Ty Ea", "a 0-3"},
		{"Ba Ty Ea", "a 0-2"},
		{"Bc Ec Tb Ea", "c 0-1"},
		{"Bm Ba Ba Ea Ea Em", "a 2-4, a 1-1!, m 0-5"},
		{"Bm Ba Bb Ba Ea Eb Ea Em", "a 3-4, b 2-5, a 1-6, m 0-7"},
		{"Ba Bb Tb Ta Bc Tc Ez", "c 4-5, b 1-1!, a 0-0!"},
		{"Tz Ba Bc Tc Tb Ea", "c 2-2!, a 1-5"},
		{"Ea Bq Bb Ta Eb", "b 2-4, q 1-1!"},
	} {
		var markers []Marker[string]
		for _, m := range strings.Fields(c.markers) {
			markers = append(markers, Marker[string]{Kind(strings.IndexByte("BET", m[0])), m[1:]})
		}
		var got []string
		for _, call := range Repair(markers) {
			s := fmt.Sprintf("%s %d-%d", markers[call.Begin].Name, call.Begin, call.End)
			if call.Guessed {
				s += "!"
			}
			got = append(got, s)
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.markers, got, c.want)
		}
	}
}
