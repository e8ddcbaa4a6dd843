package coverage

import (
	"time"

	"artifice/report/estimate"
	"artifice/trace"
)

// Against says which run of the app intervals are held against.
type Against int

const (
	// Traced is the run that was recorded, which the samples made longer: what intervals claim.
	Traced Against = iota

	// Own is the run that nobody traces, of methods that do not wait: what people want to know.
	Own

	// OwnShares is Own by shares of the running time.
	OwnShares

	// OwnSubtracted is Own with what samples take on the device taken out of the times
	// ([estimate.Estimator.SetPause]).
	OwnSubtracted
)

// String returns the name in tables.
func (a Against) String() string {
	return [...]string{"traced run", "own run", "own shares", "own run, subtracted"}[a]
}

// untraced follows a truth as if nobody made it late.
type untraced struct{ *truthSum }

// Event implements [sampler.Follower].
func (u untraced) Event(e *trace.Event, late []time.Duration) {
	u.truthSum.Event(e, make([]time.Duration, len(late)))
}

// End implements [sampler.Follower].
func (u untraced) End(id trace.ThreadID, at time.Duration, late []time.Duration) {
	u.truthSum.End(id, at, make([]time.Duration, len(late)))
}

// running leaves the claims about methods that do not wait, all that the app's own run can be asked for: how long a wait
// is follows from what was late before.
func running(list []claims, symbols *trace.Symbols) (kept []claims) {
	for _, c := range list {
		if !symbols.Method(trace.MethodID(c.subject)).Waits() {
			kept = append(kept, c)
		}
	}
	return kept
}

// asShares scales what is claimed to the true running time, so that shares are compared.
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

// against returns the claims about the run that was asked for.
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
