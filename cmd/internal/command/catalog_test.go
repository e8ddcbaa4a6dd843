package command

import "testing"

func TestDidYouMean(t *testing.T) {
	known := []string{"cold-start", "w3-on-off", "art", "art-stream"}
	for word, want := range map[string]string{
		"cold-strat": ` (did you mean "cold-start"?)`,
		"cold":       ` (did you mean "cold-start"?)`,
		"w3-onoff":   ` (did you mean "w3-on-off"?)`,
		"ART":        ` (did you mean "art"?)`,
		"art-steam":  ` (did you mean "art-stream"?)`,
		"zzz":        "",
		"":           "",
	} {
		if got := DidYouMean(word, known); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
