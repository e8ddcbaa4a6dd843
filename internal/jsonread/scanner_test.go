package jsonread

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"
)

// FuzzMember checks that keys, strings and numbers of an object are those that encoding/json reads.
// Keys caches texts of earlier objects, so the test reads two objects, twice each.
func FuzzMember(f *testing.F) {
	f.Add(`{"ph":"B","name":"a.b","pid":13705,"tid":8,"ts":140277,"tts":0.5,"args":{"x":[1,"]"]}}`, `{"ph":"E","pid":1,"tid":"main","ts":12345678.125,"tts":123456789012345.000}`)
	f.Add(`{"name": "x" , "ts" : 1 ,"tid":00}`, "{\n\t\"ts\": -1.5,\n\t\"name\":\"\xc3\xa4\\n\"\n}")
	f.Add(`{"a":1,"b":2,"c":3,"d":4,"ts":1234567,"ph":"\u0042"}`, `{}`)
	f.Add(`{"ts":1e3,"pid":12345678,"tid":1234.5,"tts":1.2345}`, `{"ts":9999999999999999,"tts":999999999999999.999,"pid":1-2}`)
	f.Add(`{"long key of sixteen":1,"ph":"ä","ph":"","ph":"BE"}`, `{"ph":"B"{"ph":"B"}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		keys := NewKeys("ph", "name", "ts", "pid")
		for _, text := range []string{a, b, a, b} {
			checkMembers(t, text, keys)
			checkMembers(t, text+strings.Repeat(" ", thousandsMax), keys) // far from the end
		}
	})
}

func checkMembers(t *testing.T, text string, keys *Keys) {
	var got []string
	in := NewScanner([]byte(text))
	for key, more := in.Member('{', keys); more; key, more = in.Member(',', keys) {
		switch key {
		case 1:
			got = append(got, fmt.Sprintf("ph %d", in.Letter()))
		case 2:
			got = append(got, "name "+string(in.Str()))
		case 3:
			got = append(got, "ts "+decimal(t, &in))
		case 4:
			if n, ok := in.Digits(); ok {
				got = append(got, fmt.Sprint("pid ", n))
			} else {
				got = append(got, "pid "+decimal(t, &in))
			}
		default:
			in.Skip()
			got = append(got, "")
		}
	}
	if in.Bad || !json.Valid([]byte(text)[:in.Read()]) {
		return // leave it to encoding/json
	}
	want := members(t, text[:in.Read()])
	if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("%q:\n%q\nencoding/json:\n%q", text, got, want)
	}
}

// decimal reads a number and checks its thousandths with package big.
func decimal(t *testing.T, in *Scanner) string {
	text, thousandths, short := in.Decimal()
	if exact, ok := new(big.Rat).SetString(string(text)); short && (!ok || exact.Cmp(big.NewRat(thousandths, 1000)) != 0) {
		t.Errorf("%s is %d thousandths", text, thousandths)
	}
	return string(text)
}

// members returns the members of an object as encoding/json reads them.
func members(t *testing.T, text string) (out []string) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if token, err := d.Token(); token != json.Delim('{') {
		t.Fatalf("%q is no object: %v", text, err)
	}
	for d.More() {
		key, _ := d.Token()
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			t.Fatal(err)
		}
		out = append(out, member(t, key.(string), raw))
	}
	return out
}

func member(t *testing.T, key string, raw json.RawMessage) string {
	switch key {
	case "ph", "name":
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			t.Errorf("%s: value %s is read as a string", key, raw)
		}
		if key == "name" {
			return "name " + s
		}
		if len(s) != 1 {
			s = "\x00"
		}
		return fmt.Sprintf("ph %d", s[0])
	case "ts", "pid":
		if bytes.ContainsAny(raw, "eE\"") {
			t.Errorf("%s: value %s is read as a number without an exponent", key, raw)
		}
		return key + " " + string(raw)
	}
	return ""
}

// TestKeyCacheOverflow checks more different keys than the cache has room for. Each object has some
// of them.
func TestKeyCacheOverflow(t *testing.T) {
	keys := NewKeys("k7", "ts")
	for i := range 10 * keysMax {
		text := fmt.Sprintf(`{"k%d":%d,"ts":%d,"k%d":{},"k7":1}`, i%50, i, i, i*7%41+100)
		in := NewScanner([]byte(text + strings.Repeat(" ", betweenMax)))
		var got []int
		for key, more := in.Member('{', keys); more; key, more = in.Member(',', keys) {
			got = append(got, key)
			in.Skip()
		}
		want := []int{0, 2, 0, 1}
		if i%50 == 7 {
			want[0] = 1
		}
		if in.Bad || in.Read() != len(text) || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%s: %v, want %v", text, got, want)
		}
	}
}
