package job

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"artifice/fleet/profile"
	"artifice/input"
	"artifice/writer"
)

func init() {
	register.DoFn4x1[context.Context, []byte, func(string, []byte), func(string, *profile.Tree), error](&profileFn{})
	register.DoFn2x2[string, *profile.Tree, string, []byte](&treeRecordFn{})
	register.Combiner1[*profile.Tree](&mergeFn{})
	register.Emitter2[string, *profile.Tree]()
	beam.RegisterCoder(reflect.TypeFor[*profile.Tree](), encodeTree, decodeTree)
}

func encodeTree(t *profile.Tree) ([]byte, error) { return t.MarshalBinary() }

func decodeTree(b []byte) (*profile.Tree, error) {
	t := &profile.Tree{}
	return t, t.UnmarshalBinary(b)
}

// Grouped is the profile of one group of traces.
type Grouped struct {
	Group []string // values of the labels
	Tree  *profile.Tree
}

// Profile adds the profiles of groups of files to a pipeline: of each distinct set of
// values of the labels by.
func Profile(w Worker, by []string, threads profile.Threads) Work {
	return func(s beam.Scope, streams []beam.PCollection) []beam.PCollection {
		var records, trees []beam.PCollection
		for _, files := range streams {
			verdicts, some := beam.ParDo2(s, &profileFn{Worker: w, By: by, Threads: threads}, files)
			records, trees = append(records, verdicts), append(trees, some)
		}
		merged := beam.CombinePerKey(s, &mergeFn{}, beam.Flatten(s, trees...))
		return append(records, beam.ParDo(s, &treeRecordFn{}, merged))
	}
}

// ProfileResults returns what became of the files, in the order of the list, and the
// profiles of the groups by their values.
func ProfileResults(ctx context.Context, folder string) ([]Verdict, []Grouped, error) {
	verdicts, err := unpackVerdicts(ctx, folder)
	if err != nil {
		return nil, nil, err
	}
	records, err := unpack[treeRecord](ctx, folder, "profiles")
	if err != nil {
		return nil, nil, err
	}
	var groups []Grouped
	for _, r := range records {
		tree, err := decodeTree(r.Tree)
		if err != nil {
			return nil, nil, err
		}
		groups = append(groups, Grouped{groupOf(r.Group), tree})
	}
	slices.SortFunc(groups, func(a, b Grouped) int { return slices.Compare(a.Group, b.Group) })
	return verdicts, groups, nil
}

// keyOf is a group as a key: no label has a zero byte.
func keyOf(group []string) string { return strings.Join(group, "\x00") }

func groupOf(key string) []string { return strings.Split(key, "\x00") }

// unpackVerdicts returns what became of the files, in the order of the list.
func unpackVerdicts(ctx context.Context, folder string) ([]Verdict, error) {
	list, err := unpack[Verdict](ctx, folder, "files")
	slices.SortFunc(list, func(a, b Verdict) int { return cmp.Compare(a.File.Index, b.File.Index) })
	return list, err
}

// profileFn merges the profiles of the files of a bundle, for each group of its own.
type profileFn struct {
	Worker
	By      []string
	Threads profile.Threads

	trees map[string]*profile.Tree
	nodes int
}

// mostNodes is how many calling contexts a bundle keeps before it hands its profiles on:
// some 25 MB.
const mostNodes = 1 << 18

// StartBundle begins without a profile.
func (f *profileFn) StartBundle(func(string, []byte), func(string, *profile.Tree)) { f.clear() }

func (f *profileFn) clear() { f.trees, f.nodes = map[string]*profile.Tree{}, 0 }

// ProcessElement adds the file of an element, all of it or nothing.
func (f *profileFn) ProcessElement(ctx context.Context, element []byte, verdict func(string, []byte), tree func(string, *profile.Tree)) error {
	file, err := fileOf(element)
	if err != nil {
		return err
	}
	v := f.read(ctx, file, func(s *source) error {
		t, err := f.profile(s)
		if err != nil {
			return err
		}
		key := keyOf(file.Group(f.By))
		if f.trees[key] == nil {
			f.trees[key] = &profile.Tree{}
		}
		before := f.trees[key].Nodes()
		f.trees[key].Take(t)
		f.nodes += f.trees[key].Nodes() - before
		return nil
	})
	verdict("files", pack(v))
	if f.nodes > mostNodes {
		f.FinishBundle(verdict, tree)
	}
	return nil
}

// profile reads the file of one trace.
func (f *profileFn) profile(s *source) (tree *profile.Tree, err error) {
	err = s.open(input.Config{}, func(in *input.Input) error {
		stacks, err := writer.NewProfileStacks(in.Recording, writer.PprofConfig{})
		if err != nil {
			return err
		}
		if err := copyEvents(stacks, in, s.verdict); err != nil {
			return err
		}
		stacks.Finish()
		var labels []profile.Label
		for i, value := range s.verdict.File.Group(f.By) {
			if value != "" {
				labels = append(labels, profile.Label{Key: f.By[i], Text: value})
			}
		}
		tree, err = profile.New(in.Recording, stacks, labels, f.Threads)
		s.verdict.Warnings = append(s.verdict.Warnings, stacks.Notes()...)
		return err
	})
	return tree, err
}

// FinishBundle hands on the profiles of the bundle.
func (f *profileFn) FinishBundle(_ func(string, []byte), tree func(string, *profile.Tree)) {
	for key, t := range f.trees {
		tree(key, t)
	}
	f.clear()
}

// mergeFn merges profiles.
type mergeFn struct{}

// CreateAccumulator returns the profile of no trace.
func (*mergeFn) CreateAccumulator() *profile.Tree { return &profile.Tree{} }

// MergeAccumulators adds b, which Beam has no more use for, to a. Package profile says why their order is of no matter.
func (*mergeFn) MergeAccumulators(a, b *profile.Tree) *profile.Tree {
	a.Take(b)
	return a
}

// treeRecord is the profile of a group on its way back.
type treeRecord struct {
	Group string
	Tree  []byte
}

// treeRecordFn makes a record of a group's profile.
type treeRecordFn struct{}

// ProcessElement returns the record.
func (*treeRecordFn) ProcessElement(group string, t *profile.Tree) (string, []byte) {
	b, _ := encodeTree(t) // it never fails
	return "profiles", pack(treeRecord{group, b})
}
