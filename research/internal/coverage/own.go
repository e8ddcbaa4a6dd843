package coverage

import (
	"time"

	"artifice/report/estimate"
	"artifice/trace"
)

// Against is the run of the app to compare intervals with.
type Against int

const (
	// Traced is the recorded run, including the pauses: the claim of the intervals.
	Traced Against = iota

	// Own is the untraced run, for methods that do not wait: the users' question.
	Own

	// OwnShares is Own by shares of the running time.
	OwnShares

	// OwnSubtracted is Own with the device's sampling pause subtracted from the times
	// ([estimate.Estimator.SetPause]).
	OwnSubtracted
)

// String returns the name in tables.
func (a Against) String() string {
	return [...]string{"traced run", "own run", "own shares", "own run, subtracted"}[a]
}

// untraced follows a truth without delays.
type untraced struct{ *truthSum }

// Event implements [sampler.Follower].
func (u untraced) Event(e *trace.Event, late []time.Duration) {
	u.truthSum.Event(e, make([]time.Duration, len(late)))
}

// End implements [sampler.Follower].
func (u untraced) End(id trace.ThreadID, at time.Duration, late []time.Duration) {
	u.truthSum.End(id, at, make([]time.Duration, len(late)))
}

// running returns the claims about methods that do not wait, the only ones that can be compared
// with an untraced run: the length of a wait depends on earlier delays.
func running(list []claims, symbols *trace.Symbols) (kept []claims) {
	for _, c := range list {
		if !symbols.Method(trace.MethodID(c.subject)).Waits() {
			kept = append(kept, c)
		}
	}
	return kept
}

// asShares scales the claims to the true running time, so that shares are compared.
func asShares(list []claims, t *truth, symbols *trace.Symbols) {
	var seen, own time.Duration
	for i := range list {
		seen += list[i].exclusive.Wall.Value
	}
	for m, time := range t.wall[0].exclusive {
		if !symbols.Method(trace.MethodID(m)).Waits() {
			own += time
		}
	}
	if seen == 0 {
		return
	}
	by := float64(own) / float64(seen)
	for i := range list {
		for _, claim := range []*estimate.Time{&list[i].exclusive.Wall, &list[i].inclusive.Wall} {
			claim.Value, claim.Low, claim.High = time.Duration(by*float64(claim.Value)), time.Duration(by*float64(claim.Low)), time.Duration(by*float64(claim.High))
		}
	}
}

// against returns the claims for the configured run.
func (cfg *Config) against(list []claims, t *truth, symbols *trace.Symbols) []claims {
	if cfg.Against == Traced {
		return list
	}
	list = running(list, symbols)
	if cfg.Against == OwnShares {
		asShares(list, t, symbols)
	}
	return list
}
