package otlp_test

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"google.golang.org/protobuf/encoding/protowire"

	"artifice/format/internal/formattest"
	"artifice/format/internal/kind"
	"artifice/format/internal/otlp"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// small is a profile with five samples of main. Its value, 5, is less than the period, so it is a
// number of samples.
const small = `{"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"sampleType":{"typeStrindex":1,"unitStrindex":2},` +
	`"samples":[{"stackIndex":1,"values":["5"]}],"timeUnixNano":"1","durationNano":"1000","periodType":{"typeStrindex":1,"unitStrindex":2},"period":"10000000"}]}]}],` +
	`"dictionary":{"stringTable":["","cpu","nanoseconds","main"],"functionTable":[{},{"nameStrindex":3}],"locationTable":[{},{"lines":[{"functionIndex":1}]}],"stackTable":[{},{"locationIndices":[1]}]}}`

// message encodes a protobuf message; fields are pairs of a number and an integer or a string.
func message(fields ...any) string {
	var b []byte
	for i := 0; i < len(fields); i += 2 {
		number := protowire.Number(fields[i].(int))
		switch v := fields[i+1].(type) {
		case int:
			b = protowire.AppendVarint(protowire.AppendTag(b, number, protowire.VarintType), uint64(v))
		case uint64:
			b = protowire.AppendFixed64(protowire.AppendTag(b, number, protowire.Fixed64Type), v)
		case string:
			b = protowire.AppendString(protowire.AppendTag(b, number, protowire.BytesType), v)
		}
	}
	return string(b)
}

// dictionary has stack 1, with a frame main, and the sample type samples/count.
var dictionary = message(2, "", 2, message(3, message(1, 1)), 3, "", 3, message(1, 1), 5, "", 5, "main", 5, "samples", 5, "count", 5, "cpu", 5, "nanoseconds", 5, "thread.name", 5, "worker",
	6, "", 6, message(1, 6, 2, message(1, "worker")), 7, "", 7, message(1, "\x01"))

// file returns a file with a profile of samples/count every 10 ms of CPU time. The arguments are
// additional fields of the profile.
func file(fields ...any) string {
	profile := message(1, message(1, 2, 2, 3), 5, message(1, 4, 2, 5), 6, 10_000_000) + message(fields...)
	return message(1, message(2, message(2, profile)), 2, dictionary)
}

var (
	current = file(2, message(1, 1, 2, "\x01", 4, "\x03"))                           // three samples of worker
	earlier = file(2, message(1, 1, 2, "\x03", 3, "\x01"), 8, "")                    // the same in the form of release 1.8
	times   = file(2, message(1, 1, 2, "\x01", 5, "12345678"+"12345678"+"12345679")) // one time per sample
)

// TestRead checks that values, times and the fields of earlier releases are read as samples of the
// period.
func TestRead(t *testing.T) {
	for name, text := range map[string]string{"current": current, "earlier": earlier, "times": times, "framed": "\x00\x00\x00" + string(rune(len(current))) + current} {
		if name == "framed" && len(current) > 127 {
			text = "\x00\x00\x00" + string([]byte{byte(len(current))}) + current
		}
		formattest.Check(t, name, formattest.Read(t, text, "otlp", kind.Config{}), "0 worker >main cpu 0, 30000 worker <main cpu 30000")
	}
	lines := formattest.Read(t, small, "otlp-json", kind.Config{})
	formattest.Check(t, "small", lines, "0 main >main cpu 0, 50000 main <main cpu 50000")
	lines = formattest.Read(t, small+"\n"+small, "otlp-json", kind.Config{})
	formattest.Check(t, "two documents", lines, "0 main >main cpu 0, 100000 main <main cpu 100000")
}

