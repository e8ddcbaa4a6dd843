package job

import (
	"context"
	"errors"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"artifice/fleet/manifest"
)

// TestRunAgain: a job that loses workers is submitted up to the configured number of times. It is
// not submitted again if its workers have disconnected, if it was rejected or if one of its
// functions failed, because these errors would recur. The messages are those of Beam 2.77 with
// Prism as job server.
func TestRunAgain(t *testing.T) {
	submitted := 0
	lost := errors.New("job job-001 failed:\nbundle inst007 stage-002 failed:SDK worker disconnected: worker[job-001[go-job-1-1795461891407130958]_go], 5 active instructions, error: context canceled")
	refused := errors.New("job failed to prepare\n\tcaused by:\nrpc error: code = Unknown desc = unimplemented")
	failed := errors.New("job job-002 failed:\nbundle inst002 stage-004 failed:process bundle failed for instruction inst002 using plan stage-004 : while executing Process for Plan[stage-004]:\n1: DataSource[S[stage-004_source@localhost:18073], i0] Out:4 Coder:W;cwv_n1<bytes;c0>!GWC\n\tcaused by:\nDoFn[UID:4, PID:e2, Name: artifice/fleet/job.listFn] failed:\nopen temp/list-0: not a directory")
	var fails error
	beam.RegisterRunner("losing", func(context.Context, *beam.Pipeline) (beam.PipelineResult, error) {
		submitted++
		return nil, fails
	})
	failure := errors.New("there are no workers")
	for _, test := range []struct {
		fails                error
		failAfter, submitted int
		want                 string
	}{
		{lost, 0, 0, failure.Error()},
		{lost, 1, 1, failure.Error()},
		{lost, 9, 3, "the job failed 3 times, last by this: " + lost.Error()},
		{refused, 9, 1, refused.Error()},
		{failed, 9, 1, "a worker could not do its work: open temp/list-0: not a directory"},
	} {
		submitted, fails = 0, test.fails
		cfg := Config{Runner: "losing", Attempts: 3, Ready: func() error {
			if submitted >= test.failAfter {
				return failure
			}
			return nil
		}}
		_, err := Run(t.Context(), []manifest.File{{Path: "a.trace"}}, cfg, Check(Worker{}), func(string, *Outcome) error {
			t.Error("there are results")
			return nil
		})
		if err == nil || err.Error() != test.want || submitted != test.submitted {
			t.Errorf("submitted %d times, want %d: %v", submitted, test.submitted, err)
		}
	}
}
