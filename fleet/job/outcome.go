package job

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"fmt"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"artifice/fleet/manifest"
	"artifice/internal/words"
)

func init() {
	beam.RegisterType(reflect.TypeFor[outcomeFn]())
	beam.RegisterType(reflect.TypeFor[outcomeRecordFn]())
	beam.RegisterCoder(reflect.TypeFor[*Outcome](), encodeOutcome, decodeOutcome)
}

// Outcome is the outcome of files: each was read to its end or is unread.
type Outcome struct {
	Read          []int // their indices in the list
	Unread        []Unread
	Events, Bytes int64 // bytes include unread files
}

// Unread is a file that does not count in any result.
type Unread struct {
	Index       int // in the list
	Path, Error string
}

// Files returns the number of files.
func (o *Outcome) Files() int { return len(o.Read) + len(o.Unread) }

// handOn emits the outcome so far to a runner, which may keep it, and continues with an empty one.
func (o *Outcome) handOn(emit func(*Outcome)) {
	all := *o
	*o = Outcome{}
	emit(&all)
}

func encodeOutcome(o *Outcome) ([]byte, error) { return pack(o), nil }

func decodeOutcome(b []byte) (*Outcome, error) {
	o := &Outcome{}
	return o, gob.NewDecoder(bytes.NewReader(b)).Decode(o)
}

// outcomes adds the joined outcomes of all files, as a record, to a pipeline.
func outcomes(s beam.Scope, some []beam.PCollection) beam.PCollection {
	return beam.ParDo(s, &outcomeRecordFn{}, beam.Combine(s, &outcomeFn{}, beam.Flatten(s, some...)))
}

// outcomeFn joins outcomes.
type outcomeFn struct{}

// CreateAccumulator returns the outcome of no files.
func (*outcomeFn) CreateAccumulator() *Outcome { return &Outcome{} }

// MergeAccumulators adds b to a.
func (*outcomeFn) MergeAccumulators(a, b *Outcome) *Outcome {
	a.Read, a.Unread = append(a.Read, b.Read...), append(a.Unread, b.Unread...)
	a.Events, a.Bytes = a.Events+b.Events, a.Bytes+b.Bytes
	return a
}

// outcomeRecordFn creates a record of an outcome.
type outcomeRecordFn struct{}

// ProcessElement returns the record.
func (*outcomeRecordFn) ProcessElement(o *Outcome) (string, []byte) { return "outcome", pack(o) }

// outcomeOf returns the outcome of the files of a job in the order of the list. It fails unless
// every file is there exactly once.
func outcomeOf(ctx context.Context, folder string, files []manifest.File) (*Outcome, error) {
	all := &Outcome{}
	list, err := unpack[Outcome](ctx, folder, "outcome")
	if err != nil {
		return nil, err
	}
	for i := range list {
		all = (*outcomeFn)(nil).MergeAccumulators(all, &list[i])
	}
	slices.Sort(all.Read)
	slices.SortFunc(all.Unread, func(a, b Unread) int { return cmp.Compare(a.Index, b.Index) })
	times := map[int]int{}
	for _, i := range all.Read {
		times[i]++
	}
	for i := range all.Unread {
		times[all.Unread[i].Index]++
	}
	for i := range files {
		if n := times[files[i].Index]; n != 1 {
			return nil, fmt.Errorf("the runner lost count of files: %s came back %s, of %d files %d; nothing is written", files[i].Path, words.Count(n, "time"), len(files), all.Files())
		}
	}
	return all, nil
}
