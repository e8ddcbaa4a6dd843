package traceprocessor

import (
	"time"

	"artifice/research/internal/peers/seen"
)

// Slices returns the thread slices of the loaded file as calls; name converts their names into
// those of methods.
func (p *Processor) Slices(name func(string) string) (seen.Calls, error) {
	var rows []struct {
		TID, Depth int
		Name       string
		N, Dur     int64
	}
	if err := p.Query(`SELECT tid, depth, slice.name AS name, count(*) AS n, sum(dur) AS dur
		FROM slice JOIN thread_track ON track_id = thread_track.id JOIN thread USING (utid) GROUP BY 1, 2, 3`, &rows); err != nil {
		return nil, err
	}
	got := seen.Calls{}
	for _, r := range rows {
		got.Add(seen.Call{Thread: r.TID, Depth: r.Depth, Method: name(r.Name)}, r.N, time.Duration(r.Dur))
	}
	return got, nil
}
