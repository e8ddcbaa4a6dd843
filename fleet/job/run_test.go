package job

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"artifice/fleet/manifest"
)

// TestRunAgain: a job that fails is submitted as often as is wanted, and not where its
// workers have gone: nobody would run it.
func TestRunAgain(t *testing.T) {
	submitted := 0
	lost := errors.New("a worker was lost")
	beam.RegisterRunner("losing", func(context.Context, *beam.Pipeline) (beam.PipelineResult, error) {
		submitted++
		return nil, lost
	})
	gone := errors.New("there are no workers")
	for _, test := range []struct {
		goneAfter, submitted int
		want                 error
	}{{0, 0, gone}, {1, 1, gone}, {9, 3, lost}} {
		submitted = 0
		cfg := Config{Runner: "losing", Attempts: 3, Ready: func() error {
			if submitted >= test.goneAfter {
				return gone
			}
			return nil
		}}
		_, err := Run(t.Context(), []manifest.File{{Path: "a.trace"}}, cfg, Check(Worker{}), func(string) error {
			t.Error("there are results")
			return nil
		})
		if !errors.Is(err, test.want) || submitted != test.submitted {
			t.Errorf("workers gone after %d: submitted %d times, want %d: %v", test.goneAfter, submitted, test.submitted, err)
		}
		if test.want == lost && !strings.Contains(err.Error(), "the job failed 3 times") {
			t.Error(err)
		}
	}
}
