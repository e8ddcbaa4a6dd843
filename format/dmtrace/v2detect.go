package dmtrace

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"slices"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// generation determines the generation of a file in format V2 from the counter's frequency in its
// header, or from the unit in its summary. If neither is present, it tries to parse the first
// blocks as each generation.
func generation(f *File, h dmformat.HeaderV2, options map[string]string) (dmformat.Generation, error) {
	if f.options.Format != "" {
		want, err := dmformat.ByName(f.options.Format)
		if err != nil {
			return 0, err
		}
		if want.V2 == 0 {
			return 0, &trace.FormatError{Name: f.name, Msg: "this is a trace in format V2, not " + want.Name}
		}
		return want.V2, nil
	}
	if h.Frequency != 0 {
		return dmformat.V2of17, nil
	}
	candidates := []dmformat.Generation{dmformat.V2of17, dmformat.V2of16, dmformat.V2of15}
	if _, ok := options[dmformat.KeyElapsed]; ok {
		return dmformat.V2of15, nil
	}
	if _, ok := options[dmformat.KeyElapsedN]; ok {
		candidates = candidates[:2]
	}
	// Most files are valid in their own generation, and soon invalid in any other. Therefore the
	// first trials end early.
	for _, g := range candidates {
		t, err := try(f, trial{gen: g, strict: true}, h.Clocks)
		if err != nil || !t.failed && t.unknown == 0 {
			return g, err
		}
	}
	var trials []trial
	for _, g := range candidates {
		t, err := try(f, trial{gen: g}, h.Clocks)
		if err != nil {
			return 0, err
		}
		trials = append(trials, t)
	}
	return slices.MinFunc(trials, trial.compare).gen, nil
}

// trial is the result of parsing a file's beginning as one generation.
type trial struct {
	gen     dmformat.Generation
	strict  bool // end at the first record with an unknown thread or method
	failed  bool // the data is impossible in this generation
	records int  // number of decoded records
	unknown int  // number of these records with a thread or method that was not announced
}

// compare orders trials, the best first.
func (t trial) compare(u trial) int {
	switch {
	case t.failed != u.failed && u.failed:
		return -1
	case t.failed != u.failed:
		return 1
	}
	return t.unknown*max(1, u.records) - u.unknown*max(1, t.records)
}

// tryBlocks and tryBytes limit the data that a trial reads.
const (
	tryBlocks = 8
	tryBytes  = 64 << 10 // bytes of one block
)

// try reads the packets up to the first blocks, assuming t's generation.
func try(f *File, t trial, clocks int) (trial, error) {
	r := bufio.NewReaderSize(io.NewSectionReader(f.plain, 0, f.size), bufferSize)
	if _, err := r.Discard(dmformat.HeaderSize); err != nil {
		return t, err
	}
	tids, v := map[uint32]bool{}, &v2{gen: t.gen, header: dmformat.HeaderV2{Clocks: clocks}}
	at := int64(dmformat.HeaderSize)
	for blocks := 0; blocks < tryBlocks; {
		head, err := r.Peek(dmformat.MethodHead)
		if len(head) < dmformat.ThreadHead || err != nil && err != io.EOF {
			break
		}
		n := 0
		switch head[0] {
		case dmformat.PacketThread:
			n = dmformat.ThreadHead + int(binary.LittleEndian.Uint16(head[5:]))
			tids[binary.LittleEndian.Uint32(head[1:])] = true
		case dmformat.PacketMethod:
			if len(head) < dmformat.MethodHead {
				return t, nil
			}
			n = dmformat.MethodHead + int(binary.LittleEndian.Uint16(head[9:]))
			v.methods.set(binary.LittleEndian.Uint64(head[1:]), 0)
		case dmformat.PacketEntries:
			if n = tryBlock(f, &t, v, r, at, tids); n == 0 {
				return t, nil
			}
			blocks++
		case dmformat.PacketSummary:
			return t, nil
		default:
			t.failed = true
			return t, nil
		}
		if at += int64(n); at > f.size {
			t.unknown++ // the file is truncated here, or is of another generation
			return t, nil
		}
		if n <= r.Buffered() {
			r.Discard(n)
		} else {
			r.Reset(io.NewSectionReader(f.plain, at, f.size-at))
		}
	}
	return t, nil
}

