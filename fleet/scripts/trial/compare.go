package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/pprof/profile"
)

// compare compares the sum with that of one machine, stack by stack and number by number, and the
// skipped files with those that artifice rejects.
func compare(p programs, dir string, t *traces, got string, left []string) error {
	want, refused, err := converted(p, dir, t)
	if err != nil {
		return err
	}
	slices.Sort(left)
	slices.Sort(refused)
	if !slices.Equal(left, refused) {
		return fmt.Errorf("%d files were left out, but artifice refuses %d: %q, %q", len(left), len(refused), left, refused)
	}
	fmt.Printf("the %d files that are left out are those that artifice refuses, all of them broken\n", len(left))
	if n := len(t.Bad) - len(left); n > 0 {
		fmt.Printf("%d other broken ones end as a whole streamed file does, and are read by both\n", n)
	}
	sum, err := parse(got)
	if err != nil {
		return err
	}
	expected, found := stacks(want), stacks(sum)
	var wall int64
	for stack, values := range expected {
		if !slices.Equal(values, found[stack]) {
			return fmt.Errorf("another sum than that of one machine: %v, not %v, of\n%s", found[stack], values, stack)
		}
		wall += values[columnOf(want, "wall")]
	}
	if len(expected) != len(found) || want.DurationNanos != sum.DurationNanos {
		return fmt.Errorf("%d stacks of %d ns, on one machine %d of %d", len(found), sum.DurationNanos, len(expected), want.DurationNanos)
	}
	fmt.Printf("the sum is that of one machine to the last nanosecond: %d stacks, %d ns of wall time\n", len(found), wall)
	return nil
}

// converted returns the profile that pprof's library merges from artifice's conversions of the
// single files. refused are the files that it does not convert. They are broken ones; only a
// truncated streamed file can look complete to any reader.
func converted(p programs, dir string, t *traces) (sum *profile.Profile, refused []string, err error) {
	out := filepath.Join(dir, "one.pb.gz")
	for _, path := range t.Paths {
		text, err := exec.Command(p.artifice, "convert", path, "-o", out).CombinedOutput()
		bad := slices.Contains(t.Bad, path)
		if err != nil && bad {
			refused = append(refused, path)
			continue
		}
		if err != nil || bad && !strings.Contains(string(text), "the file has no summary") {
			return nil, nil, fmt.Errorf("artifice convert %s: broken is %t: %v: %s", path, bad, err, text)
		}
		one, err := parse(out)
		if err != nil {
			return nil, nil, err
		}
		one.Comments = nil
		one.RemoveNumLabel("tid") // as artifice-fleet does: otherwise no stacks would merge
		all := []*profile.Profile{one}
		if sum != nil {
			all = append(all, sum)
		}
		if sum, err = profile.Merge(all); err != nil {
			return nil, nil, err
		}
	}
	return sum, refused, nil
}

func parse(name string) (*profile.Profile, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return profile.Parse(file)
}

func columnOf(p *profile.Profile, name string) int {
	return slices.IndexFunc(p.SampleType, func(v *profile.ValueType) bool { return v.Type == name })
}

// stacks returns the samples of a profile by their frames and the thread's name.
func stacks(p *profile.Profile) map[string][]int64 {
	all := map[string][]int64{}
	for _, s := range p.Sample {
		var b strings.Builder
		for _, l := range s.Location {
			fmt.Fprintln(&b, l.Line[0].Function.Name, l.Line[0].Function.SystemName)
		}
		fmt.Fprintln(&b, s.Label["thread"])
		all[b.String()] = s.Value
	}
	return all
}
