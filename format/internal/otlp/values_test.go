package otlp

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/google/pprof/profile"

	"artifice/internal/protobuf"
)

// TestValueText: a text is itself; other values are as JSON writes them, bytes in base64. A double
// that is not a number has its name in JSON of protobuf.
func TestValueText(t *testing.T) {
	strings := []string{"", "one"}
	for value, want := range map[string]string{
		`{"stringValue":"a b"}`:         "a b",
		`{"stringValueStrindex":1}`:     "one",
		`{"boolValue":true}`:            "true",
		`{"boolValue":false}`:           "false",
		`{"intValue":"-5"}`:             "-5",
		`{"doubleValue":2.5}`:           "2.5",
		`{"doubleValue":"NaN"}`:         "NaN",
		`{"doubleValue":"-Infinity"}`:   "-Infinity",
		`{"bytesValue":"AQID"}`:         "AQID",
		`{"arrayValue":{"values":[]}}`:  "[]",
		`{"kvlistValue":{"values":[]}}`: "{}",
		`{}`:                            "",
		`{"arrayValue":{"values":[{"intValue":1},{"stringValue":"x"},{}]}}`:                                                 `[1,"x",null]`,
		`{"kvlistValue":{"values":[{"key":"b","value":{"boolValue":true}},{"keyStrindex":1,"value":{"doubleValue":0.5}}]}}`: `{"b":true,"one":0.5}`,
	} {
		var v Value
		if err := json.Unmarshal([]byte(value), &v); err != nil {
			t.Errorf("%s: %v", value, err)
		} else if got := v.text(strings); got != want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
	if got := (*Value)(nil).plain(strings); got != nil {
		t.Errorf("no value is %v", got)
	}
}

// TestLabels: integers are numeric labels with the unit, lists have several values, and a number with
// its own unit is a list of two. Setting a label again replaces it.
func TestLabels(t *testing.T) {
	l := labels{map[string][]string{}, map[string][]int64{}, map[string][]string{}}
	set := func(key, value, unit string) {
		var v *Value
		if value != "" {
			v = &Value{}
			if err := json.Unmarshal([]byte(value), v); err != nil {
				t.Fatal(err)
			}
		}
		l.set(key, v, unit, nil)
	}
	set("text", `{"stringValue":"a"}`, "")
	set("size", `{"intValue":5}`, "bytes")
	set("plain", `{"intValue":6}`, "")
	set("mixed", `{"arrayValue":{"values":[{"stringValue":"x"},{"intValue":1},{"kvlistValue":{"values":[{"key":"value","value":{"intValue":2}},{"key":"unit","value":{"stringValue":"ms"}}]}}]}}`, "s")
	set("other", `{"kvlistValue":{"values":[{"key":"value","value":{"intValue":2}},{"key":"units","value":{"stringValue":"ms"}}]}}`, "s")
	set("twice", `{"intValue":7}`, "s")
	set("twice", `{"stringValue":"b"}`, "")
	set("gone", `{"intValue":7}`, "s")
	set("gone", "", "")
	want := labels{
		map[string][]string{"text": {"a"}, "mixed": {"x"}, "other": {`{"units":"ms","value":2}`}, "twice": {"b"}},
		map[string][]int64{"size": {5}, "plain": {6}, "mixed": {1, 2}},
		map[string][]string{"size": {"bytes"}, "mixed": {"s", "ms"}},
	}
	if !reflect.DeepEqual(l, want) {
		t.Errorf("labels %v, want %v", l, want)
	}
}

// TestNumbers reads numbers as protobuf's JSON: quoted or not, and with a fraction or an exponent if
// they are whole.
func TestNumbers(t *testing.T) {
	for text, want := range map[string]int64{
		`5`: 5, `"5"`: 5, `-7`: -7, `5.0`: 5, `"1e3"`: 1000, `null`: 0,
		`9007199254740991.0`: 1<<53 - 1, `"9223372036854775807"`: math.MaxInt64, `"18446744073709551615"`: -1,
	} {
		var n number
		if err := json.Unmarshal([]byte(text), &n); err != nil || int64(n) != want {
			t.Errorf("%s is %d, want %d, error %v", text, n, want, err)
		}
	}
	var n number
	for _, text := range []string{`5.5`, `"x"`, `9007199254740993.0`, `1e300`, `true`, `""`} {
		if err := json.Unmarshal([]byte(text), &n); err == nil {
			t.Errorf("%s is %d", text, n)
		}
	}
	var i index
	for text, want := range map[string]int32{`2147483647`: math.MaxInt32, `-2147483648`: math.MinInt32, `2147483647.0`: math.MaxInt32} {
		if err := json.Unmarshal([]byte(text), &i); err != nil || int32(i) != want {
			t.Errorf("%s is %d, want %d, error %v", text, i, want, err)
		}
	}
	for _, text := range []string{`2147483648`, `2147483648.0`, `-2147483648.5`, `1.5`} {
		if err := json.Unmarshal([]byte(text), &i); err == nil {
			t.Errorf("%s is index %d", text, i)
		}
	}
}

// TestDoubles reads and writes the doubles that JSON lacks as protobuf's JSON does.
func TestDoubles(t *testing.T) {
	for text, want := range map[string]float64{`0.5`: 0.5, `"0.5"`: 0.5, `"Infinity"`: math.Inf(1), `"-Infinity"`: math.Inf(-1), `"NaN"`: math.NaN()} {
		var d double
		if err := json.Unmarshal([]byte(text), &d); err != nil || float64(d) != want && !math.IsNaN(want) || math.IsNaN(want) != math.IsNaN(float64(d)) {
			t.Errorf("%s is %g, want %g, error %v", text, d, want, err)
		}
		if b, err := json.Marshal(d); err != nil || string(b) != text && text != `"0.5"` {
			t.Errorf("%g is written as %s, want %s, error %v", d, b, text, err)
		}
	}
	var d double
	if err := json.Unmarshal([]byte(`"x"`), &d); err == nil {
		t.Errorf("x is %g", d)
	}
}

// TestIDs reads identifiers in hexadecimal.
func TestIDs(t *testing.T) {
	var h hexBytes
	if err := json.Unmarshal([]byte(`"0aff"`), &h); err != nil || string(h) != "\x0a\xff" {
		t.Errorf("%x, error %v", h, err)
	}
	if err := json.Unmarshal([]byte(`null`), &h); err != nil {
		t.Errorf("null: %v", err)
	}
	for _, text := range []string{`"0a0"`, `"xy"`} {
		if err := json.Unmarshal([]byte(text), &h); err == nil {
			t.Errorf("%s is %x", text, h)
		}
	}
}

// TestLabelValue checks the attributes of pprof's labels. The unit of the attribute is that of all
// numbers. If the units differ, each number of a list has its own.
func TestLabelValue(t *testing.T) {
	s := &profile.Sample{
		Label:    map[string][]string{"text": {"a"}, "both": {"x"}},
		NumLabel: map[string][]int64{"size": {5}, "sizes": {5, 6}, "mixed": {1, 2}, "plain": {3}, "both": {4}},
		NumUnit:  map[string][]string{"size": {"bytes"}, "sizes": {"bytes", "bytes"}, "mixed": {"s", "ms"}, "both": {"s"}},
	}
	own := func(value int, unit string) string {
		return fmt.Sprintf(`{"kvlistValue":{"values":[{"key":"value","value":{"intValue":"%d"}},{"key":"unit","value":{"stringValue":%q}}]}}`, value, unit)
	}
	for key, want := range map[string][2]string{
		"text":  {`{"stringValue":"a"}`},
		"size":  {`{"intValue":"5"}`, "bytes"},
		"sizes": {`{"arrayValue":{"values":[{"intValue":"5"},{"intValue":"6"}]}}`, "bytes"},
		"mixed": {`{"arrayValue":{"values":[` + own(1, "s") + `,` + own(2, "ms") + `]}}`},
		"plain": {`{"intValue":"3"}`},
		"both":  {`{"arrayValue":{"values":[{"stringValue":"x"},{"intValue":"4"}]}}`, "s"},
	} {
		v, unit := labelValue(s, key)
		text, err := json.Marshal(v)
		if err != nil || string(text) != want[0] || unit != want[1] {
			t.Errorf("%s: %s, unit %q, error %v; want %s, unit %q", key, text, unit, err, want[0], want[1])
		}
	}
	if v, unit := labelValue(s, "none"); v != nil || unit != "" {
		t.Errorf("a label that is not set: %v, unit %q", v, unit)
	}
}

// TestEarlierFields: JSON, also with a line break where a message begins, and an empty file have no
// field numbers of a release before 1.10.
func TestEarlierFields(t *testing.T) {
	for _, file := range []string{"", "{}", `{"resourceProfiles":[]}`, "{   \n}", "\x00\x00\x00\x09{"} {
		if ofEarlier([]byte(file)) {
			t.Errorf("%q is of an earlier release", file)
		}
	}
}

// TestListsOnWire checks the bytes of a sample with two values and two times: values are packed
// varints (field 4), times are packed numbers of eight bytes (field 5), as in profiles.proto.
func TestListsOnWire(t *testing.T) {
	var m protobuf.Message
	appendMessage(&m, reflect.ValueOf(Sample{Values: []number{1, 300}, Times: []unsigned{1, 1<<63 + 2}}))
	const want = "\x22\x03\x01\xac\x02" + "\x2a\x10" + "\x01\x00\x00\x00\x00\x00\x00\x00" + "\x02\x00\x00\x00\x00\x00\x00\x80"
	if string(m) != want {
		t.Errorf("% x, want % x", string(m), want)
	}
}
