package speedscope

import (
	"encoding/json"
	"testing"

	"artifice/internal/jsonread"
)

// FuzzScan checks that an event accepted by Scan equals that of encoding/json.
func FuzzScan(f *testing.F) {
	for _, text := range []string{`{"type":"O","at":10,"frame":0}`, `{"frame":12,"at":-1.5,"type":"C"}`, `{"type":"C","at":1}`, `{"type":"O","at":1e3,"frame":1}`, `{"type":"O","at":01,"frame":4294967296}`, `{"type":"O","at":1,"at":2,"frame":1,"x":[]}`, `{}`, `{"Type":"O"}`} {
		f.Add(text)
	}
	keys := jsonread.NewKeys("type", "at", "frame")
	f.Fuzz(func(t *testing.T, text string) {
		for range 2 { // Scan reads cached keys in another way
			got, want := fileEvent{Frame: -1, keys: keys}, fileEvent{Frame: -1, keys: keys}
			in := jsonread.NewScanner([]byte(text))
			if got.Scan(&in); in.Bad || !in.Done() {
				continue
			}
			if err := json.Unmarshal([]byte(text), &want); err != nil || got != want {
				t.Errorf("%q: %v, encoding/json: %v, %v", text, got, want, err)
			}
		}
	})
}

// TestScan checks that Scan accepts events as speedscope and artifice write them.
func TestScan(t *testing.T) {
	for text, want := range map[string]fileEvent{
		`{"type":"O","at":200000,"frame":17}`:       {Type: "O", At: "200000", Frame: 17},
		`{ "frame" : 0, "at" : 0.25, "type" : "C"}`: {Type: "C", At: "0.25"},
	} {
		got := fileEvent{keys: jsonread.NewKeys("type", "at", "frame")}
		want.keys = got.keys
		in := jsonread.NewScanner([]byte(text))
		if got.Scan(&in); in.Bad || got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
