package otlp

import (
	"encoding/json"
	"testing"
)

// TestElements checks the number of elements of an array, for any elements.
func TestElements(t *testing.T) {
	for text, want := range map[string]int{
		`[]`: 0, `[ ]`: 0, `{}`: 0, `null`: 0, `"a,b"`: 0, `{"a":[1,2]}`: 0,
		`[{}]`: 1, `[{},{}]`: 2, `[{"a":[1,2,{"b":3}]}, {"c":"],[\",{"},{}]`: 3, `[[],[]]`: 2,
	} {
		if got := elements([]byte(text)); got != want {
			t.Errorf("elements(%s) = %d, want %d", text, got, want)
		}
	}
}

// TestListCapacity checks that a list of empty samples is allocated once, at its final length.
func TestListCapacity(t *testing.T) {
	var p Profile
	if err := json.Unmarshal([]byte(`{"samples":[{},{"stackIndex":7},{}]}`), &p); err != nil {
		t.Fatal(err)
	}
	if len(p.Samples) != 3 || cap(p.Samples) != 3 || p.Samples[1].Stack != 7 {
		t.Errorf("%d samples with capacity %d, want 3 and 3: %+v", len(p.Samples), cap(p.Samples), p.Samples)
	}
}
