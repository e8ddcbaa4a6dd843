package otlp

import (
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"artifice/trace"
)

// toProfile translates messages into one profile of pprof. Each type and unit of samples becomes a
// sample type. Profiles of one scope with pairwise equal stacks and attributes of their samples
// become one list of samples with several values. The samples of all other profiles have one value
// and zeros. Attributes of resource, scope, profile and sample become labels of the sample, a link
// becomes the labels trace_id and span_id. Values at several times are summed. chosen is set if the
// messages state no default type of several: it is then the CPU time, or the first one.
func toProfile(all []*Data, name string) (p *profile.Profile, chosen bool, err error) {
	t := &translator{p: &profile.Profile{}, columns: map[column]int{}, comments: map[string]bool{}}
	for _, d := range all {
		if err := t.message(d); err != nil {
			return nil, false, &trace.FormatError{Name: name, Offset: -1, Msg: "OTLP profiles", Err: err}
		}
	}
	if err := t.fill(); err != nil {
		return nil, false, &trace.FormatError{Name: name, Offset: -1, Msg: "OTLP profiles", Err: err}
	}
	if t.chosen {
		t.preferCPU()
	}
	return t.p, t.chosen, nil
}

// preferCPU makes samples of CPU time the default type, if there are any. The eBPF profiler of
// OpenTelemetry writes them next to waiting times.
func (t *translator) preferCPU() {
	for _, of := range t.p.SampleType {
		if of.Type == "samples" && t.p.PeriodType != nil && t.p.PeriodType.Type == "cpu" {
			t.p.DefaultSampleType = of.Type
		}
	}
}

// column is a type of samples; nth distinguishes equal types of one list of samples.
type column struct {
	kind, unit string
	nth        int
}

// translator collects the profile.
type translator struct {
	p        *profile.Profile
	columns  map[column]int // index in p.SampleType
	comments map[string]bool
	any      bool          // some profile was translated
	chosen   bool          // the default type was chosen, not stated
	lists    []*sampleList // of samples

	// Of the current message.
	d         *Dictionary
	mappings  []*profile.Mapping
	functions []*profile.Function
	locations []*profile.Location
	stacks    [][]*profile.Location
}

// sampleList is a list of samples that have values in some columns.
type sampleList struct {
	samples []*profile.Sample // each sample has a value for each of columns
	columns []int
}

// outside returns the error of an index that is beyond a table.
func outside(what string, i index, n int) error {
	return fmt.Errorf("%s %d is outside its table of %d entries", what, i, n)
}

// checkIndex returns an error if a table of n entries has no index i. Index 0 needs no table.
func checkIndex(what string, i index, n int) error {
	if i < 0 || i != 0 && int(i) >= n {
		return outside(what, i, n)
	}
	return nil
}

func (t *translator) text(i index) (string, error) {
	return at(t.d.Strings, i), checkIndex("string", i, len(t.d.Strings))
}

// texts returns strings of the table.
func (t *translator) texts(what string, n int, into []*string, is ...index) error {
	for k, i := range is {
		s, err := t.text(i)
		if err != nil {
			return fmt.Errorf("%s %d: %w", what, n, err)
		}
		*into[k] = s
	}
	return nil
}

// message translates a message.
func (t *translator) message(d *Data) error {
	if t.d = d.Dictionary; t.d == nil {
		t.d = &Dictionary{}
	}
	for _, table := range []func() error{t.readMappings, t.readFunctions, t.readLocations, t.readStacks} {
		if err := table(); err != nil {
			return err
		}
	}
	for i := range d.Resources {
		r := &d.Resources[i]
		for k := range r.Scopes {
			if err := t.scope(r, &r.Scopes[k]); err != nil {
				return fmt.Errorf("resource %d, scope %d: %w", i, k, err)
			}
		}
	}
	return nil
}

