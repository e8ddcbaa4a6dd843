package perfetto

import (
	"artifice/internal/encode"
	"artifice/internal/protobuf"
	"artifice/trace"
)

// Numbers of tracks. The process has 1. A thread has an even number, and its counter of CPU time
// the next odd number.
const processTrack = 1

func threadTrack(id trace.ThreadID) uint64 { return 2*uint64(id) + 2 }
func cpuTrack(id trace.ThreadID) uint64    { return threadTrack(id) + 1 }

// descriptor writes a packet with a TrackDescriptor; fill appends its fields.
func (p *file) descriptor(uuid uint64, fill func(m *protobuf.Message)) error {
	p.body = p.body[:0]
	p.body.Uint(trackUUID, uuid)
	fill(&p.body)
	p.packet = p.packet[:0]
	p.packet.Bytes(packetTrack, p.body)
	return p.flush()
}

// start writes the beginning of the file: a packet that clears the interned data, and the process.
func (p *file) start() error {
	p.pid = encode.ProcessID(p.Rec)
	p.packet = p.packet[:0]
	p.packet.Uint(packetFlags, stateCleared)
	if err := p.flush(); err != nil {
		return err
	}
	err := p.descriptor(processTrack, func(m *protobuf.Message) {
		var process protobuf.Message
		process.Uint(processPID, uint64(p.pid))
		m.Bytes(trackProcess, process)
	})
	for i := range p.Rec.DisplayFrames {
		if err == nil {
			err = p.displayFrame(&p.Rec.DisplayFrames[i])
		}
	}
	return err
}

// BeginThread implements [encode.Timeline]: it writes the tracks of a thread.
func (p *file) BeginThread(id trace.ThreadID) error {
	if p.pid == 0 {
		if err := p.start(); err != nil {
			return err
		}
	}
	for int(id) >= len(p.tracks) {
		p.tracks = append(p.tracks, nil)
	}
	var fields protobuf.Message
	fields.Uint(eventTrack, threadTrack(id))
	if p.hasCPU {
		fields.Uint(eventCounterTracks, cpuTrack(id))
	}
	p.tracks[id] = fields
	t := p.Rec.Symbols.Thread(id)
	err := p.descriptor(threadTrack(id), func(m *protobuf.Message) {
		var thread protobuf.Message
		thread.Uint(threadPID, uint64(p.pid))
		thread.Uint(threadTID, uint64(t.TID))
		thread.Text(threadName, encode.ValidUTF8(t.Name))
		m.Uint(trackParent, processTrack)
		m.Bytes(trackThread, thread)
	})
	if err != nil || !p.hasCPU {
		return err
	}
	return p.descriptor(cpuTrack(id), func(m *protobuf.Message) {
		var counter protobuf.Message
		counter.Uint(counterType, counterThreadTime)
		m.Uint(trackParent, threadTrack(id))
		m.Bytes(trackCounter, counter)
	})
}
