package check

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"artifice/format/dmtrace"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// shouting is a minimal rule. As CONTRIBUTING.md states, a rule about names is a single entry in
// Rules.
var shouting = Rule{
	ID: "W199", Name: "shouting", Explain: "A name has an exclamation mark.",
	text: func(name string) bool { return strings.Contains(name, "!") },
}

// TestAddRule adds a rule and checks that its violation is found, with the position.
func TestAddRule(t *testing.T) {
	rulesBefore, namesBefore := Rules, nameRules
	Rules = append(Rules[:len(Rules):len(Rules)], shouting)
	nameRules = append(nameRules[:len(nameRules):len(nameRules)], &shouting)
	t.Cleanup(func() { Rules, nameRules = rulesBefore, namesBefore })

	rec := &trace.Recording{Symbols: &trace.Symbols{}}
	thread, err := rec.Symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
	if err != nil {
		t.Fatal(err)
	}
	method := rec.Symbols.AddMethod(trace.Method{ID: 4, Class: "a.A", Name: "stop!", Signature: "()V", File: "A.java"})
	rec.Events = trace.NewSliceReader([]trace.Event{
		{Thread: thread, Method: method, Wall: 1000}, {Thread: thread, Method: method, Wall: 2000, Action: trace.Exit},
	})
	var file bytes.Buffer
	w, err := dmtrace.NewWriter(&file, rec, dmtrace.Options{Format: "art"})
	if err != nil {
		t.Fatal(err)
	}
	tracetest.Fill(t, w, rec.Events)
	name := filepath.Join(t.TempDir(), "made.trace")
	if err := os.WriteFile(name, file.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := File(name, Config{})
	if err != nil {
		t.Fatal(err)
	}
	line := int64(bytes.Index(file.Bytes(), []byte("0x4\ta.A\tstop!")))
	if len(r.Findings) != 1 || r.Findings[0].Rule.ID != "W199" || r.Findings[0].Offset != line {
		t.Errorf("findings %v, want one of W199 at offset %d", r.Findings, line)
	}
	if rule, err := RuleByID("shouting"); err != nil || rule.Level() != Warning {
		t.Errorf("RuleByID: %v, %v", rule, err)
	}
}