// attributes calls f for each attribute of a list of indexes.
func (t *translator) attributes(list []index, f func(key string, a *Attribute)) error {
	for _, i := range list {
		if err := checkIndex("attribute", i, len(t.d.Attributes)); err != nil {
			return err
		}
		if int(i) >= len(t.d.Attributes) {
			continue // index 0 if the table is empty
		}
		a := &t.d.Attributes[i]
		key, err := t.text(a.Key)
		if err == nil {
			err = checkIndex("string", a.Unit, len(t.d.Strings))
		}
		if err != nil {
			return fmt.Errorf("attribute %d: %w", i, err)
		}
		if key != "" {
			f(key, a)
		}
	}
	return nil
}

func (t *translator) readMappings() error {
	t.mappings = make([]*profile.Mapping, max(len(t.d.Mappings), 1))
	for i := 1; i < len(t.d.Mappings); i++ {
		m := &t.d.Mappings[i]
		if m.Start|m.Limit|m.Offset == 0 && m.File == 0 && len(m.Attributes) == 0 {
			continue // treated like index 0, none
		}
		of := &profile.Mapping{ID: uint64(len(t.p.Mapping) + 1), Start: uint64(m.Start), Limit: uint64(m.Limit), Offset: uint64(m.Offset)}
		best := len(attrBuildIDs)
		err := t.attributes(m.Attributes, func(key string, a *Attribute) {
			set := a.Value != nil && a.Value.Bool != nil && *a.Value.Bool
			switch key {
			case attrFunctions:
				of.HasFunctions = set
			case attrFilenames:
				of.HasFilenames = set
			case attrLines:
				of.HasLineNumbers = set
			case attrInline:
				of.HasInlineFrames = set
			}
			if k := slices.Index(attrBuildIDs, key); k >= 0 && k < best {
				best, of.BuildID = k, a.Value.text(t.d.Strings)
			}
		})
		if err == nil {
			err = t.texts("mapping", i, []*string{&of.File}, m.File)
		}
		if err != nil {
			return fmt.Errorf("mapping_table: %w", err)
		}
		t.mappings[i] = of
		t.p.Mapping = append(t.p.Mapping, of)
	}
	return nil
}

func (t *translator) readFunctions() error {
	t.functions = make([]*profile.Function, max(len(t.d.Functions), 1))
	for i := range t.functions {
		f := at(t.d.Functions, index(i))
		if i == 0 {
			f = Function{}
		} else if f == (Function{}) {
			t.functions[i] = t.functions[0]
			continue
		}
		of := &profile.Function{StartLine: int64(f.StartLine)}
		if err := t.texts("function", i, []*string{&of.Name, &of.SystemName, &of.Filename}, f.Name, f.SystemName, f.File); err != nil {
			return fmt.Errorf("function_table: %w", err)
		}
		if t.functions[i] = of; i > 0 {
			t.keepFunction(of)
		}
	}
	return nil
}

// keepFunction adds a function to the profile, once.
func (t *translator) keepFunction(f *profile.Function) {
	if f.ID == 0 {
		f.ID = uint64(len(t.p.Function) + 1)
		t.p.Function = append(t.p.Function, f)
	}
}

func (t *translator) readLocations() error {
	t.locations = make([]*profile.Location, max(len(t.d.Locations), 1))
	for i := range t.locations {
		l := at(t.d.Locations, index(i))
		if i == 0 {
			l = Location{}
		} else if l.Mapping == 0 && l.Address == 0 && len(l.Lines)+len(l.Attributes) == 0 {
			t.locations[i] = t.locations[0]
			continue
		}
		of := &profile.Location{Address: uint64(l.Address)}
		err := checkIndex("mapping", l.Mapping, len(t.mappings))
		if err == nil {
			err = t.attributes(l.Attributes, func(key string, a *Attribute) {
				of.IsFolded = of.IsFolded || key == attrFolded && a.Value != nil && a.Value.Bool != nil && *a.Value.Bool
			})
		}
		for _, line := range l.Lines {
			if err == nil {
				err = checkIndex("function", line.Function, len(t.functions))
			}
			if err == nil {
				f := t.functions[line.Function]
				t.keepFunction(f)
				of.Line = append(of.Line, profile.Line{Function: f, Line: int64(line.Line), Column: int64(line.Column)})
			}
		}
		if err != nil {
			return fmt.Errorf("location_table: location %d: %w", i, err)
		}
		of.Mapping = t.mappings[l.Mapping]
		if t.locations[i] = of; i > 0 {
			t.keepLocation(of)
		}
	}
	return nil
}

