package job

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"reflect"
	"slices"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"artifice/fleet/manifest"
	"artifice/format"
	"artifice/report"
	"artifice/report/diff"
	"artifice/report/estimate"
)

func init() {
	beam.RegisterType(reflect.TypeFor[methodsFn]())
	beam.RegisterType(reflect.TypeFor[compareFn]())
	beam.RegisterType(reflect.TypeFor[sidesRecordFn]())
	beam.RegisterType(reflect.TypeFor[sidesFn]())
}

// Sides assigns files to the sides of a comparison: the label By has the value Old or New.
type Sides struct{ By, Old, New string }

// Of returns the side of a file with the given labels: 0 old, 1 new, -1 neither.
func (s *Sides) Of(labels map[string]string) int {
	switch labels[s.By] {
	case s.Old:
		return 0
	case s.New:
		return 1
	}
	return -1
}

// Diff adds a comparison to a pipeline: that of package report with traces as replicates, on the
// given clock (see [diff.Sides.Clock]). Workers compare methods by name, with all overloads,
// because only all traces together determine whether overloads match by their signatures
// ([diff.Sides.Signatures]). So no worker needs more of a trace than the times of its own methods.
func Diff(w Worker, sides Sides, clock string) Work {
	return func(s beam.Scope, streams []beam.PCollection) []beam.PCollection {
		var read, heads, times []beam.PCollection
		for _, files := range streams {
			some, head, entry := beam.ParDo3(s, &methodsFn{Worker: w, Sides: sides}, files)
			read, heads, times = append(read, some), append(heads, head), append(times, entry)
		}
		all := beam.Combine(s, &sidesFn{}, beam.Flatten(s, heads...))
		byMethod := beam.GroupByKey(s, beam.Flatten(s, times...))
		changes := beam.ParDo(s, &compareFn{clock}, byMethod, beam.SideInput{Input: all})
		return []beam.PCollection{outcomes(s, read), changes, beam.ParDo(s, &sidesRecordFn{}, all)}
	}
}

// DiffResults returns the facts about all traces, and the changes of all methods in no particular
// order. There are no changes if some traces lack the clock.
func DiffResults(ctx context.Context, folder string) (*diff.Sides, []diff.MethodChange, error) {
	list, err := unpack[diff.Sides](ctx, folder, "sides")
	if err != nil {
		return nil, nil, err
	}
	all := &diff.Sides{}
	for _, sides := range list {
		all.Join(sides)
	}
	changes, err := unpack[[]diff.MethodChange](ctx, folder, "changes")
	return all, slices.Concat(changes...), err
}

// methodsFn emits the times of all methods of the traces of a bundle.
type methodsFn struct {
	Worker
	Sides Sides

	outcome Outcome
	all     diff.Sides
	methods map[string][]byte // by name: the concatenated entries of a method
}

// StartBundle begins without traces.
func (f *methodsFn) StartBundle(func(*Outcome), func([]byte), func(string, []byte)) {
	f.outcome, f.all, f.methods = Outcome{}, diff.Sides{}, map[string][]byte{}
}

// ProcessElement reads the file of an element.
func (f *methodsFn) ProcessElement(ctx context.Context, element []byte, _ func(*Outcome), _ func([]byte), _ func(string, []byte)) error {
	return read(ctx, f.Worker, &f.outcome, element, methodsOf, func(file manifest.File, view *report.View) {
		side := f.Sides.Of(file.Labels)
		f.all.Add(view, side)
		for method, times := range view.MethodTimes() {
			f.methods[method.Name] = entry{side, file.Index, method.Signature, *times}.append(f.methods[method.Name])
		}
	})
}

// methodsOf reads the file of one trace.
func methodsOf(s *source) (view *report.View, err error) {
	err = s.open(format.Config{Nesting: true}, func(in *format.Input) error {
		e := estimate.New(in.Recording, estimate.Config{})
		if err := s.copyEvents(e, in); err != nil {
			return err
		}
		view = report.New(e.Finish(), in.Symbols, report.Filter{})
		return nil
	})
	return view, err
}

// FinishBundle emits the results of the bundle's traces.
func (f *methodsFn) FinishBundle(outcome func(*Outcome), head func([]byte), tell func(string, []byte)) {
	f.outcome.handOn(outcome)
	head(pack(f.all))
	for name, times := range f.methods {
		tell(name, times)
	}
	f.methods = nil
}

// entry is the data of a method in one trace, without its name.
type entry struct {
	side, trace int
	signature   string
	times       report.MethodTimes
}

// clocks returns the times of an estimate, in the order of the encoding.
func clocks(c *estimate.Clocks) []*time.Duration {
	return []*time.Duration{&c.Wall.Value, &c.Wall.Low, &c.Wall.High, &c.CPU.Value, &c.CPU.Low, &c.CPU.High}
}