// TestPublishedProfiles checks files of OpenTelemetry's profiling group and others against the
// values in their README.
func TestPublishedProfiles(t *testing.T) {
	for name, want := range map[string]time.Duration{
		"otlp-profiles.json": 5 * 10 * time.Millisecond,
		"profile.otlp":       189 * 50 * time.Millisecond, // one period per timestamp
	} {
		data, err := os.ReadFile(testdata.Path(t, "field", name))
		if err != nil {
			t.Fatal(err)
		}
		o := formattest.MustOpen(t, data, kind.Config{})
		last := map[trace.ThreadID]time.Duration{}
		for _, e := range tracetest.Events(t, o.Recording.Events) {
			last[e.Thread] = max(last[e.Thread], e.Wall)
		}
		var sum time.Duration
		for _, d := range last {
			sum += d
		}
		if sum != want {
			t.Errorf("%s: %s, want %s", name, sum, want)
		}
	}
}

// TestResources checks that attributes of resources and scopes become labels, and that profiles of
// several resources become one profile with a value of each type.
func TestResources(t *testing.T) {
	text := strings.Replace(small, `{"scopeProfiles"`, `{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}},{"key":"process.pid","value":{"intValue":"7"}}]},"scopeProfiles"`, 1)
	other := strings.Replace(small, `"cpu"`, `"off_cpu"`, 1)
	p := formattest.MustOpen(t, []byte(text+other), kind.Config{}).Profile
	if len(p.Sample) != 2 || len(p.SampleType) != 2 || p.SampleType[1].Type != "off_cpu" || p.DefaultSampleType != "cpu" {
		t.Fatalf("%d samples, types %v", len(p.Sample), p.SampleType)
	}
	if s := p.Sample[0]; s.Value[0] != 5 || s.Value[1] != 0 || s.Label["service.name"][0] != "shop" || s.NumLabel["process.pid"][0] != 7 {
		t.Errorf("first sample: %v %v %v", s.Value, s.Label, s.NumLabel)
	}
	if s := p.Sample[1]; s.Value[0] != 0 || s.Value[1] != 5 || len(s.Label) != 0 {
		t.Errorf("second sample: %v %v", s.Value, s.Label)
	}
}

// TestOffCPU checks that samples of CPU time are read if waiting times precede them, as in files of
// OpenTelemetry's profiler for eBPF. Only the profiles of CPU time state a period: three samples of
// 10 ms.
func TestOffCPU(t *testing.T) {
	waits := strings.NewReplacer(`"cpu"`, `"off_cpu"`, `"5"`, `"7000000"`, `"periodType":{"typeStrindex":1,"unitStrindex":2},"period":"10000000"`, `"periodType":{}`).Replace(small)
	text := waits + strings.NewReplacer(`"cpu","nanoseconds","main"`, `"samples","count","main","cpu","nanoseconds"`, `"5"`, `"3"`, `"periodType":{"typeStrindex":1,"unitStrindex":2}`, `"periodType":{"typeStrindex":4,"unitStrindex":5}`).Replace(small)
	o := formattest.MustOpen(t, []byte(text), kind.Config{})
	if got := o.Recording.Warnings; len(got) != 1 || !strings.HasSuffix(got[0].Text, "the values of samples are read (--value NAME reads others: off_cpu)") {
		t.Errorf("warnings %v", got)
	}
	formattest.Check(t, "samples", formattest.Read(t, text, "otlp-json", kind.Config{}), "0 main >main cpu 0, 30000 main <main cpu 30000")
	if o := formattest.MustOpen(t, []byte(text), kind.Config{Value: "off_cpu"}); o.Recording.Info.Quantity.Name != "off_cpu" || len(o.Recording.Warnings) != 0 {
		t.Errorf("--value off_cpu: %+v, %v", o.Recording.Info.Quantity, o.Recording.Warnings)
	}
}

