package profile

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	pprof "github.com/google/pprof/profile"

	tracetext "artifice/format/text"
	"artifice/internal/encode"
	"artifice/trace"
)

// read returns the profile of a trace in the text format.
func read(t testing.TB, text string, labels []Label, threads Threads) *Tree {
	t.Helper()
	rec, err := tracetext.NewReader(strings.NewReader(text), "test")
	if err != nil {
		t.Fatal(err)
	}
	stacks, err := encode.NewProfileStacks(rec, encode.ProfileConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trace.Copy(stacks, rec.Events); err != nil {
		t.Fatal(err)
	}
	stacks.Finish()
	tree, err := New(rec, stacks, labels, threads)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// Two traces by hand, times in ms: in the first, a takes 10, including 4 of b; in the second, a
// takes 5, and b, called at the top level, 2.
const (
	first = `# artifice text trace
info	clock	dual
thread	7	main
method	0x4	a.A	a	()V	A.java	1
method	0x8	a.B	b	()V	B.java	2
0 0 7 enter a.A.a()V
3000000 3000000 7 enter a.B.b()V
7000000 5000000 7 exit a.B.b()V
10000000 6000000 7 exit a.A.a()V
`
	second = `# artifice text trace
info	clock	dual
thread	9	main
method	0x4	a.A	a	()V	A.java	1
method	0x8	a.B	b	()V	B.java	2
0 0 9 enter a.A.a()V
5000000 1000000 9 exit a.A.a()V
6000000 1000000 9 enter a.B.b()V
8000000 1500000 9 exit a.B.b()V
`
	// samples of CPU time: 3 ms of a
	cpuOnly = `# artifice text trace
info	clock	dual
info	of-cpu	true
thread	9	main
method	0x4	a.A	a	()V	A.java	1
0 0 9 enter a.A.a()V
3000000 3000000 9 exit a.A.a()V
`
	wallOnly = `# artifice text trace
info	clock	wall
thread	9	main
method	0x4	a.A	a	()V	A.java	1
method	0x8	a.B	b	()V	B.java	2
0 - 9 enter a.A.a()V
1000000 - 9 exit a.A.a()V
`
)

// samplesOf returns the stacks of a profile with their labels and values, one per line.
func samplesOf(t *testing.T, tree *Tree) (lines []string) {
	t.Helper()
	var b bytes.Buffer
	if err := tree.Write(&b); err != nil {
		t.Fatal(err)
	}
	p, err := pprof.Parse(&b) // also validates the profile
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range p.Sample {
		var stack []string
		for _, l := range slices.Backward(s.Location) {
			stack = append(stack, l.Line[0].Function.Name)
		}
		lines = append(lines, strings.Join(stack, ";")+" "+join(s.Value)+" "+strings.Join(s.Label["thread"], "")+strings.Join(s.Label["app"], "")+join(s.NumLabel["tid"]))
	}
	return lines
}

func join(values []int64) string {
	var b bytes.Buffer
	for i, v := range values {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(time.Duration(v).String())
	}
	return b.String()
}

func TestMerge(t *testing.T) {
	var sum Tree
	sum.Merge(read(t, first, nil, ByName))
	sum.Merge(read(t, second, nil, ByName))
	want := []string{
		"(toplevel) 0s,1ms,0s main",
		"a.A.a 2ns,11ms,5ms main", // 2 calls; 10 - 4 + 5 of wall time, 6 - 2 + 1 of CPU time
		"a.A.a;a.B.b 1ns,4ms,2ms main",
		"a.B.b 1ns,2ms,500µs main",
	}
	if diff := cmp.Diff(want, samplesOf(t, &sum)); diff != "" {
		t.Errorf("by name (-want +got):\n%s", diff)
	}
	if sum.Traces != 2 || sum.Duration != 18*time.Millisecond {
		t.Errorf("%d traces of %s", sum.Traces, sum.Duration)
	}
	sum = Tree{}
	sum.Merge(read(t, first, []Label{{Key: "app", Text: "x"}}, ByTID))
	sum.Merge(read(t, second, nil, ByTID))
	want = []string{
		"a.A.a 1ns,6ms,4ms mainx7ns",
		"a.A.a;a.B.b 1ns,4ms,2ms mainx7ns",
		"(toplevel) 0s,1ms,0s main9ns",
		"a.A.a 1ns,5ms,1ms main9ns",
		"a.B.b 1ns,2ms,500µs main9ns",
	}
	if diff := cmp.Diff(want, samplesOf(t, &sum)); diff != "" {
		t.Errorf("by id and label (-want +got):\n%s", diff)
	}
}

// TestMissingColumns: a column that one trace lacks is the sum over the others, and the profile
// states how many traces lack it.
func TestMissingColumns(t *testing.T) {
	var sum Tree
	sum.Merge(read(t, first, nil, Together))
	sum.Merge(read(t, wallOnly, nil, Together))
	// In the first, a has 4 ms of CPU self time and b 2; the second adds 1 ms of wall time.
	if diff := cmp.Diff([]string{"a.A.a 2ns,7ms,4ms ", "a.A.a;a.B.b 1ns,4ms,2ms "}, samplesOf(t, &sum)); diff != "" {
		t.Error(diff)
	}
	var b bytes.Buffer
	if err := sum.Write(&b); err != nil {
		t.Fatal(err)
	}
	p, err := pprof.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"sum of 2 traces", "cpu: 1 of 2 traces have none and count as 0"}, p.Comments); diff != "" {
		t.Error(diff)
	}
	if p.DefaultSampleType != "wall" || p.PeriodType.Type != "wall" {
		t.Errorf("default %s, period of %s", p.DefaultSampleType, p.PeriodType.Type)
	}
}

