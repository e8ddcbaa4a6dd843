package dmtrace

import (
	"time"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// event turns a record of the block into an event; false when a time is out of range.
func (v *v2) event(e *trace.Event, r *record) bool {
	if !v.fill(e, r) {
		return false
	}
	v.block.events++
	if v.block.piece++; v.block.piece == maxPiece && v.in.Off < v.block.end {
		v.f.Warnf(trace.WarnLayout, "a block of thread %d has more than %d records; written back it is split", v.block.TID, maxPiece)
		v.keepPiece()
	}
	return true
}

// outOfRange is the error of a record where the input stands.
func (v *v2) outOfRange(r *record) error {
	return v.errorInBlock("a time is out of range: wall %d, CPU %d", r.wall, r.cpu)
}

// fill makes e the event of a record; false when a time is out of range.
func (v *v2) fill(e *trace.Event, r *record) bool {
	th := v.block.thread
	wall, ok := v.nanoseconds(r.wall)
	cpu, cpuOK := time.Duration(r.cpu), int64(r.cpu) >= 0
	if v.gen == dmformat.V2of15 {
		// ART adds 32 bits, so what goes beyond has wrapped.
		wall, cpu = th.times.Next(Shown(uint32(r.wall), uint32(r.cpu)))
		ok, cpuOK = true, true
	}
	if !ok || !cpuOK {
		return false
	}
	v.setTimes(e, uint64(wall), uint64(cpu))
	// Field by field: copying a whole event that was just built waits for its parts.
	e.Thread, e.Action, e.Site = th.id, r.action, 0
	if r.action > trace.Unwind {
		v.reserved++
	}
	if v.gen == dmformat.V2of17 {
		e.Method = v.call(th, r)
	} else {
		e.Method = v.lookup(r.method)
	}
	return true
}

// call returns the method of a V2of17 record, which an exit does not name: it
// closes the innermost call. Of a call that began before the trace nothing is
// known.
func (v *v2) call(th *v2Thread, r *record) trace.MethodID {
	if r.action == trace.Enter {
		id := v.lookup(r.method)
		th.stack = append(th.stack, id)
		return id
	}
	if r.action > trace.Unwind {
		return v.noCall()
	}
	return v.innermost(th)
}

// innermost closes the innermost call and returns its method.
func (v *v2) innermost(th *v2Thread) trace.MethodID {
	if n := len(th.stack); n > 0 {
		id := th.stack[n-1]
		th.stack = th.stack[:n-1]
		return id
	}
	if v.worker != nil {
		return v.worker.add(lateOpen, 0)
	}
	return v.noCall()
}

// noCall returns the method of a record that closes no call.
func (v *v2) noCall() trace.MethodID {
	if v.worker != nil {
		return v.worker.add(lateOrphan, 0)
	}
	if v.orphan == 0 {
		v.orphan = uint32(v.f.Symbols.AddMethod(trace.Method{Unlisted: true})) + 1
	}
	return trace.MethodID(v.orphan - 1)
}

// setTimes sets e's times from those of a record in ns: wall is the one clock's where
// there is one.
func (v *v2) setTimes(e *trace.Event, wall, cpu uint64) {
	if e.Wall, e.CPU = time.Duration(wall), 0; v.clock == trace.Dual {
		e.CPU = time.Duration(cpu)
	} else if v.clock == trace.ThreadCPU {
		e.Wall, e.CPU = 0, time.Duration(wall)
	}
}