// append appends the encoded entry to b. It is compact: there is one entry for each method in each
// trace.
func (t entry) append(b []byte) []byte {
	flags := int64(0)
	for i, no := range t.times.NoCPU {
		if no {
			flags |= 1 << i
		}
	}
	if t.times.Waits {
		flags |= 1 << 2
	}
	for _, v := range []int64{int64(t.side), int64(t.trace), t.times.Calls, t.times.Samples, flags} {
		b = binary.AppendVarint(b, v)
	}
	for _, d := range slices.Concat(clocks(&t.times.Exclusive), clocks(&t.times.Inclusive)) {
		b = binary.AppendVarint(b, int64(*d))
	}
	return append(binary.AppendVarint(b, int64(len(t.signature))), t.signature...)
}

// errEntry is the error of bytes that a worker of this version does not write.
var errEntry = errors.New("these are not the method times of this version of artifice-fleet: do all workers run the same program?")

// entryOf decodes the first entry and returns the rest.
func entryOf(b []byte) (t entry, rest []byte, err error) {
	number := func() int64 {
		v, n := binary.Varint(b)
		if n <= 0 {
			b, err = nil, errEntry
			return 0
		}
		b = b[n:]
		return v
	}
	t = entry{side: int(number()), trace: int(number()), times: report.MethodTimes{Calls: number(), Samples: number()}}
	flags := number()
	t.times.NoCPU, t.times.Waits = [2]bool{flags&1 != 0, flags&2 != 0}, flags&4 != 0
	for _, d := range slices.Concat(clocks(&t.times.Exclusive), clocks(&t.times.Inclusive)) {
		*d = time.Duration(number())
	}
	size := number()
	if err != nil || size < 0 || size > int64(len(b)) || t.side < 0 || t.side > 1 {
		return t, nil, errEntry
	}
	t.signature = string(b[:size])
	return t, b[size:], nil
}

// sidesFn joins the facts about the traces.
type sidesFn struct{}

// CreateAccumulator returns the facts about no traces.
func (*sidesFn) CreateAccumulator() []byte { return pack(diff.Sides{}) }

// MergeAccumulators joins two.
func (*sidesFn) MergeAccumulators(a, b []byte) ([]byte, error) {
	x, err := sidesOf(a)
	if err != nil {
		return nil, err
	}
	y, err := sidesOf(b)
	x.Join(y)
	return pack(x), err
}

func sidesOf(b []byte) (s diff.Sides, err error) {
	err = gob.NewDecoder(bytes.NewReader(b)).Decode(&s)
	return s, err
}

// compareFn compares the methods with the same name.
type compareFn struct{ Clock string }

// ProcessElement compares the methods called name by the entries of all traces: separately for
// each signature, or together if some traces have no signatures.
func (f *compareFn) ProcessElement(_ context.Context, name string, record func(*[]byte) bool, all []byte, emit func(string, []byte)) error {
	sides, err := sidesOf(all)
	if err != nil {
		return err
	}
	clock, err := sides.Clock(f.Clock)
	if err != nil {
		return nil // the reader of the results gets this error, too
	}
	overloads := map[string][]entry{}
	for b := []byte(nil); record(&b); {
		for rest := b; len(rest) > 0; {
			var t entry
			if t, rest, err = entryOf(rest); err != nil {
				return err
			}
			if sides.Signatures.Mixed() {
				t.signature = ""
			}
			overloads[t.signature] = append(overloads[t.signature], t)
		}
	}
	var changes []diff.MethodChange
	for signature, list := range overloads {
		places := placesOf(list)
		changes = append(changes, sides.Compare(report.Overload{Name: name, Signature: signature}, places[0], places[1], clock))
	}
	emit("changes", pack(changes))
	return nil
}

// placesOf returns the times of a method in the traces of each side, in the order of the list of
// files. It adds up several methods of one trace.
func placesOf(list []entry) (places [2][]diff.Place) {
	slices.SortFunc(list, func(a, b entry) int { return cmp.Compare(a.trace, b.trace) })
	for i := range list {
		side := &places[list[i].side]
		if i > 0 && list[i].trace == list[i-1].trace {
			(*side)[len(*side)-1].Times.Add(&list[i].times)
			continue
		}
		*side = append(*side, diff.Place{Trace: len(*side), Times: &list[i].times})
	}
	return places
}

// sidesRecordFn creates a record of the facts about all traces.
type sidesRecordFn struct{}

// ProcessElement returns the record.
func (*sidesRecordFn) ProcessElement(all []byte) (string, []byte) { return "sides", all }
