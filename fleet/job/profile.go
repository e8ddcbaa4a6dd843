package job

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"artifice/fleet/manifest"
	"artifice/fleet/profile"
	"artifice/format"
	"artifice/internal/encode"
)

func init() {
	beam.RegisterType(reflect.TypeFor[profileFn]())
	beam.RegisterType(reflect.TypeFor[treeRecordFn]())
	beam.RegisterType(reflect.TypeFor[mergeFn]())
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

// Profile adds the profiles of groups of files to a pipeline: one for each distinct set of values
// of the labels by.
func Profile(w Worker, by []string, threads profile.Threads) Work {
	return func(s beam.Scope, streams []beam.PCollection) []beam.PCollection {
		var read, trees []beam.PCollection
		for _, files := range streams {
			some, out := beam.ParDo2(s, &profileFn{Worker: w, By: by, Threads: threads}, files)
			read, trees = append(read, some), append(trees, out)
		}
		merged := beam.CombinePerKey(s, &mergeFn{}, beam.Flatten(s, trees...))
		return []beam.PCollection{outcomes(s, read), beam.ParDo(s, &treeRecordFn{}, merged)}
	}
}

// ProfileResults returns the profiles of the groups, ordered by their values.
func ProfileResults(ctx context.Context, folder string) ([]Grouped, error) {
	records, err := unpack[treeRecord](ctx, folder, "profiles")
	if err != nil {
		return nil, err
	}
	var groups []Grouped
	for _, r := range records {
		tree, err := decodeTree(r.Tree)
		if err != nil {
			return nil, err
		}
		groups = append(groups, Grouped{groupOf(r.Group), tree})
	}
	slices.SortFunc(groups, func(a, b Grouped) int { return slices.Compare(a.Group, b.Group) })
	return groups, nil
}

// keyOf returns a group as a key: no label contains a zero byte.
func keyOf(group []string) string { return strings.Join(group, "\x00") }

func groupOf(key string) []string { return strings.Split(key, "\x00") }

// profileFn merges the profiles of the files of a bundle, separately for each group. Its memory is
// that of the distinct stacks of the bundle, for any number of files.
type profileFn struct {
	Worker
	By      []string
	Threads profile.Threads

	outcome Outcome
	trees   map[string]*profile.Tree
}

// StartBundle begins without profiles.
func (f *profileFn) StartBundle(func(*Outcome), func(string, *profile.Tree)) {
	f.outcome, f.trees = Outcome{}, map[string]*profile.Tree{}
}

// ProcessElement adds the file of an element completely or not at all.
func (f *profileFn) ProcessElement(ctx context.Context, element []byte, _ func(*Outcome), _ func(string, *profile.Tree)) error {
	return read(ctx, f.Worker, &f.outcome, element, f.profile, func(file manifest.File, t *profile.Tree) {
		key := keyOf(file.Group(f.By))
		if f.trees[key] == nil {
			f.trees[key] = &profile.Tree{}
		}
		f.trees[key].Take(t)
	})
}

// profile reads the file of one trace.
func (f *profileFn) profile(s *source) (tree *profile.Tree, err error) {
	err = s.open(format.Config{}, func(in *format.Input) error {
		stacks, err := encode.NewProfileStacks(in.Recording, encode.ProfileConfig{})
		if err != nil {
			return err
		}
		if err := s.copyEvents(stacks, in); err != nil {
			return err
		}
		stacks.Finish()
		var labels []profile.Label
		for i, value := range s.file.Group(f.By) {
			if value != "" {
				labels = append(labels, profile.Label{Key: f.By[i], Text: value})
			}
		}
		tree, err = profile.New(in.Recording, stacks, labels, f.Threads)
		return err
	})
	return tree, err
}

// FinishBundle emits the profiles and the outcome of the bundle.
func (f *profileFn) FinishBundle(outcome func(*Outcome), tree func(string, *profile.Tree)) {
	f.outcome.handOn(outcome)
	for key, t := range f.trees {
		tree(key, t)
	}
	f.trees = nil
}

// mergeFn merges profiles.
type mergeFn struct{}

// CreateAccumulator returns the profile of no traces.
func (*mergeFn) CreateAccumulator() *profile.Tree { return &profile.Tree{} }

// MergeAccumulators adds b, which Beam does not use afterwards, to a. Package profile explains why
// the order is irrelevant.
func (*mergeFn) MergeAccumulators(a, b *profile.Tree) *profile.Tree {
	a.Take(b)
	return a
}

// treeRecord is the record of a group's profile.
type treeRecord struct {
	Group string
	Tree  []byte
}

// treeRecordFn creates a record of a group's profile.
type treeRecordFn struct{}

// ProcessElement returns the record.
func (*treeRecordFn) ProcessElement(group string, t *profile.Tree) (string, []byte) {
	b, _ := encodeTree(t) // it never fails
	return "profiles", pack(treeRecord{group, b})
}
