package otlp_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"artifice/format/internal/formattest"
	"artifice/format/internal/kind"
	"artifice/format/internal/otlp"
)

// TestProfileAttributes checks that the attributes of a profile are labels of its own samples only,
// even if the next profile of the scope has equal samples.
func TestProfileAttributes(t *testing.T) {
	sampled := func(kind, rest string) string {
		return `{"sampleType":{"typeStrindex":` + kind + `,"unitStrindex":3},"samples":[{"stackIndex":1,"values":["5"]}]` + rest + `}`
	}
	text := `{"resourceProfiles":[{"scopeProfiles":[{"profiles":[` + sampled("1", `,"attributeIndices":[1]`) + `,` + sampled("2", "") + `]}]}],` +
		`"dictionary":{"stringTable":["","samples","events","count","host","a","main"],"attributeTable":[{},{"keyStrindex":4,"value":{"stringValue":"a"}}],` +
		`"functionTable":[{},{"nameStrindex":6}],"locationTable":[{},{"lines":[{"functionIndex":1}]}],"stackTable":[{},{"locationIndices":[1]}]}}`
	p := formattest.MustOpen(t, []byte(text), kind.Config{}).Profile
	for _, s := range p.Sample {
		of := p.SampleType[slices.Index(s.Value, 5)].Type
		if has := len(s.Label["host"]) > 0; has != (of == "samples") {
			t.Errorf("a sample of %s has labels %v; want host only in samples", of, s.Label)
		}
	}
	if len(p.Sample) != 2 {
		t.Errorf("%d samples, want 2", len(p.Sample))
	}
}

// TestUnsignedTime checks times and durations, which are unsigned in OTLP, including its JSON form.
// Those of pprof are signed, and keep their bits.
func TestUnsignedTime(t *testing.T) {
	p := &profile.Profile{TimeNanos: -1, DurationNanos: -2, SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}}, Sample: []*profile.Sample{{Value: []int64{1}}}}
	var out bytes.Buffer
	if _, err := otlp.JSON.WriteProfile(&out, p); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"timeUnixNano":"18446744073709551615"`, `"durationNano":"18446744073709551614"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in %s", want, &out)
		}
	}
	if q := formattest.MustOpen(t, out.Bytes(), kind.Config{}).Profile; q.TimeNanos != -1 || q.DurationNanos != -2 {
		t.Errorf("time %d, duration %d read back, want -1 and -2", q.TimeNanos, q.DurationNanos)
	}
}
