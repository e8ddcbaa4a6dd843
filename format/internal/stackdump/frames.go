package stackdump

import (
	"hash/maphash"
	"slices"
	"strings"
	"unicode/utf8"
)

// Frames numbers the distinct frames of one or several files. Equal texts are parsed once, because
// dumps repeat the same few hundred lines many times.
//
// A frame takes some 250 bytes, including its text. The keys of the maps are hashes if the values
// they represent are in the list anyway.
type Frames struct {
	list   []Frame
	seed   maphash.Seed
	index  map[uint64]FrameID // by the hash of the frame, or the next free number after it
	byText [numSyntaxes]map[string]FrameID
	names  map[string]string

	// spoiled is set if a new text had to be changed. Reading it clears it.
	spoiled bool
}

// NoStack is the frame of a sample without frames, in files in which such a sample has a value. The
// totals contain it, as in go tool pprof.
const NoStack = "(no stack)"

// Syntax is a textual form of frames.
type Syntax uint8

const (
	JavaSyntax   Syntax = iota // com.example.Foo.bar(Foo.java:12)
	NativeSyntax               // 000000000004df5c  /lib/libc.so (syscall+28)
	KernelSyntax               // futex_wait+0x120/0x20c
	FoldedSyntax               // com.example.Foo.bar
	ARTSyntax                  // void com.example.Foo.bar(int)
	AnySyntax                  // JavaSyntax if the text has parentheses, else FoldedSyntax
	numSyntaxes
)

// parse turns the text of a frame into a Frame.
func (s Syntax) parse(text string) Frame {
	switch s {
	case JavaSyntax:
		return parseJavaFrame(text)
	case NativeSyntax:
		return parseNativeFrame(text)
	case KernelSyntax:
		return parseKernelFrame(text)
	case ARTSyntax:
		return parseARTFrame(text)
	}
	if s == AnySyntax && strings.HasSuffix(text, ")") {
		return parseJavaFrame(text)
	}
	return ParseFoldedFrame(text)
}

// NewFrames returns an empty table.
func NewFrames() *Frames {
	f := &Frames{seed: maphash.MakeSeed(), index: map[uint64]FrameID{}, names: map[string]string{}}
	for i := range f.byText {
		f.byText[i] = map[string]FrameID{}
	}
	return f
}

// Len returns the number of distinct frames.
func (f *Frames) Len() int { return len(f.list) }

// Frame returns the frame with a number assigned by a [Reader] with this table.
func (f *Frames) Frame(id FrameID) *Frame { return &f.list[id] }

// intern returns the number of the frame with this text in syntax s.
func (f *Frames) intern(s Syntax, text []byte) FrameID {
	if id, ok := f.byText[s][string(text)]; ok { // does not allocate
		return id
	}
	cleaned := f.Clean(text)
	id := f.Add(s.parse(cleaned))
	if cleaned != string(text) {
		cleaned = string(text)
	}
	f.byText[s][cleaned] = id // if text is unchanged, the names of the frame are substrings of it
	return id
}

// Add returns the number of a frame that is already parsed.
func (f *Frames) Add(frame Frame) FrameID {
	key := maphash.Comparable(f.seed, frame)
	for ; ; key++ {
		id, taken := f.index[key]
		if !taken {
			break
		}
		if f.list[id] == frame {
			return id
		}
	}
	id := FrameID(len(f.list))
	if n := len(f.list); n == cap(f.list) {
		f.list = slices.Grow(f.list, n+1)
	}
	f.list = append(f.list, frame)
	f.index[key] = id
	return id
}

// Name returns text as a string. Equal texts have the same string.
func (f *Frames) Name(text []byte) string {
	if s, ok := f.names[string(text)]; ok { // does not allocate
		return s
	}
	s := f.Clean(text)
	f.names[string(text)] = s
	return s
}

// Clean returns text in a form that tables can contain.
func (f *Frames) Clean(text []byte) string {
	s := validText(text)
	if s != string(text) || strings.ContainsRune(s, utf8.RuneError) {
		f.spoiled = true
	}
	return s
}

// validText returns text as a string with each invalid UTF-8 sequence replaced by U+FFFD and each
// control character by a blank: in tables, a tab or a line end would end the field.
func validText(text []byte) string {
	clean := true
	for _, c := range text {
		if c < ' ' || c == 0x7f {
			clean = false
			break
		}
	}
	if clean && utf8.Valid(text) {
		return string(text)
	}
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(string(text), "\ufffd"))
}
