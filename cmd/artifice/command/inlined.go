package command

import (
	"regexp"

	"artifice/trace"
)

// InlinedUsage is the help of the flag --inlined.
const InlinedUsage = "treat methods whose name matches `REGEXP` as inlined into their callers, as simpleperf, Perfetto and V8 then show them"

// InlinedFlag is a regular expression of the names of methods.
type InlinedFlag struct {
	expression *regexp.Regexp
	Of         func(*trace.Method) bool // nil: no flag
}

// String implements pflag.Value.
func (f *InlinedFlag) String() string {
	if f.expression == nil {
		return ""
	}
	return f.expression.String()
}

// Set implements pflag.Value.
func (f *InlinedFlag) Set(text string) (err error) {
	if f.expression, err = regexp.Compile(text); err == nil {
		f.Of = func(m *trace.Method) bool { return f.expression.MatchString(m.FullName()) }
	}
	return err
}

// Type implements pflag.Value.
func (f *InlinedFlag) Type() string { return "regexp" }
