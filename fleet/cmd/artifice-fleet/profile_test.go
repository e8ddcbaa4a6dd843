package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"

	"artifice/fleet/corpus"
)

// converted returns the profile that pprof's own library merges from artifice's conversions of the
// single files, and the files that cannot be converted.
func converted(t testing.TB, paths []string) (sum *profile.Profile, bad []string) {
	t.Helper()
	var all []*profile.Profile
	out := filepath.Join(t.TempDir(), "one.pb.gz")
	for _, path := range paths {
		if status, _ := artifice(t, "convert", path, "-o", out); status != 0 {
			bad = append(bad, path)
			continue
		}
		all = append(all, parse(t, out))
	}
	widen(all)
	sum, err := profile.Merge(all)
	if err != nil {
		t.Fatal(err)
	}
	return sum, bad
}

// widen gives each profile the columns of all, with 0 for missing values, because pprof's library
// merges only profiles with the same columns.
func widen(all []*profile.Profile) {
	var types []*profile.ValueType
	for _, name := range []string{"calls", "samples", "wall", "cpu"} {
		for _, p := range all {
			if i := columnOf(p, name); i >= 0 {
				types = append(types, p.SampleType[i])
				break
			}
		}
	}
	for _, p := range all {
		for _, s := range p.Sample {
			values := make([]int64, len(types))
			for i, to := range types {
				if c := columnOf(p, to.Type); c >= 0 {
					values[i] = s.Value[c]
				}
			}
			s.Value = values
		}
		p.SampleType = slices.Clone(types)
	}
}

func columnOf(p *profile.Profile, name string) int {
	return slices.IndexFunc(p.SampleType, func(v *profile.ValueType) bool { return v.Type == name })
}

func parse(t testing.TB, name string) *profile.Profile {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	p, err := profile.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// stacks returns the samples of a profile, by stack and labels.
func stacks(p *profile.Profile) map[string][]int64 {
	all := map[string][]int64{}
	for _, s := range p.Sample {
		var b strings.Builder
		for _, l := range s.Location {
			f := l.Line[0].Function
			fmt.Fprintf(&b, "%s %s %s %d %d\n", f.Name, f.SystemName, f.Filename, f.StartLine, l.Line[0].Line)
		}
		for _, key := range slices.Sorted(maps.Keys(s.Label)) {
			fmt.Fprintln(&b, key, s.Label[key])
		}
		for _, key := range slices.Sorted(maps.Keys(s.NumLabel)) {
			fmt.Fprintln(&b, key, s.NumLabel[key])
		}
		all[b.String()] = s.Value
	}
	return all
}

// TestProfile: the profile is pprof's merge of artifice's profiles, for 1, 2 and 8 workers and in
// another order; it is byte for byte the same for all of these.
func TestProfile(t *testing.T) {
	made := traces(t, corpus.Config{Traces: 60, Seed: 1, Broken: 20, Sampled: true})
	want, bad := converted(t, made.Paths)
	if diff := cmp.Diff(made.Bad, bad); diff != "" {
		t.Fatalf("artifice cannot convert (-made broken +got):\n%s", diff)
	}
	reversed := slices.Clone(made.Paths)
	slices.Reverse(reversed)
	out := filepath.Join(t.TempDir(), "all.pb.gz")
	var first []byte
	for _, list := range [][]string{made.Paths, reversed} {
		for _, workers := range []string{"1", "2", "8"} {
			_, messages := partly(t, append([]string{"profile", "-o", out, "--threads", "tid", "--workers", workers}, list...)...)
			for _, path := range made.Bad {
				if !strings.Contains(messages, path) {
					t.Errorf("%s is broken and not listed:\n%s", path, messages)
				}
			}
			b, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = b
				compare(t, want, parse(t, out))
			}
			if !bytes.Equal(first, b) {
				t.Errorf("%s workers give another file", workers)
			}
		}
	}
	want.RemoveNumLabel("tid")
	if want, err := profile.Merge([]*profile.Profile{want}); err != nil {
		t.Error(err)
	} else {
		partly(t, append([]string{"profile", "-o", out}, made.Paths...)...)
		compare(t, want, parse(t, out))
	}
}

func compare(t *testing.T, want, got *profile.Profile) {
	t.Helper()
	if diff := cmp.Diff(stacks(want), stacks(got)); diff != "" {
		t.Errorf("stacks (-want +got):\n%s", diff)
	}
	types := func(p *profile.Profile) (list []string) {
		for _, s := range append(slices.Clone(p.SampleType), p.PeriodType) {
			list = append(list, s.Type+" "+s.Unit)
		}
		return append(list, p.DefaultSampleType)
	}
	if diff := cmp.Diff(types(want), types(got)); diff != "" {
		t.Errorf("types (-want +got):\n%s", diff)
	}
	if want.DurationNanos != got.DurationNanos || want.Period != got.Period || len(want.Function) != len(got.Function) {
		t.Errorf("duration %d, period %d, %d functions; want %d, %d, %d", got.DurationNanos, got.Period, len(got.Function), want.DurationNanos, want.Period, len(want.Function))
	}
}

// TestProfileBy: the profile of each group is that of its files alone, in a folder or by its
// labels in one file.
func TestProfileBy(t *testing.T) {
	made := traces(t, corpus.Config{Traces: 30, Seed: 2})
	dir := filepath.Join(t.TempDir(), "profiles") + "/"
	must(t, "profile", made.Manifest, "--by", "app,version", "-o", dir)
	all := filepath.Join(t.TempDir(), "all.pb.gz")
	must(t, "profile", made.Manifest, "--by", "app,version", "-o", all)
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != 4 {
		t.Fatal(list, err)
	}
	var mail12 []string // apps alternate every 12 traces, versions every 6
	for i, path := range made.Paths {
		if i/12%2 == 0 && i/6%2 == 0 {
			mail12 = append(mail12, path)
		}
	}
	want, _ := converted(t, mail12)
	want.RemoveNumLabel("tid")
	got := parse(t, dir+"app=mail,version=1.2.pb.gz")
	group := parse(t, all)
	group.Sample = slices.DeleteFunc(group.Sample, func(s *profile.Sample) bool { return s.Label["app"][0] != "mail" || s.Label["version"][0] != "1.2" })
	for _, p := range []*profile.Profile{want, got, group} {
		p.RemoveLabel("app")
		p.RemoveLabel("version")
	}
	want, err = profile.Merge([]*profile.Profile{want})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, want, got)
	if diff := cmp.Diff(stacks(want), stacks(group)); diff != "" {
		t.Errorf("in one file (-want +got):\n%s", diff)
	}
}
