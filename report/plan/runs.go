package plan

// An app is run so often, or until so many events were read, but [EnoughTraces] times at least.
const (
	mostRuns  = 60
	runEvents = 4_000_000
)

// Runs reads traces of an app that can be run again and again: read returns the one of a seed,
// from 1 on. They have no View, as those of all runs would take memory.
func Runs(read func(seed uint64) (*Trace, error)) (traces []*Trace, err error) {
	events := int64(0)
	for seed := uint64(1); seed <= mostRuns && (events < runEvents || len(traces) < EnoughTraces); seed++ {
		t, err := read(seed)
		if err != nil {
			return nil, err
		}
		t.View = nil
		events += t.Events
		traces = append(traces, t)
	}
	return traces, nil
}
