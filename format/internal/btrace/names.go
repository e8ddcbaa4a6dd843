package btrace

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"artifice/format/internal/stackdump"
	"artifice/internal/inputs"
	"artifice/trace"
)

// warnOfNames warns that methods are addresses without names.
func (p *samplingParser) warnOfNames() {
	if p.names.file == "" && len(p.List) > 0 {
		p.Warn.Add(trace.WarnDumpText, p.Name, 0, "no file sampling-mapping, which contains the method names, is next to this file; addresses are used as names", "")
		return
	}
	met := map[uint64]bool{}
	unknown := 0
	for _, n := range p.Nodes {
		if met[n.Key] || n.Key == gcFrame || n.Key == lockFrame {
			continue
		}
		met[n.Key] = true
		if p.names.methods[n.Key] == "" {
			unknown++
		}
	}
	if unknown > 0 {
		p.Warn.Add(trace.WarnMethodID, p.Name, 0, fmt.Sprintf("%d of %d addresses of methods have no name in %s; is it from another recording?", unknown, len(met), p.names.file), "")
	}
}

// names are the names in the file sampling-mapping: of methods, by their
// address, and of threads.
//
//	u8 0, u4 version, u4 methods, for each u8 address, u2 length, name as ART prints it
//
// and until the end, for each thread, u2 tid, u1 length, name with a line end.
type names struct {
	file    string // "" if there is no file
	methods map[uint64]string
	threads map[uint32]string
}

// read reads the file. It does nothing if there is no file.
func (n *names) read() error {
	if n.file == "" {
		return nil
	}
	b, err := inputs.ReadFile(n.file)
	if err != nil {
		return err
	}
	if len(b) < 16 || binary.LittleEndian.Uint64(b) != 0 {
		return stackdump.BadLine(n.file, 0, "it is not a sampling-mapping of btrace 3", nil)
	}
	n.methods, n.threads = map[uint64]string{}, map[uint32]string{}
	left := b[16:]
	for range binary.LittleEndian.Uint32(b[12:]) {
		if len(left) < 10 || len(left)-10 < int(binary.LittleEndian.Uint16(left[8:])) {
			return &trace.FormatError{Name: n.file, Offset: int64(len(b) - len(left)), Msg: "a method's name is cut off"}
		}
		end := 10 + int(binary.LittleEndian.Uint16(left[8:]))
		n.methods[binary.LittleEndian.Uint64(left)] = string(left[10:end])
		left = left[end:]
	}
	for len(left) >= 3 && len(left)-3 >= int(left[2]) {
		end := 3 + int(left[2])
		n.threads[uint32(binary.LittleEndian.Uint16(left))] = strings.TrimRight(string(left[3:end]), "\n\x00")
		left = left[end:]
	}
	return nil
}

// NameThread implements [stackdump.SampleNames]. The tid has 16 bits only.
func (p *samplingParser) NameThread(tid uint32, t *stackdump.Thread) {
	if t.Name = p.names.threads[tid]; t.Name == "" {
		t.Name = fmt.Sprintf("thread-%d", tid)
	}
}

// Resolve implements [stackdump.SampleNames]: it returns the frame of an address. It skips frames
// of the runtime itself, as btrace's decoder does.
func (p *samplingParser) Resolve(key uint64) []stackdump.FrameID {
	name := p.names.methods[key]
	switch {
	case key == gcFrame:
		name = "void Heap.WaitForGcToCompleteLocked()"
	case key == lockFrame:
		name = "void Monitor:Lock()"
	case name == "":
		name = fmt.Sprintf("0x%x", key)
	case strings.HasPrefix(name, "<runtime"):
		return nil
	}
	return []stackdump.FrameID{p.Input.Frame(stackdump.ARTSyntax, []byte(name))}
}

// FindNames returns the file with the names of a sampling file's methods, or "" if there is none.
// Its name is that of the sampling file with "sampling-mapping" in place of "sampling".
func (samplingCodec) FindNames(name string) string {
	folder, file := filepath.Split(name)
	for _, other := range []string{strings.Replace(file, "sampling", "sampling-mapping", 1), "sampling-mapping", "sampling-mapping.bin"} {
		if info, err := os.Stat(folder + other); other != file && err == nil && info.Mode().IsRegular() {
			return folder + other
		}
	}
	return ""
}