// TestOnlyCPU checks that samples of CPU time add no wall time to that of other traces.
func TestOnlyCPU(t *testing.T) {
	var sum Tree
	sum.Merge(read(t, cpuOnly, nil, Together))
	if diff := cmp.Diff([]string{"a.A.a 1ns,3ms "}, samplesOf(t, &sum)); diff != "" {
		t.Error(diff)
	}
	sum.Merge(read(t, wallOnly, nil, Together))
	if diff := cmp.Diff([]string{"a.A.a 2ns,1ms,3ms "}, samplesOf(t, &sum)); diff != "" {
		t.Errorf("with a trace of 1 ms of wall time: %s", diff)
	}
}

// TestMergeOrder: trees merged in any order and grouping, some of them encoded and decoded in
// between, give the same file.
func TestMergeOrder(t *testing.T) {
	texts := []string{first, second, first, wallOnly, second, second, first}
	var want []byte
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 0))
		var trees []*Tree
		for _, i := range rng.Perm(len(texts)) {
			tree := read(t, texts[i], []Label{{Key: "app", Text: strings.Repeat("x", i%3)}}[:i%2], ByTID)
			if rng.IntN(2) == 0 {
				tree = journey(t, tree)
			}
			trees = append(trees, tree)
		}
		for len(trees) > 1 {
			i := rng.IntN(len(trees) - 1)
			sum := &Tree{}
			sum.Take(trees[i])
			sum.Merge(trees[i+1])
			trees = slices.Replace(trees, i, i+2, sum)
		}
		var b bytes.Buffer
		if err := trees[0].Write(&b); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = b.Bytes()
		}
		if !bytes.Equal(want, b.Bytes()) {
			t.Fatalf("seed %d gives another file", seed)
		}
	}
}

// journey encodes and decodes a tree.
func journey(t testing.TB, tree *Tree) *Tree {
	t.Helper()
	b, err := tree.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var back Tree
	if err := back.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	return &back
}

// FuzzUnmarshal: bytes decode to a tree that can be merged and encoded again, or to an error.
func FuzzUnmarshal(f *testing.F) {
	for _, text := range []string{first, second, wallOnly} {
		b, _ := read(f, text, []Label{{Key: "app", Text: "x"}}, ByTID).MarshalBinary()
		f.Add(b)
		f.Add(b[:len(b)/2])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var tree, sum Tree
		if tree.UnmarshalBinary(b) != nil {
			return
		}
		sum.Merge(&tree)
		journey(t, &sum)
	})
}
