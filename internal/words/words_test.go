package words

import "testing"

// TestWords: every word is read back as its value, others are refused with the
// words there are, and a value without a word says its number.
func TestWords(t *testing.T) {
	type colour uint8
	colours := []string{"red", "green"}
	for i, word := range colours {
		if got, err := Parse[colour]("colour", colours, word); err != nil || got != colour(i) || Of(colours, got) != word {
			t.Errorf("%s: %d, %v", word, got, err)
		}
	}
	if _, err := Parse[colour]("colour", colours, "blue"); err == nil || err.Error() != `colour "blue": must be one of red, green` {
		t.Errorf("blue: %v", err)
	}
	if got := Of(colours, colour(2)); got != "unknown(2)" {
		t.Errorf("colour 2 is %q", got)
	}
}

func TestCount(t *testing.T) {
	if got := Count(0, "event") + ", " + Count(1, "event") + ", " + Count(int64(2), "event"); got != "0 events, 1 event, 2 events" {
		t.Error(got)
	}
}

func TestSigned(t *testing.T) {
	if got := Signed(-1.26) + ", " + Signed(-0.04) + ", " + Signed(0.04) + ", " + Signed(0.05); got != "-1.3, 0.0, 0.0, +0.1" {
		t.Error(got)
	}
}
