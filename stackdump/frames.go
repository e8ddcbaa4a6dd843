package stackdump

import (
	"strings"
	"unicode/utf8"
)

// Frames numbers the different frames of one or several files. Equal texts are
// parsed once: a dump repeats the same few hundred lines over and over.
type Frames struct {
	list   []Frame
	index  map[Frame]FrameID
	byText [numSyntaxes]map[string]FrameID
	names  map[string]string

	// spoiled is set when a new text had to be changed; who reads it clears it.
	spoiled bool
}

// syntax is a way of writing a frame.
type syntax uint8

const (
	javaSyntax   syntax = iota // com.example.Foo.bar(Foo.java:12)
	nativeSyntax               // 000000000004df5c  /lib/libc.so (syscall+28)
	kernelSyntax               // futex_wait+0x120/0x20c
	foldedSyntax               // com.example.Foo.bar
	anySyntax                  // javaSyntax where there are parentheses, else foldedSyntax
	numSyntaxes
)

// parse turns the text of a frame into a Frame.
func (s syntax) parse(text string) Frame {
	switch s {
	case javaSyntax:
		return parseJavaFrame(text)
	case nativeSyntax:
		return parseNativeFrame(text)
	case kernelSyntax:
		return parseKernelFrame(text)
	}
	if s == anySyntax && strings.HasSuffix(text, ")") {
		return parseJavaFrame(text)
	}
	return parseFoldedFrame(text)
}

// NewFrames returns an empty table.
func NewFrames() *Frames {
	f := &Frames{index: map[Frame]FrameID{}, names: map[string]string{}}
	for i := range f.byText {
		f.byText[i] = map[string]FrameID{}
	}
	return f
}

// Len returns how many different frames there are.
func (f *Frames) Len() int { return len(f.list) }

// Frame returns the frame of a number that a [Reader] on this table gave.
func (f *Frames) Frame(id FrameID) *Frame { return &f.list[id] }

// intern returns the number of the frame that text writes in syntax s.
func (f *Frames) intern(s syntax, text []byte) FrameID {
	if id, ok := f.byText[s][string(text)]; ok { // does not allocate
		return id
	}
	id := f.add(s.parse(f.clean(text)))
	f.byText[s][string(text)] = id
	return id
}

// add returns the number of a frame that is already parsed.
func (f *Frames) add(frame Frame) FrameID {
	if id, ok := f.index[frame]; ok {
		return id
	}
	id := FrameID(len(f.list))
	f.list = append(f.list, frame)
	f.index[frame] = id
	return id
}

// name returns text as a string, the same one for equal texts.
func (f *Frames) name(text []byte) string {
	if s, ok := f.names[string(text)]; ok { // does not allocate
		return s
	}
	s := f.clean(text)
	f.names[string(text)] = s
	return s
}

// clean returns text as it may stand in a table.
func (f *Frames) clean(text []byte) string {
	s := validText(text)
	if s != string(text) || strings.ContainsRune(s, utf8.RuneError) {
		f.spoiled = true
	}
	return s
}