// keepLocation adds a location to the profile, once.
func (t *translator) keepLocation(l *profile.Location) {
	if l.ID == 0 {
		l.ID = uint64(len(t.p.Location) + 1)
		t.p.Location = append(t.p.Location, l)
	}
}

func (t *translator) readStacks() error {
	t.stacks = make([][]*profile.Location, max(len(t.d.Stacks), 1))
	for i := 1; i < len(t.d.Stacks); i++ {
		stack := make([]*profile.Location, len(t.d.Stacks[i].Locations))
		for k, l := range t.d.Stacks[i].Locations {
			if err := checkIndex("location", l, len(t.locations)); err != nil {
				return fmt.Errorf("stack_table: stack %d: %w", i, err)
			}
			stack[k] = t.locations[l]
			t.keepLocation(stack[k])
		}
		t.stacks[i] = stack
	}
	return nil
}

// scope translates the profiles of a scope.
func (t *translator) scope(r *ResourceProfiles, s *ScopeProfiles) error {
	base, order, preferred := t.scopeLabels(r, s)
	lists := s.Profiles
	if aligned(lists) {
		return t.profiles(lists, base, order, preferred, 0)
	}
	for i := range lists {
		if err := t.profiles(lists[i:i+1], base, nil, preferred, i); err != nil {
			return err
		}
	}
	return nil
}

// scopeLabels returns the labels of all samples of a scope, and the scope's description of pprof's
// sample types.
func (t *translator) scopeLabels(r *ResourceProfiles, s *ScopeProfiles) (base labels, order []int, preferred *string) {
	base = labels{map[string][]string{}, map[string][]int64{}, map[string][]string{}}
	if r.Resource != nil {
		for i := range r.Resource.Attributes {
			kv := &r.Resource.Attributes[i]
			base.set(kv.name(t.d.Strings), kv.Value, "", t.d.Strings)
		}
	}
	if s.Scope == nil {
		return base, nil, nil
	}
	for key, text := range map[string]string{attrScopeName: s.Scope.Name, attrScopeVer: s.Scope.Version} {
		if text != "" {
			base.text[key] = []string{text}
		}
	}
	for i := range s.Scope.Attributes {
		kv := &s.Scope.Attributes[i]
		switch key := kv.name(t.d.Strings); {
		case key == attrDefaultType && kv.Value != nil:
			text := kv.Value.text(t.d.Strings)
			preferred = &text
		case key == attrTypeOrder && kv.Value != nil && kv.Value.Array != nil:
			for _, v := range kv.Value.Array.Values {
				if v.Int != nil {
					order = append(order, int(*v.Int))
				}
			}
		default:
			base.set(key, kv.Value, "", t.d.Strings)
		}
	}
	return base, order, preferred
}

// aligned reports whether profiles have the same attributes and pairwise equal samples.
func aligned(list []Profile) bool {
	for i := 1; i < len(list); i++ {
		if len(list[i].Samples) != len(list[0].Samples) || !slices.Equal(list[i].Attributes, list[0].Attributes) {
			return false
		}
		for k := range list[i].Samples {
			a, b := &list[0].Samples[k], &list[i].Samples[k]
			if a.Stack != b.Stack || a.Link != b.Link || !slices.Equal(a.Attributes, b.Attributes) || (a.count() == 0) != (b.count() == 0) {
				return false
			}
		}
	}
	return true
}

// count returns the number of observations of a sample.
func (s *Sample) count() int { return max(len(s.Values), len(s.Times)) }

