package sampler

import (
	"strings"
	"testing"
	"time"

	"artifice/trace"
)

func TestQuantilesRefused(t *testing.T) {
	truth := &trace.Recording{Symbols: &trace.Symbols{}, Events: trace.NewSliceReader(nil)}
	for want, q := range map[string]Quantiles{
		"one quantile": {us}, "2µs of the overshoot after 3µs": {us, 3 * us, 2 * us}, "-1µs": {-us, us}, "1m0.000001s": {0, time.Minute + us},
	} {
		if _, err := New(truth, Config{Cost: Cost{Overshoots: q}}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", q, err, want)
		}
	}
}