// TestWrite checks that the output has the times of the recording, and that its thread names are
// OpenTelemetry's attributes.
func TestWrite(t *testing.T) {
	rec := tracetest.Workload(t, "cold-start", time.Second)
	for _, f := range []*kind.Format{otlp.Format, otlp.JSON} {
		out := tracetest.Written(t, f, rec)
		rec = tracetest.Workload(t, "cold-start", time.Second)
		p := formattest.MustOpen(t, out, kind.Config{}).Profile
		var want profile.Profile
		if err := p.CheckValid(); err != nil || len(p.Sample) == 0 || len(want.Sample) != 0 {
			t.Fatalf("%s: %d samples, %v", f.Name, len(p.Sample), err)
		}
		names := map[string]bool{}
		for _, s := range p.Sample {
			for _, name := range s.Label["thread.name"] {
				names[name] = true
			}
		}
		if !names["main"] {
			t.Errorf("%s: threads %v, want main among them", f.Name, names)
		}
	}
}

// TestRefused checks that the error for a damaged file is one sentence with the expected text.
func TestRefused(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"stack":     {file(2, message(1, 9, 4, "\x01")), "resource 0, scope 0: profile 0, sample 0: stack 9 is outside its table of 2 entries"},
		"negative":  {file(2, message(1, -1, 4, "\x01")), "stack -1 is outside"},
		"link":      {file(2, message(1, 1, 3, 5, 4, "\x01")), "link 5 is outside its table of 0 entries"},
		"attribute": {file(2, message(1, 1, 2, "\x09", 4, "\x01")), "attribute 9 is outside its table of 2 entries"},
		"location":  {message(1, message(2, message(2, "")), 2, message(7, "", 7, message(1, "\x05"))), "stack_table: stack 1: location 5 is outside"},
		"cut":       {current[:len(current)-3], "in: offset 0: OTLP profiles that are damaged"},
		"json":      {small[:len(small)-9], "in: "},
		"number":    {strings.Replace(small, `"5"`, `"x"`, 1), "is not a whole number of 64 bits"},
		"type":      {strings.Replace(small, `["5"]`, `{}`, 1), "has a value of the wrong type"},
		"no sample": {message(1, message(2, message(2, message(1, ""))), 2, dictionary), "the profile has no sample"},
		"framed":    {"\x00\x00\x01\x00" + current, "the file ends inside a message"},
	} {
		got := formattest.Refused(t, []byte(c.text), "in")
		if !strings.Contains(got, c.want) || strings.Contains(got, "\n") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestNesting checks that nested values do not exhaust the stack.
func TestNesting(t *testing.T) {
	v := message(1, "deep")
	for range 5000 {
		v = message(5, message(1, v))
	}
	got := formattest.Refused(t, []byte(message(1, message(2, message(2, "")), 2, message(5, "", 6, "", 6, message(2, v)))), "in")
	if !strings.Contains(got, "messages are nested more than 100 levels deep") {
		t.Error(got)
	}
}

// TestSniff checks that a pprof profile is not recognized as OTLP.
func TestSniff(t *testing.T) {
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}}, Sample: []*profile.Sample{{Value: []int64{1}}, {Value: []int64{2}, Label: map[string][]string{"a": {"b"}}}}}
	var b bytes.Buffer
	if err := p.WriteUncompressed(&b); err != nil {
		t.Fatal(err)
	}
	if f := formattest.Format(t, b.Bytes()); f.Name != "pprof" {
		t.Errorf("a pprof profile is recognized as %s", f.Name)
	}
	for n := range 3 { // an incomplete file
		if otlp.Format.Sniff([]byte(current[:n])) {
			t.Errorf("Sniff of %d bytes = true, want false", n)
		}
	}
}

func FuzzMessage(f *testing.F) { formattest.Fuzz(f, otlp.Format, current, earlier, times) }

func FuzzJSON(f *testing.F) { formattest.Fuzz(f, otlp.JSON, small) }

func TestCut(t *testing.T) {
	formattest.Cut(t, otlp.Format, false, current, earlier, times)
	formattest.Cut(t, otlp.JSON, false, small)
}
