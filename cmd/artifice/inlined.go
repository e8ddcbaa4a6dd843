package main

import (
	"regexp"

	"artifice/trace"
)

// inlinedUsage is the help of the flag --inlined.
const inlinedUsage = "take the methods whose name `REGEXP` matches for put into their callers by the compiler, as simpleperf, Perfetto and V8 then show them"

// inlinedFlag is a regular expression of the names of methods.
type inlinedFlag struct {
	expression *regexp.Regexp
	of         func(*trace.Method) bool // nil: no flag
}

// String implements pflag.Value.
func (f *inlinedFlag) String() string {
	if f.expression == nil {
		return ""
	}
	return f.expression.String()
}

// Set implements pflag.Value.
func (f *inlinedFlag) Set(text string) (err error) {
	if f.expression, err = regexp.Compile(text); err == nil {
		f.of = func(m *trace.Method) bool { return f.expression.MatchString(m.FullName()) }
	}
	return err
}

// Type implements pflag.Value.
func (f *inlinedFlag) Type() string { return "regexp" }
