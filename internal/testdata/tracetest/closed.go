package tracetest

import "artifice/trace"

// Closed returns the events without unmatched exits, and with exits for the frames open at the end,
// at the time of the thread's last event.
func Closed(events []trace.Event) []trace.Event {
	open := map[trace.ThreadID][]trace.MethodID{}
	last := map[trace.ThreadID]trace.Event{}
	var out []trace.Event
	for _, e := range events {
		last[e.Thread] = e
		stack := open[e.Thread]
		switch {
		case e.Action == trace.Enter:
			open[e.Thread] = append(stack, e.Method)
		case len(stack) == 0:
			continue
		default:
			open[e.Thread] = stack[:len(stack)-1]
		}
		out = append(out, e)
	}
	for id, stack := range open {
		for i := len(stack) - 1; i >= 0; i-- {
			e := last[id]
			e.Method, e.Action = stack[i], trace.Exit
			out = append(out, e)
		}
	}
	return out
}
