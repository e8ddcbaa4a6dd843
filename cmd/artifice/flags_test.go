package main

import "testing"

// The distances of kitten/sitting (3) and ca/abc (3, where 2 would need an edit
// between swapped letters) are those of the literature.
func TestEditDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"art", "art", 0},
		{"kitten", "sitting", 3}, {"ca", "abc", 3}, {"smaple", "sample", 1}, {"arts", "art", 1},
	} {
		if got := editDistance(test.a, test.b); got != test.want {
			t.Errorf("%q to %q: %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	known := []string{"cold-start", "w3-on-off", "art", "art-stream"}
	for word, want := range map[string]string{
		"cold-strat": ` (did you mean "cold-start"?)`,
		"cold":       ` (did you mean "cold-start"?)`,
		"w3-onoff":   ` (did you mean "w3-on-off"?)`,
		"ART":        ` (did you mean "art"?)`,
		"zzz":        "",
		"":           "",
	} {
		if got := didYouMean(word, known); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
