package verify

import (
	"context"
	"testing"
)

// TestQuick: a tenth of what bench --verify does.
func TestQuick(t *testing.T) {
	parts := map[string]int{}
	shown := map[string]int{}
	err := Run(context.Background(), Config{Seed: 1, Quick: true}, nil, func(v Verdict) {
		parts[v.Part+" "+v.What]++
		if !v.OK() {
			if shown[v.Part+v.What]++; shown[v.Part+v.What] < 4 {
				t.Errorf("%+v", v)
			}
		}
	})
	if err != nil {
		t.Error(err)
	}
	t.Log(parts)
}
