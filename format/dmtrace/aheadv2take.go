package dmtrace

import (
	"artifice/internal/dmformat"
	"artifice/trace"
)

// take returns the events of the block that begins, when they were decoded ahead and can
// be taken over: when it begins as a block does, and ids stand for what they stood for. Its
// clocks go on from those of the thread.
func (v *v2) take() *blockRun {
	w, ok := v.ahead.Work()
	if !ok {
		return nil
	}
	run, b := RunAt(&w.runs, v.in.Off, func(r *blockRun) int64 { return r.off }), &v.block
	if run == nil || run.from == run.to || w.renamed != v.renamed || v.gen == dmformat.V2of16 && b.method|b.wall|b.cpu != 0 {
		return nil
	}
	if t := &b.thread.times; v.gen == dmformat.V2of15 {
		t.Next(run.first.Shown)
		before := Clocks{Wall: t.Wall, CPU: t.CPU}
		*t = Clocks{Shown: run.last.Shown, Wall: run.last.Wall + before.Wall, CPU: run.last.CPU + before.CPU}
		if before != (Clocks{}) {
			for i := range w.events[run.from:run.to] {
				e := &w.events[run.from+i]
				wall, cpu := e.Wall, e.CPU
				if v.clock == trace.ThreadCPU {
					wall = cpu
				}
				v.setTimes(e, uint64(wall+before.Wall), uint64(cpu+before.CPU))
			}
		}
	}
	v.notShortest = v.notShortest || run.notShortest
	v.reserved += run.reserved
	b.headed = false
	return run
}

// ready fills p with events of v.run, and at its end makes the block's state that after it.
func (v *v2) ready(p []trace.Event) (n int, err error) {
	w, run, b := v.ahead.Now.Work, v.run, &v.block
	n = copy(p, w.events[run.from:run.to])
	if run.late {
		for i := range p[:n] {
			p[i].Method = v.settle(w, p[i].Method)
		}
	}
	if run.thread != b.thread.id {
		for i := range p[:n] {
			p[i].Thread = b.thread.id
		}
	}
	run.from += n
	b.events += int64(n)
	b.piece += int64(n)
	if run.from < run.to {
		return n, nil
	}
	for _, m := range w.stack[run.stack:run.stackTo] {
		b.thread.stack = append(b.thread.stack, v.settle(w, m))
	}
	b.method, b.wall, b.cpu = run.end.method, run.end.wall, run.end.cpu
	v.in.Skip(run.bytes)
	v.run = nil
	if v.in.Off == b.end {
		err = v.closeBlock()
	}
	return n, err
}

// settle returns the method that m stands for in a run.
func (v *v2) settle(w *blockWorker, m trace.MethodID) trace.MethodID {
	if m < LateMethod {
		return m
	}
	late := &w.late[m-LateMethod]
	switch late.kind {
	case lateNamed:
		late.method = v.lookup(late.id)
	case lateOpen:
		late.method = v.innermost(v.block.thread)
	case lateOrphan:
		late.method = v.noCall()
	}
	late.kind = lateKnown
	return late.method
}
