package writer

import "artifice/trace"

// Track numbers. The process has 1; a thread an even one, its counter of CPU time
// the odd one behind that.
const processTrack = 1

func threadTrack(id trace.ThreadID) uint64 { return 2*uint64(id) + 2 }
func cpuTrack(id trace.ThreadID) uint64    { return threadTrack(id) + 1 }

// descriptor writes a packet with a TrackDescriptor, whose fields fill sets.
func (p *perfetto) descriptor(uuid uint64, fill func(m *message)) error {
	p.body = p.body[:0]
	p.body.uint(trackUUID, uuid)
	fill(&p.body)
	p.packet = p.packet[:0]
	p.packet.bytes(packetTrack, p.body)
	return p.flush()
}

// start writes what stands in front of everything else: that nothing is interned
// yet, and the process.
func (p *perfetto) start() error {
	p.pid = processID(p.rec)
	p.packet = p.packet[:0]
	p.packet.uint(packetFlags, stateCleared)
	if err := p.flush(); err != nil {
		return err
	}
	return p.descriptor(processTrack, func(m *message) {
		var process message
		process.uint(processPID, uint64(p.pid))
		m.bytes(trackProcess, process)
	})
}

// track writes the tracks of a thread.
func (p *perfetto) track(id trace.ThreadID) error {
	if p.pid == 0 {
		if err := p.start(); err != nil {
			return err
		}
	}
	for int(id) >= len(p.tracks) {
		p.tracks = append(p.tracks, nil)
	}
	var fields message
	fields.uint(eventTrack, threadTrack(id))
	if p.hasCPU {
		fields.uint(eventCounterTracks, cpuTrack(id))
	}
	p.tracks[id] = fields
	t := p.rec.Symbols.Thread(id)
	err := p.descriptor(threadTrack(id), func(m *message) {
		var thread message
		thread.uint(threadPID, uint64(p.pid))
		thread.uint(threadTID, uint64(t.TID))
		thread.text(threadName, utf8(t.Name))
		m.uint(trackParent, processTrack)
		m.bytes(trackThread, thread)
	})
	if err != nil || !p.hasCPU {
		return err
	}
	return p.descriptor(cpuTrack(id), func(m *message) {
		var counter message
		counter.uint(counterType, counterThreadTime)
		m.uint(trackParent, threadTrack(id))
		m.bytes(trackCounter, counter)
	})
}
