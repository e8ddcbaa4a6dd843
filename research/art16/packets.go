package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"artifice/internal/dmformat"
)

// sameV2 returns an error if two files in format V2 differ in what ART determines. ART's method ids
// are addresses, so methods are compared by their names. ART announces the methods of all loaded
// classes, also of the core library, and the emulation those of the truth. ART's worker thread
// writes these announcements while other threads write their own (RecordThreadInfo), in any order.
// Last, blocks of one thread that follow each other are joined: artifice limits their length.
func sameV2(art, ours []byte) error {
	theirs, err := readPackets(art)
	if err != nil {
		return fmt.Errorf("ART's file: %w", err)
	}
	mine, err := readPackets(ours)
	if err != nil {
		return fmt.Errorf("our file: %w", err)
	}
	listed := map[string]bool{}
	for _, line := range theirs.methods {
		listed[line] = true
	}
	for _, line := range mine.methods {
		if !listed[line] {
			return fmt.Errorf("ART does not announce %q", line)
		}
	}
	for i := range max(len(theirs.lines), len(mine.lines)) {
		a, b := "no line", "no line"
		if i < len(theirs.lines) {
			a = theirs.lines[i]
		}
		if i < len(mine.lines) {
			b = mine.lines[i]
		}
		if a != b {
			return fmt.Errorf("ART and we: %q and %q", a, b)
		}
	}
	return nil
}

// packets is the content of a file in format V2.
type packets struct {
	methods map[uint64]string // announced, by id
	threads map[uint32]bool   // announced
	lines   []string          // the header, threads in order, blocks and summary
	blocks  []string
	last    uint32 // thread of the last block
	clocks  int
}

// readPackets reads a file. It returns an error for an event of a thread or method that is not
// announced before, and for a second announcement of a method.
func readPackets(file []byte) (*packets, error) {
	if len(file) < dmformat.HeaderSize {
		return nil, io.ErrUnexpectedEOF
	}
	p := &packets{methods: map[uint64]string{}, threads: map[uint32]bool{}, clocks: dmformat.ParseHeaderV2(file).Clocks}
	p.lines = append(p.lines, fmt.Sprintf("header %x", file[:dmformat.HeaderSize]))
	heads := map[byte]int{
		dmformat.PacketThread: dmformat.ThreadHead, dmformat.PacketMethod: dmformat.MethodHead,
		dmformat.PacketSummary: dmformat.SummaryHead, dmformat.PacketEntries: blockHead,
	}
	for at := dmformat.HeaderSize; at < len(file); {
		b := file[at:]
		head, known := heads[b[0]]
		if !known || len(b) < head {
			return nil, fmt.Errorf("offset %d: packet %d, with %d bytes to the end", at, b[0], len(b))
		}
		size := int(binary.LittleEndian.Uint16(b[head-2:]))
		if b[0] == dmformat.PacketEntries {
			size = int(binary.LittleEndian.Uint32(b[head-4:]))
		}
		if len(b) < head+size {
			return nil, fmt.Errorf("offset %d: a packet of %d bytes, with %d bytes to the end", at, head+size, len(b))
		}
		if err := p.packet(b[:head], b[head:head+size]); err != nil {
			return nil, fmt.Errorf("offset %d: %w", at, err)
		}
		at += head + size
	}
	p.lines = append(p.lines, p.blocks...)
	return p, nil
}

// unnamed returns the line of a method without what ART takes from another one: RecordMethodInfoV2
// looks the index of a proxy's method, which is that of the interface's method in its dex file, up
// in the dex file of the class, which is the core library's (ArtMethod::GetName, GetSignature).
func unnamed(line string) string {
	fields := strings.Split(line, "\t")
	if !strings.HasPrefix(line, "$Proxy") || len(fields) != 4 || fields[1] == "<init>" {
		return line
	}
	return fields[0] + "\t" + fields[3]
}

// blockHead is the length of a block's head: code, u4 tid, u3 records, u4 bytes.
const blockHead = 12

func (p *packets) packet(head, body []byte) error {
	switch head[0] {
	case dmformat.PacketMethod:
		id := binary.LittleEndian.Uint64(head[1:])
		if p.methods[id] != "" {
			return fmt.Errorf("method %#x is announced again", id)
		}
		p.methods[id] = unnamed(string(body))
	case dmformat.PacketThread:
		tid := binary.LittleEndian.Uint32(head[1:])
		p.threads[tid] = true
		p.lines = append(p.lines, fmt.Sprintf("thread %d %q", tid, body))
	case dmformat.PacketEntries:
		return p.block(head, body)
	default:
		p.blocks = append(p.blocks, strings.Split(string(body), "\n")...)
	}
	return nil
}

// block adds a line for each event of a block: the action, the times and the method.
func (p *packets) block(head, body []byte) error {
	tid, n := binary.LittleEndian.Uint32(head[1:]), int(head[5])|int(head[6])<<8|int(head[7])<<16
	if !p.threads[tid] {
		return fmt.Errorf("events of thread %d, which is not announced", tid)
	}
	if p.last != tid || len(p.blocks) == 0 {
		p.last, p.blocks = tid, append(p.blocks, fmt.Sprintf("block of thread %d", tid))
	}
	method, times := int64(0), make([]uint64, p.clocks)
	for ; n > 0; n-- {
		d, size, _ := dmformat.SLEB(body)
		if size <= 0 {
			return io.ErrUnexpectedEOF
		}
		method, body = method+d, body[size:]
		for i := range times {
			d, size, _ := dmformat.ULEB(body)
			if size <= 0 {
				return io.ErrUnexpectedEOF
			}
			times[i], body = times[i]+d, body[size:]
		}
		line := p.methods[uint64(method)&^3]
		if line == "" {
			return fmt.Errorf("an event of method %#x, which is not announced", method)
		}
		p.blocks = append(p.blocks, fmt.Sprintf("%d %d %s", method&3, times, strings.TrimSuffix(line, "\n")))
	}
	if len(body) > 0 {
		return errors.New("bytes are left in a block")
	}
	return nil
}
