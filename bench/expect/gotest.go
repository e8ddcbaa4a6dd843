package expect

// TB is the part of [testing.TB] that [Test] uses.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Test fails a Go test unless the profile passes, and returns the verdict.
func Test(t TB, truth *Truth, profile *Profile, o Options) Verdict {
	t.Helper()
	v, err := Check(truth, profile, o)
	if err != nil {
		t.Fatalf("%v", err)
		return v
	}
	if v.Outcome != Pass {
		t.Errorf("%s: %s (%.0f samples compared with %s)", profile.Name, v.Outcome, v.Samples, truth.Name)
	}
	for _, a := range v.failed() {
		t.Errorf("%s: observed %.4g, expected %.4g to %.4g, accepted %.4g to %.4g", a.Name, a.Observed, a.Expected.Low, a.Expected.High, a.Accepted.Low, a.Accepted.High)
	}
	if v.Impossible.Stacks > 0 {
		t.Errorf("%d impossible stacks (%.1f %% of samples): %s", v.Impossible.Stacks, 100*v.Impossible.Share, v.Impossible.First)
	}
	return v
}

// failed returns the assertions and methods that did not pass.
func (v *Verdict) failed() (list []Assertion) {
	all := v.Assertions
	if v.Count != nil {
		all = append(all[:len(all):len(all)], v.Count.Assertion)
	}
	if v.Scan != nil {
		all = append(all[:len(all):len(all)], v.Scan.Methods...)
	}
	for _, a := range all {
		if a.Outcome != Pass {
			list = append(list, a)
		}
	}
	return list
}