// value returns the sum of a sample's values; a time without a value counts as 1.
func (s *Sample) value() (sum int64) {
	if len(s.Values) == 0 {
		return int64(len(s.Times))
	}
	for _, v := range s.Values {
		sum += int64(v)
	}
	return sum
}

// profiles translates profiles with the same samples. at is the position of the first one in its
// scope.
func (t *translator) profiles(profiles []Profile, base labels, order []int, preferred *string, at int) error {
	if len(profiles) == 0 {
		return nil
	}
	base = base.copy()
	of := &sampleList{}
	kinds := make([]column, len(profiles))
	for i := range profiles {
		p := &profiles[i]
		if err := t.describe(p, &base); err != nil {
			return fmt.Errorf("profile %d: %w", at+i, err)
		}
		kind, err := t.valueType(p.SampleType)
		if err != nil {
			return fmt.Errorf("profile %d: sample_type: %w", at+i, err)
		}
		if kind != nil {
			kinds[i] = column{kind: kind.Type, unit: kind.Unit}
		}
	}
	if len(profiles) == 1 && profiles[0].SampleType == nil && len(profiles[0].Samples) == 0 {
		return nil
	}
	seen := map[column]int{}
	for i, kind := range kinds {
		kinds[i].nth = seen[kind]
		seen[kind]++
	}
	t.prefer(kinds, order, preferred)
	for _, kind := range kinds {
		of.columns = append(of.columns, t.columns[kind])
	}
	t.lists = append(t.lists, of)
	return t.samples(of, profiles, &base, at)
}

// prefer adds sample types in pprof's order, and sets the default one.
func (t *translator) prefer(kinds []column, order []int, preferred *string) {
	sorted := slices.Clone(order)
	slices.Sort(sorted)
	known := len(order) == len(kinds)
	for i := range sorted {
		known = known && sorted[i] == i
	}
	original := slices.Clone(kinds)
	if known {
		for i, k := range order {
			original[k] = kinds[i]
		}
	}
	first := len(t.p.SampleType) == 0
	for _, kind := range original {
		if _, ok := t.columns[kind]; !ok {
			t.columns[kind] = len(t.p.SampleType)
			t.p.SampleType = append(t.p.SampleType, &profile.ValueType{Type: kind.kind, Unit: kind.unit})
		}
	}
	switch {
	case t.p.DefaultSampleType != "" || len(t.p.SampleType) == 0:
	case preferred != nil:
		t.p.DefaultSampleType = *preferred
	case len(t.p.SampleType) > 1 && !known:
		t.p.DefaultSampleType = t.p.SampleType[0].Type
		if t.chosen = true; first {
			t.p.DefaultSampleType = kinds[0].kind
		}
	}
}

// valueType returns a type and unit, or nil if there is none.
func (t *translator) valueType(v *ValueType) (*profile.ValueType, error) {
	if v == nil {
		return nil, nil
	}
	of := &profile.ValueType{}
	var err error
	if of.Type, err = t.text(v.Type); err == nil {
		of.Unit, err = t.text(v.Unit)
	}
	return of, err
}

// describe copies the properties of a profile other than its samples. Attributes become labels.
func (t *translator) describe(p *Profile, base *labels) error {
	period, err := t.valueType(p.PeriodType)
	if err != nil {
		return fmt.Errorf("period_type: %w", err)
	}
	start, length := int64(p.Time), int64(p.Duration)
	switch {
	case !t.any:
		t.p.TimeNanos, t.p.DurationNanos = start, length
		t.p.PeriodType, t.p.Period = period, int64(p.Period)
	case t.p.TimeNanos != start || t.p.DurationNanos != length:
		end := max(t.p.TimeNanos+t.p.DurationNanos, start+length)
		t.p.TimeNanos = min(t.p.TimeNanos, start)
		t.p.DurationNanos = end - t.p.TimeNanos
	}
	if t.p.Period == 0 && p.Period > 0 { // profiles of other types state none
		t.p.PeriodType, t.p.Period = period, int64(p.Period)
	}
	t.any = true
	return t.attributes(p.Attributes, func(key string, a *Attribute) {
		switch key {
		case attrComment:
			list := a.Value.texts(t.d.Strings)
			if whole := strings.Join(list, "\x00"); !t.comments[whole] {
				t.comments[whole] = true
				t.p.Comments = append(t.p.Comments, list...)
			}
		case attrDocURL:
			t.p.DocURL = a.Value.text(t.d.Strings)
		case attrDrop:
			t.p.DropFrames = a.Value.text(t.d.Strings)
		case attrKeep:
			t.p.KeepFrames = a.Value.text(t.d.Strings)
		default:
			base.set(key, a.Value, at(t.d.Strings, a.Unit), t.d.Strings)
		}
	})
}

