package perfetto

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"artifice/internal/protobuf"
)

// deflated processes packets compressed by zlib (compressed_packets): traced compresses several
// packets into one if configured to do so.
func (p *packets) deflated(b []byte) error {
	in, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		return damaged{fmt.Errorf("compressed packets: %w", err)}
	}
	defer in.Close()
	return p.unpacked(in, len(b))
}

// zstd processes packets compressed by zstd (zstd_compressed_packets).
func (p *packets) zstd(b []byte) error {
	in, err := zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPacket))
	if err != nil {
		return damaged{fmt.Errorf("compressed packets: %w", err)}
	}
	defer in.Close()
	return p.unpacked(in, len(b))
}

// unpacked processes the packets in in, which had the given number of bytes when compressed. They
// have the form of a separate trace. None of them may be compressed again.
func (p *packets) unpacked(in io.Reader, from int) error {
	if p.packed > 0 {
		return damaged{errors.New("a compressed packet contains compressed packets")}
	}
	p.packed++
	defer func() { p.packed-- }()
	most := min(int64(maxPacket), max(64<<20, int64(from)*int64(p.ratio)))
	all, err := io.ReadAll(io.LimitReader(in, most+1))
	switch {
	case err != nil:
		return damaged{fmt.Errorf("compressed packets: %w", err)}
	case int64(len(all)) > most:
		return fmt.Errorf("%d bytes of compressed packets decompress to more than %d", from, most)
	}
	if err := p.stop(); err != nil {
		return err
	}
	return protobuf.Fields(all, func(field int, _ uint64, packet []byte) error {
		if field != tracePacket || packet == nil {
			return nil
		}
		if err := p.packet(packet); err != nil {
			return p.leaveOut(err)
		}
		return nil
	})
}
