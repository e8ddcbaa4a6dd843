package local

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/google/go-cmp/cmp"
)

func init() {
	beam.RegisterType(reflect.TypeFor[numbersFn]())
	beam.RegisterType(reflect.TypeFor[listFn]())
	beam.RegisterType(reflect.TypeFor[seenFn]())
	beam.RegisterType(reflect.TypeFor[badFn]())
	beam.RegisterType(reflect.TypeFor[waitFn]())
	beam.RegisterFunction(add)
}

func add(a, b int) int { return a + b }

// numbersFn emits the numbers from From to From+9 with whether they are even.
type numbersFn struct{ From int }

func (f *numbersFn) ProcessElement(_ []byte, emit func(string, int)) {
	for n := f.From; n < f.From+10; n++ {
		emit([]string{"even", "odd"}[n%2], n)
	}
}

// listFn formats a group.
type listFn struct{}

func (*listFn) ProcessElement(key string, n func(*int) bool, emit func(string)) {
	var all []int
	for v := 0; n(&v); {
		all = append(all, v)
	}
	slices.Sort(all)
	emit(fmt.Sprint(key, all))
}

var (
	seenMutex sync.Mutex
	seen      []string
	counter   = beam.NewCounter("test", "seen")
)

// seenFn emits its elements with the number of the side input.
type seenFn struct{}

func (*seenFn) ProcessElement(ctx context.Context, text string, sideInput int) {
	seenMutex.Lock()
	defer seenMutex.Unlock()
	seen = append(seen, fmt.Sprint(text, " of ", sideInput))
	counter.Inc(ctx, int64(len(text)))
}

// TestExecute: two branches that are joined, grouped and added up, with a sum as side input, give
// the arithmetic result, and counters are added up over transforms.
func TestExecute(t *testing.T) {
	seen = nil
	p, s := beam.NewPipelineWithRoot()
	var branches []beam.PCollection
	for _, from := range []int{0, 10} {
		branches = append(branches, beam.Reshuffle(s, beam.ParDo(s, &numbersFn{from}, beam.Impulse(s))))
	}
	all := beam.Flatten(s, branches...)
	sums := beam.CombinePerKey(s, add, all)
	total := beam.Combine(s, add, beam.DropKey(s, sums))
	lists := beam.ParDo(s, &listFn{}, beam.GroupByKey(s, all))
	for range 2 {
		beam.ParDo0(s, &seenFn{}, lists, beam.SideInput{Input: total})
	}
	result, err := Execute(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	even, odd := "even[0 2 4 6 8 10 12 14 16 18]", "odd[1 3 5 7 9 11 13 15 17 19]"
	want := []string{even + " of 190", even + " of 190", odd + " of 190", odd + " of 190"} // 190 = 19*20/2
	slices.Sort(seen)
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
	var counted int64
	for _, c := range result.Metrics().AllMetrics().Counters() {
		counted += c.Result()
	}
	if want := int64(2 * (len(even) + len(odd))); counted != want {
		t.Errorf("counted %d, want %d", counted, want)
	}
}

// badFn fails, or panics.
type badFn struct{ Panic bool }

var errBad = errors.New("it is the third of May")

func (f *badFn) ProcessElement(_ []byte, _ func(int)) error {
	if f.Panic {
		panic(errBad.Error())
	}
	return errBad
}

// TestErrors: the error of a function is the error of the pipeline, word for word, and a panic is
// an error.
func TestErrors(t *testing.T) {
	for _, panics := range []bool{false, true} {
		p, s := beam.NewPipelineWithRoot()
		beam.GroupByKey(s, beam.AddFixedKey(s, beam.ParDo(s, &badFn{panics}, beam.Impulse(s))))
		_, err := Execute(t.Context(), p)
		if err == nil || !strings.Contains(err.Error(), errBad.Error()) || !panics && err.Error() != errBad.Error() {
			t.Errorf("panic %v: %v", panics, err)
		}
	}
}

// waitFn waits for the end of its context.
type waitFn struct{}

var waiting = make(chan bool, 1)

func (*waitFn) ProcessElement(ctx context.Context, _ []byte) error {
	waiting <- true
	<-ctx.Done()
	return ctx.Err()
}

// TestCancel: a function's context is cancelled when the work is to end.
func TestCancel(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	beam.ParDo0(s, &waitFn{}, beam.Impulse(s))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	time.AfterFunc(time.Minute, stop) // ends a test that hangs
	go func() { <-waiting; stop() }()
	if _, err := Execute(ctx, p); err == nil || ctx.Err() == nil {
		t.Errorf("it went on: %v", err)
	}
}

// TestRefuses: unsupported transforms are rejected.
func TestRefuses(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	a := beam.ParDo(s, &numbersFn{}, beam.Impulse(s))
	beam.CoGroupByKey(s, a, a)
	if _, err := Execute(t.Context(), p); err == nil || !strings.Contains(err.Error(), "one collection at a time") {
		t.Error(err)
	}
}
