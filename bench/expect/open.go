package expect

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"artifice/format"
	"artifice/internal/inputs"
	"artifice/internal/yamlfile"
	"artifice/trace"
)

// OpenTruth reads the truth of a file: shares of methods (YAML), or a workload, call tree or trace
// of every call in any format. Folded stacks and other sums are shares of stacks.
func OpenTruth(name string, cfg format.Config) (*Truth, error) {
	if ext := filepath.Ext(name); ext == ".yaml" || ext == ".yml" {
		text, err := inputs.ReadFile(name)
		if err != nil {
			return nil, err
		}
		root, err := yamlfile.Read(bytes.NewReader(text), name)
		if err != nil {
			return nil, err
		}
		if t, ok, err := sharesFile(root, name); ok || err != nil {
			return t, err
		}
		if !slices.ContainsFunc(root.Pairs, func(p yamlfile.Pair) bool { return p.Key.Text == "name" }) {
			return nil, root.Errorf("the file contains neither shares of methods (keys shares and totals) nor a workload (key name)")
		}
	}
	cfg.Order = format.AsTruth
	in, snapshots, err := open(name, cfg)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if in.Dumps == nil {
		t, err := ReadTruth(in.Recording, name)
		return t, named(name, err)
	}
	if !in.Dumps.Counts().Format.Sums {
		return nil, fmt.Errorf("%s: stack dumps are samples, not a ground truth: use folded stacks, or a trace of every call", name)
	}
	if _, err := trace.Copy(trace.Discard, in.Events); err != nil {
		return nil, named(name, err)
	}
	return snapshots.truth(name)
}

// open opens a file in time order. snapshots receives the samples if the format has any.
func open(name string, cfg format.Config) (in *format.Input, snapshots *Snapshots, err error) {
	if in, err = format.Open(name, cfg); err != nil {
		return nil, nil, err
	}
	if in.Dumps != nil {
		snapshots = NewSnapshots(in.Recording)
		in.Dumps.SnapshotsTo(snapshots)
	}
	if err := in.InTimeOrder(); err != nil {
		in.Close()
		return nil, nil, err
	}
	return in, snapshots, nil
}

// truth returns shares of stacks as a truth. The shares apply to both clocks, because sums do not
// state their clock.
func (s *Snapshots) truth(name string) (*Truth, error) {
	weights := s.sums[Wall]
	var sum float64
	for _, w := range weights {
		sum += w
	}
	if sum <= 0 {
		return nil, fmt.Errorf("%s: %w", name, ErrNoTime)
	}
	return &Truth{Name: name, stacks: s.stacks, weights: [2][]float64{weights, weights}}, nil
}

// OpenProfile reads a profile in any format.
func OpenProfile(name string, cfg format.Config) (*Profile, error) {
	cfg.Order = format.ByTime
	in, snapshots, err := open(name, cfg)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	p, err := ReadProfile(in.Recording, name, snapshots)
	return p, named(name, err)
}

// named prefixes an error with the name of a file, unless it names one.
func named(name string, err error) error {
	if err == nil || errors.As(err, new(*trace.FormatError)) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// stated is a share of a method as stated in a file.
type stated struct {
	method string
	total  bool // total time; else self time
	share  interval
}

// sharesFile reads shares of methods:
//
//	shares:            # of self time
//	  main.work: 30 %
//	totals:            # of time with the method on the stack
//	  main.run: 100 %
//
// A share represents all values that round to it: 30 % is 29.5 to 30.5 %. ok is false if the file
// has neither key and is therefore a workload.
func sharesFile(root *yamlfile.Node, name string) (t *Truth, ok bool, err error) {
	t = &Truth{Name: name}
	for _, p := range root.Pairs {
		ok = ok || p.Key.Text == "shares" || p.Key.Text == "totals"
	}
	if !ok {
		return nil, false, nil
	}
	f := root.Fields()
	sum := 0.
	for _, key := range []string{"shares", "totals"} {
		n := f.Node(key)
		if n == nil {
			continue
		}
		if n.Kind != yamlfile.Mapping {
			return nil, true, n.Errorf("expected methods with their shares (main.work: 30 %%), found %s", n.Kind)
		}
		for _, p := range n.Pairs {
			share, err := parseShare(p.Value)
			if err != nil {
				return nil, true, err
			}
			t.shares = append(t.shares, stated{p.Key.Text, key == "totals", share})
			if key == "shares" {
				sum += share.low
			}
		}
	}
	if err := f.Err(); err != nil {
		return nil, true, err
	}
	if sum > 1+1e-9 {
		return nil, true, root.Errorf("shares of self time sum to at least %.4g %%, above 100 %%", 100*sum)
	}
	if len(t.shares) == 0 {
		return nil, true, root.Errorf("no shares")
	}
	if method, ok := t.contradiction(); ok {
		return nil, true, root.Errorf("the total share of %s is below its share of self time", method)
	}
	return t, true, nil
}

// contradiction returns a method with a total time below its self time.
func (t *Truth) contradiction() (method string, found bool) {
	for _, self := range t.shares {
		for _, total := range t.shares {
			if self.method == total.method && !self.total && total.total && total.share.high < self.share.low {
				return self.method, true
			}
		}
	}
	return "", false
}

// parseShare parses a percentage. The result contains all values that round to its digits.
func parseShare(n *yamlfile.Node) (interval, error) {
	text, err := n.String()
	if err != nil {
		return interval{}, err
	}
	digits, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	digits = strings.TrimSpace(digits)
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil || !percent || strings.ContainsAny(digits, "eExX_nN") {
		return interval{}, n.Errorf("expected a percentage such as 30 %% or 12.5 %%")
	}
	if v < 0 || v > 100 {
		return interval{}, n.Errorf("a share must be from 0 to 100 %%")
	}
	return rounded(v/100, len(digits)-1-strings.IndexByte(digits+".", '.')), nil
}

// rounded returns the shares that round to a percentage with a number of decimals.
func rounded(share float64, decimals int) interval {
	half := 0.005
	for range max(0, decimals) {
		half /= 10
	}
	return interval{max(0, share-half), min(1, share+half)}
}
