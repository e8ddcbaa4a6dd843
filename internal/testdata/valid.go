package testdata

import "artifice/trace"

// CheckValid reads rec to its end. It returns the first violation of a rule that is not
// [trace.Rule.Normal], the error of reading, or nil.
func CheckValid(rec *trace.Recording) error {
	var first *trace.Violation
	c := trace.NewChecker(&rec.Info, rec.Symbols, func(v *trace.Violation) {
		if first == nil && !v.Rule.Normal() {
			first = v
		}
	})
	if _, err := trace.Copy(c, rec.Events); err != nil {
		return err
	}
	c.Close()
	if first != nil {
		return first
	}
	return nil
}
