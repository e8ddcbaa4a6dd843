package perfetto

import (
	"time"

	"artifice/internal/encode"
	"artifice/trace"
)

// schedBatch is the number of scheduler events that are written at one time, in one bundle per
// core.
const schedBatch = 512

// WriteSched implements [trace.SchedWriter]: scheduler events become the kernel's events in
// FtraceEventBundles, from which Perfetto makes its CPU tracks and thread states. The viewer sorts
// all packets by time, so they need not be between the calls.
func (p *file) WriteSched(events []trace.SchedEvent) error {
	p.cores.Known = p.cores.Known || len(events) > 0
	for i := range events {
		e := &events[i]
		if !p.cores.TakesCore(e.Kind) {
			continue
		}
		p.coreEvent(e)
	}
	return p.flushFull()
}

// flushFull writes the bundles if they contain schedBatch events.
func (p *file) flushFull() error {
	if p.bundled < schedBatch {
		return nil
	}
	return p.flushSched()
}

// flushSched writes the gathered bundles.
func (p *file) flushSched() error {
	if p.bundled == 0 {
		return nil
	}
	p.bundled = 0
	if p.pid == 0 {
		if err := p.start(); err != nil {
			return err
		}
	}
	for core, events := range p.bundles {
		if len(events) == 0 {
			continue
		}
		p.body = p.body[:0]
		p.body.Uint(bundleCPU, uint64(core))
		p.body = append(p.body, events...)
		p.packet = p.packet[:0]
		p.packet.Bytes(packetFtrace, p.body)
		p.bundles[core] = events[:0]
		if err := p.flush(); err != nil {
			return err
		}
	}
	return nil
}

// coreEvent adds a scheduler event to the bundle of its core.
func (p *file) coreEvent(e *trace.SchedEvent) {
	symbols := p.Rec.Symbols
	nextComm, nextTID := encode.Task(symbols, e.Next, e.Core)
	field, on := 0, uint32(0)
	m := &p.item
	*m = (*m)[:0]
	switch e.Kind {
	case trace.SchedSwitch:
		var comm string
		comm, on = encode.Task(symbols, e.Prev, e.Core)
		field = ftraceSwitch
		m.Text(switchPrevComm, comm)
		m.Uint(switchPrevPID, uint64(on))
		m.Uint(switchPrevPrio, uint64(e.PrevPriority))
		m.Uint(switchPrevState, uint64(encode.StateBits[e.State]))
		m.Text(switchNextComm, nextComm)
		m.Uint(switchNextPID, uint64(nextTID))
		m.Uint(switchNextPrio, uint64(e.NextPriority))
	case trace.SchedWaking, trace.SchedWakeup:
		_, on = encode.Task(symbols, e.Prev, e.Core)
		if field = ftraceWakeup; e.Kind == trace.SchedWaking {
			field = ftraceWaking
		}
		m.Text(wakeupComm, nextComm)
		m.Uint(wakeupPID, uint64(nextTID))
		m.Uint(wakeupPrio, uint64(e.NextPriority))
		m.Uint(wakeupSuccess, 1)
		m.Uint(wakeupCPU, uint64(e.Core))
	case trace.SchedBlocked:
		_, on = encode.Task(symbols, e.Prev, e.Core)
		field = ftraceBlocked
		m.Uint(blockedPID, uint64(nextTID))
		m.Uint(blockedIO, 1)
	case trace.CoreSpeed:
		field = ftraceFrequency
		m.Uint(powerState, uint64(e.Value))
		m.Uint(powerCPU, uint64(e.Core))
	case trace.CoreIdle:
		field = ftraceIdle
		m.Uint(powerState, encode.IdleState(e))
		m.Uint(powerCPU, uint64(e.Core))
	}
	p.bundle(e.Core, e.Wall, on, field)
}

// bundle adds the message in p.item to the bundle of a core, as an event at a time by the thread
// that runs there.
func (p *file) bundle(core int, at time.Duration, thread uint32, field int) {
	for core >= len(p.bundles) {
		p.bundles = append(p.bundles, nil)
	}
	p.body = p.body[:0]
	p.body.Uint(ftraceTime, p.at(at))
	p.body.Uint(ftracePID, uint64(thread))
	p.body.Bytes(field, p.item)
	p.bundles[core].Bytes(bundleEvent, p.body)
	p.bundled++
}

// binder writes the kernel's events of a call to another process, at the event that begins or ends
// the call: the transaction that is sent, and its reception. Perfetto draws slices of them. All are
// on the first core.
func (p *file) binder(e *trace.Event) error {
	t, ok := p.calls.Of(p.Rec.Symbols, e)
	if !ok || !p.cores.Takes(encode.BinderCategory) {
		return nil
	}
	tid := p.Rec.Symbols.Threads[e.Thread].TID
	sender, receiver, process, thread, reply := tid, t.Thread, t.Server, uint32(0), uint64(0)
	if t.Reply {
		sender, receiver, process, thread, reply = t.Thread, tid, p.pid, tid, 1
	}
	at := e.Time(p.Rec.Info.Clock)
	p.item = p.item[:0]
	for _, field := range []struct {
		number int
		value  uint64
	}{
		{transactionID, uint64(t.ID)}, {transactionNode, 1}, {transactionProcess, uint64(process)},
		{transactionThread, uint64(thread)}, {transactionReply, reply}, {transactionCode, 1}, {transactionFlags, 0x10},
	} {
		p.item.Uint(field.number, field.value)
	}
	p.bundle(0, at, sender, ftraceTransaction)
	p.item = p.item[:0]
	p.item.Uint(transactionID, uint64(t.ID))
	p.bundle(0, at, receiver, ftraceReceived)
	return p.flushFull()
}
