package stackdump

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"artifice/internal/decode"
	"artifice/internal/jsonread"
	"artifice/trace"
)

// JSON is the part of a parser that reads JSON documents.
type JSON struct {
	Input
	*jsonread.Document
}

// NewJSON returns a JSON that reads r.
func NewJSON(in Input, r io.Reader) JSON { return JSON{in, jsonread.NewDocument(r)} }

// Here makes the current line the one stated in warnings.
func (j *JSON) Here() { j.Lines.Line = j.Line() }

// Fail adds the position to an error. A document that ends too early is io.ErrUnexpectedEOF.
func (j *JSON) Fail(err error) error {
	if err == nil {
		return nil
	}
	if _, done := err.(*trace.FormatError); done {
		return err
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	j.Here()
	return BadLine(j.Name, j.Lines.Line, "the rest of the JSON cannot be read; it may be truncated", err)
}

// WholeJSON is a parser of samples of threads from one JSON document. Its parts refer to each other
// in any order, so it is read to its end before the first sample is delivered. A stack lasts until
// the thread's next sample.
type WholeJSON struct {
	JSON
	Samples  Samples
	Interval time.Duration // sampling interval stated by the file; 0 if not stated

	Unclocked bool // see [trace.Info]

	document Document
	begun    bool
}

// Document reads the content of a format for a [WholeJSON].
type Document interface {
	// ReadFile reads the document to its end and adds its samples.
	ReadFile() error
	// NameThread sets the name and identity of a thread.
	NameThread(tid uint32, t *Thread)
}

// documentNames resolves the names of samples with frames as keys.
type documentNames struct {
	Document
	one [1]FrameID
}

// Resolve implements [SampleNames].
func (n *documentNames) Resolve(key uint64) []FrameID {
	n.one[0] = FrameID(key)
	return n.one[:]
}

// Init makes p a parser of a document.
func (p *WholeJSON) Init(in Input, text io.Reader, document Document) {
	p.JSON = NewJSON(in, text)
	p.Samples = Samples{Input: in, names: &documentNames{Document: document}}
	p.document = document
}

// Load reads the document, if it has not been read yet.
func (p *WholeJSON) Load() error {
	if p.begun {
		return nil
	}
	p.begun = true
	if err := p.Fail(p.document.ReadFile()); err != nil {
		return err
	}
	p.Lines.Line = 0 // a sample has no single line
	p.Samples.Sort()
	return nil
}

// Next implements parser.
func (p *WholeJSON) Next(d *Dump) error {
	if err := p.Load(); err != nil {
		return err
	}
	err := p.Samples.Deliver(d)
	d.Interval, d.Unclocked = p.Interval, p.Unclocked
	return err
}

// Bad returns an error about the document at the decoder's position.
func (p *WholeJSON) Bad(format string, args ...any) error {
	p.Here()
	return BadLine(p.Name, p.Lines.Line, fmt.Sprintf(format, args...), nil)
}

// Add adds a sample of a thread; count is the number of samples with this stack.
func (p *WholeJSON) Add(at, cpu time.Duration, tid uint32, stack int32, count uint32) {
	p.Samples.List = append(p.Samples.List, Sample{At: at, CPU: cpu, TID: tid, Stack: stack, Count: count})
}

// Chains converts a tree of stacks to nodes of samples, and returns their numbers. callers[i] is
// the index of the caller of node i, or -1 if it has none. frame returns the frame of a node; ok is
// false if the node has no frame. Chains returns an error if a node is its own ancestor.
func (p *WholeJSON) Chains(callers []int32, frame func(i int32) (f FrameID, ok bool)) ([]int32, error) {
	const unknown = -2
	stacks := make([]int32, len(callers))
	for i := range stacks {
		stacks[i] = unknown
	}
	var below []int32
	for i := range stacks {
		below = below[:0]
		at := int32(i)
		for at >= 0 && stacks[at] == unknown {
			if len(below) == len(stacks) {
				return nil, p.Bad("stack %d is its own caller", i)
			}
			below = append(below, at)
			at = callers[at]
		}
		stack := int32(NoNode)
		if at >= 0 {
			stack = stacks[at]
		}
		for k := len(below) - 1; k >= 0; k-- {
			if f, ok := frame(below[k]); ok {
				stack = p.Samples.Under(stack, uint64(f))
			}
			stacks[below[k]] = stack
		}
	}
	return stacks, nil
}

// TimeOf returns a number of units as a time.
func TimeOf[Text ~string | []byte](n Text, unit time.Duration) (time.Duration, error) {
	at, ok := decode.Time([]byte(n), unit)
	if !ok {
		return 0, fmt.Errorf("time %.30q is not a number, or exceeds 73 years", n)
	}
	return at, nil
}

// HasJSONKeys reports whether head begins a JSON object and has all of the keys.
func HasJSONKeys(head []byte, keys ...string) bool {
	for _, key := range keys {
		if !HasJSONKey(head, key) {
			return false
		}
	}
	return !bytes.Contains(head, []byte(`"traceEvents"`))
}