// samples translates the samples of profiles with pairwise equal samples. It omits samples without
// values and times.
func (t *translator) samples(of *sampleList, profiles []Profile, base *labels, at int) error {
	known := map[string]*labels{}
	for k := range profiles[0].Samples {
		s := &profiles[0].Samples[k]
		if s.count() == 0 {
			continue
		}
		err := checkIndex("stack", s.Stack, len(t.stacks))
		if err == nil {
			err = checkIndex("link", s.Link, len(t.d.Links))
		}
		var l *labels
		if err == nil {
			l, err = t.labelsOf(s, base, known)
		}
		if err != nil {
			return fmt.Errorf("profile %d, sample %d: %w", at, k, err)
		}
		sample := &profile.Sample{Location: t.stacks[s.Stack], Value: make([]int64, len(profiles)), Label: l.text, NumLabel: l.num, NumUnit: l.units}
		for i := range profiles {
			sample.Value[i] = profiles[i].Samples[k].value()
		}
		of.samples = append(of.samples, sample)
	}
	return nil
}

// labelsOf returns the labels of a sample. Samples with the same attributes share them.
func (t *translator) labelsOf(s *Sample, base *labels, known map[string]*labels) (*labels, error) {
	key := fmt.Sprint(s.Link, s.Attributes)
	if l := known[key]; l != nil {
		return l, nil
	}
	l := base.copy()
	err := t.attributes(s.Attributes, func(key string, a *Attribute) { l.set(key, a.Value, at(t.d.Strings, a.Unit), t.d.Strings) })
	if link := at(t.d.Links, s.Link); s.Link != 0 {
		l.text[labelTrace] = []string{hex.EncodeToString(link.Trace)}
		l.text[labelSpan] = []string{hex.EncodeToString(link.Span)}
	}
	l.text, l.num, l.units = orNil(l.text), orNil(l.num), orNil(l.units)
	known[key] = &l
	return &l, err
}

// copy returns labels that can be changed independently.
func (l labels) copy() labels {
	return labels{maps.Clone(l.text), maps.Clone(l.num), maps.Clone(l.units)}
}

// orNil returns nil for an empty map, as pprof's reader does.
func orNil[T any](m map[string][]T) map[string][]T {
	if len(m) == 0 {
		return nil
	}
	return m
}

// maxZeros limits the number of zeros added to samples without a value of some type.
const maxZeros = 1 << 22

// fill adds zeros to all samples, so that each has a value of each type.
func (t *translator) fill() error {
	n, zeros := len(t.p.SampleType), 0
	for _, l := range t.lists {
		if zeros += (n - len(l.columns)) * len(l.samples); zeros > maxZeros {
			return fmt.Errorf("%d types of samples in separate profiles are too many for one pprof profile; split the file", n)
		}
	}
	for _, l := range t.lists {
		t.p.Sample = append(t.p.Sample, l.samples...)
		if len(l.columns) == n && slices.IsSorted(l.columns) {
			continue // the values are in their columns already
		}
		for _, s := range l.samples {
			values := make([]int64, n)
			for i, c := range l.columns {
				values[c] = s.Value[i]
			}
			s.Value = values
		}
	}
	return nil
}