// tryBlock tries the entries packet at offset at, the position of r, and returns its length; 0 ends
// the trial.
func tryBlock(f *File, t *trial, v *v2, r *bufio.Reader, at int64, tids map[uint32]bool) int {
	clocks := v.header.Clocks
	size := dmformat.BlockHeadSize(t.gen, clocks)
	raw, err := r.Peek(size)
	if err != nil {
		return 0
	}
	v.block = block{BlockHead: dmformat.ParseBlockHead(raw, t.gen, clocks), thread: &v2Thread{}}
	v.block.method, v.block.wall, v.block.cpu = v.block.First, uint64(v.block.Wall), uint64(v.block.CPU)
	length := lengthOf(v.block.Bytes)
	if t.gen == dmformat.V2of15 {
		end, err := blockEnd15(f, v.block.BlockHead, at+int64(size), clocks)
		if err != nil {
			t.failed = true
			return 0
		}
		length = int(end - at - int64(size))
		t.judge(v, v.headRecord())
	}
	if !tids[v.block.TID] {
		t.unknown++
	}
	raw, err = r.Peek(size + min(length, tryBytes-size))
	if raw = raw[size:]; !t.tryRecords(v, raw, length-len(raw)) || err != nil {
		return 0
	}
	return size + length
}

// lengthOf converts a length to an int. If an int has 32 bits, a length beyond it becomes a large
// one with room for additions: no file extends that far there.
func lengthOf(n uint32) int { return int(min(uint64(n), math.MaxInt-1<<24)) }

// tryRecords decodes the records in raw, which may be followed by more bytes of their block. It
// reports whether they can be records of this generation.
func (t *trial) tryRecords(v *v2, raw []byte, more int) bool {
	var events [256]trace.Event // the events are discarded
	n := 0
	for len(raw) > 0 {
		k, used := v.plain(events[:], raw) // all of these records have known methods
		if t.records += k; k > 0 {
			n, raw = n+k, raw[used:]
			continue
		}
		r := record{numbers: numbers{Rest: raw, Shortest: true}}
		v.decode(&r)
		if more > 0 && r.Bad == recordCut {
			break
		}
		if r.Bad != "" || r.action > trace.Unwind {
			t.failed = true
			return false
		}
		t.judge(v, r)
		if t.strict && t.unknown > 0 {
			return false
		}
		raw = r.Rest
		n++
	}
	t.failed = more == 0 && n&0xffff != int(v.block.Count&0xffff)
	return !t.failed
}

// judge counts a record.
func (t *trial) judge(v *v2, r record) {
	t.records++
	if _, known := v.methods.find(r.method); !known && (t.gen != dmformat.V2of17 || r.action == trace.Enter) {
		t.unknown++
	}
}

// blockEnd15 returns the end of a V2of15 block with records from start on. ART writes a whole run
// as one block and truncates its two numbers to 16 bits, so they are those of the run modulo 65536.
// The end is the first position at which both numbers match and another packet, or the end of the
// file, follows.
func blockEnd15(f *File, h dmformat.BlockHead, start int64, clocks int) (int64, error) {
	const wrap = 1 << 16
	const most = 5 * wrap * 3 * dmformat.MaxLEB128 // bytes; ART's buffers hold fewer than 5 * 65536 records
	if f.scratch == nil {
		f.scratch = make([]byte, wrap+1)
	}
	buf := f.scratch
	numbers := 0 // number of encoded numbers read completely
	for at, n := int64(0), lengthOf(h.Bytes); at <= most; at, n = at+int64(n), wrap {
		got, err := f.plain.ReadAt(buf[:n+1], start-f.base+at)
		if err != nil && err != io.EOF {
			return 0, err
		}
		numbers += dmformat.CountLEB(buf[:min(got, n)])
		if got < n {
			break
		}
		records := numbers / (1 + clocks)
		fits := numbers%(1+clocks) == 0 && uint32(records)%wrap == h.Count && (n == 0 || buf[n-1] < 0x80)
		if fits && (got == n || buf[n] <= dmformat.PacketSummary) {
			return start + at + int64(n), nil
		}
	}
	if end := start + int64(h.Bytes); end-f.base > f.size {
		return end, nil // the file is truncated within the block
	}
	return 0, &trace.FormatError{Name: f.name, Offset: start,
		Msg: "the header of a block of entries states numbers of records and bytes that do not match its content"}
}
