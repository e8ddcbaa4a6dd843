package pprof

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"
)

// isLegacyText reports whether a file that begins with head is a profile in pprof's old text forms:
// those of gperftools, and those that Go's runtime writes with ?debug=1.
func isLegacyText(head []byte) bool {
	for _, begins := range []string{"--- contentionz ", "--- contention:", "--- mutex:", "--- heapz ", "--- threadz ", "heap profile: "} {
		if bytes.HasPrefix(head, []byte(begins)) {
			return true
		}
	}
	line, _, _ := bytes.Cut(head, []byte("\n"))
	name, total, ok := strings.Cut(string(bytes.TrimRight(line, "\r")), " profile: total ")
	_, err := strconv.ParseUint(total, 10, 63)
	return ok && err == nil && name != "" && !strings.ContainsAny(name, " \t")
}

// hiddenFrame is the function of the frames that Go's texts omit: those of its runtime at both ends
// of a stack.
const hiddenFrame = "[runtime]"

// addNames adds the functions that Go's runtime lists below each stack of a text, in lines such as
//
//	#	0x10420fe2f	time.Sleep+0x14f	/go/src/runtime/time.go:363
//
// Inlined functions have lines with the address of the function that they are inlined into. Package
// profile ignores these lines. A text without such lines, as written by gperftools, remains without
// names.
func addNames(p *profile.Profile, text []byte) {
	lines := namesIn(text, p)
	if len(lines) == 0 {
		return
	}
	hidden := &profile.Function{ID: uint64(len(p.Function) + 1), Name: hiddenFrame}
	p.Function = append(p.Function, hidden)
	for _, l := range p.Location {
		if l.Line = lines[l.Address]; l.Line == nil {
			l.Line = []profile.Line{{Function: hidden}}
		}
	}
}

// namesIn returns the functions at each address in a text, innermost first, and adds them to p.
func namesIn(text []byte, p *profile.Profile) map[uint64][]profile.Line {
	lines, functions := map[uint64][]profile.Line{}, map[string]*profile.Function{}
	for line := range bytes.Lines(text) {
		words := strings.FieldsFunc(strings.TrimRight(string(line), "\r\n"), func(r rune) bool { return r == '\t' })
		if len(words) < 4 || words[0] != "#" {
			continue
		}
		address, err := strconv.ParseUint(words[1], 0, 64)
		name := words[2]
		if plus := strings.LastIndex(name, "+0x"); plus > 0 {
			name = name[:plus]
		}
		colon := strings.LastIndexByte(words[3], ':')
		isListed := func(l profile.Line) bool { return l.Function.Name == name }
		if err != nil || colon < 0 || slices.ContainsFunc(lines[address], isListed) {
			continue
		}
		number, _ := strconv.ParseInt(words[3][colon+1:], 10, 64)
		f := functions[name]
		if f == nil {
			f = &profile.Function{ID: uint64(len(p.Function) + 1), Name: name, SystemName: name, Filename: words[3][:colon]}
			functions[name], p.Function = f, append(p.Function, f)
		}
		lines[address] = append(lines[address], profile.Line{Function: f, Line: number})
	}
	return lines
}
