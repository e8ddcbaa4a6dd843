package perfetto

import (
	"artifice/trace"
	"artifice/writer"
)

// schedBatch is how many events of cores are written at a time: a bundle for each core
// has its part of them.
const schedBatch = 512

// WriteSched implements [trace.SchedWriter]: what cores did becomes the kernel's events
// in FtraceEventBundles, of which Perfetto makes its CPU tracks and thread states. The
// viewer sorts all packets by time, so they need not stand among the calls.
func (p *file) WriteSched(events []trace.SchedEvent) error {
	p.cores.Known = p.cores.Known || len(events) > 0
	for i := range events {
		e := &events[i]
		if !p.cores.Chosen.Has(e.Kind) {
			continue
		}
		for e.Core >= len(p.bundles) {
			p.bundles = append(p.bundles, nil)
		}
		p.ftraceEvent(e)
		p.bundles[e.Core].Bytes(bundleEvent, p.body)
		p.bundled++
	}
	if p.bundled < schedBatch {
		return nil
	}
	return p.flushSched()
}

// flushSched writes the bundles that have been gathered.
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

// ftraceEvent puts a FtraceEvent together in p.body.
func (p *file) ftraceEvent(e *trace.SchedEvent) {
	symbols := p.Rec.Symbols
	nextComm, nextTID := writer.Task(symbols, e.Next, e.Core)
	field, on := 0, uint32(0)
	m := &p.item
	*m = (*m)[:0]
	switch e.Kind {
	case trace.SchedSwitch:
		var comm string
		comm, on = writer.Task(symbols, e.Prev, e.Core)
		field = ftraceSwitch
		m.Text(switchPrevComm, comm)
		m.Uint(switchPrevPID, uint64(on))
		m.Uint(switchPrevPrio, uint64(e.PrevPriority))
		m.Uint(switchPrevState, uint64(writer.StateBits[e.State]))
		m.Text(switchNextComm, nextComm)
		m.Uint(switchNextPID, uint64(nextTID))
		m.Uint(switchNextPrio, uint64(e.NextPriority))
	case trace.SchedWaking, trace.SchedWakeup:
		_, on = writer.Task(symbols, e.Prev, e.Core)
		if field = ftraceWakeup; e.Kind == trace.SchedWaking {
			field = ftraceWaking
		}
		m.Text(wakeupComm, nextComm)
		m.Uint(wakeupPID, uint64(nextTID))
		m.Uint(wakeupPrio, uint64(e.NextPriority))
		m.Uint(wakeupSuccess, 1)
		m.Uint(wakeupCPU, uint64(e.Core))
	case trace.SchedBlocked:
		_, on = writer.Task(symbols, e.Prev, e.Core)
		field = ftraceBlocked
		m.Uint(blockedPID, uint64(nextTID))
		m.Uint(blockedIO, 1)
	case trace.CoreSpeed:
		field = ftraceFrequency
		m.Uint(powerState, uint64(e.Value))
		m.Uint(powerCPU, uint64(e.Core))
	case trace.CoreIdle:
		field = ftraceIdle
		m.Uint(powerState, writer.IdleState(e))
		m.Uint(powerCPU, uint64(e.Core))
	}
	p.body = p.body[:0]
	p.body.Uint(ftraceTime, p.at(e.Wall))
	p.body.Uint(ftracePID, uint64(on))
	p.body.Bytes(field, *m)
}
