package score

import (
	"slices"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// history records the contexts of threads as long as one of its readers can request them. Without
// readers it records nothing.
type history struct {
	readers []historyReader
	visits  [][]visit // by thread, in time order
	limits  []int     // by thread: length from which forget is called
}

// historyReader requests the contexts of a thread after the time that since returns.
type historyReader interface {
	since(id trace.ThreadID) time.Duration
}

// visit is the change of a thread to a context.
type visit struct {
	at      time.Duration
	context calltree.Node
}

// fewVisits is the length below which nothing is removed.
const fewVisits = 1024

func (h *history) add(id trace.ThreadID, v visit) {
	if len(h.readers) == 0 {
		return
	}
	for int(id) >= len(h.visits) {
		h.visits, h.limits = append(h.visits, nil), append(h.limits, fewVisits)
	}
	h.visits[id] = append(h.visits[id], v)
	if len(h.visits[id]) >= h.limits[id] {
		h.forget(id)
	}
}

// forget removes the visits before the last sample of every reader.
func (h *history) forget(id trace.ThreadID) {
	oldest := h.readers[0].since(id)
	for _, r := range h.readers {
		oldest = min(oldest, r.since(id))
	}
	list := h.visits[id]
	n, _ := slices.BinarySearchFunc(list, oldest, func(v visit, at time.Duration) int {
		if v.at <= at {
			return -1
		}
		return 1
	})
	list = list[:copy(list, list[max(0, n-1):])] // with the context at that time
	h.visits[id], h.limits[id] = list, max(fewVisits, 2*len(list))
}

// during calls f for every context of a thread between two app times, latest first. Neither time is
// before the caller's last sample.
func (h *history) during(id trace.ThreadID, from, to time.Duration, f func(p calltree.Node, d time.Duration)) {
	if int(id) >= len(h.visits) {
		return
	}
	for _, v := range slices.Backward(h.visits[id]) {
		if to <= from {
			return
		}
		if v.at < to {
			f(v.context, to-max(from, v.at))
			to = v.at
		}
	}
}
