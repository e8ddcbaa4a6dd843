package jsonread

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzValues checks that Int, Number and Str accept the same texts as encoding/json, with the same
// values.
func FuzzValues(f *testing.F) {
	for _, text := range []string{"0", "-12", "2147483647", "2147483648", "-2147483648", "9223372036854775807", "9223372036854775808", "null", "01", "-", "1.5", "-0.25", "1.", ".5", "1e3", "1-2", `"12"`, `"a\u0041"`, "\"\xff\"", `""`, "{}", "true", "nul"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		document := func() *Document { return NewDocument(strings.NewReader(text)) }
		whole := strings.TrimLeft(text, " \t\r\n")
		value, err := document().Value()
		if err != nil || string(value) != whole {
			return // text is not a single value
		}
		small, wantSmall := int32(-1), int32(-1)
		small, err = Int(document(), small)
		check(t, text, small, err, json.Unmarshal(value, &wantSmall), &wantSmall)
		large, wantLarge := int64(-1), int64(-1)
		large, err = Int(document(), large)
		check(t, text, large, err, json.Unmarshal(value, &wantLarge), &wantLarge)
		number, err := document().Number()
		var wantNumber json.Number
		check(t, text, json.Number(number), err, json.Unmarshal(value, &wantNumber), &wantNumber)
		s, err := document().Str()
		var wantText string
		check(t, text, s, err, json.Unmarshal(value, &wantText), &wantText)
	})
}

// TestUnmarshalType checks the errors of values of other types.
func TestUnmarshalType(t *testing.T) {
	var v struct {
		Frames []struct {
			Line int `json:"line"`
		} `json:"frames"`
	}
	var n int
	for _, test := range []struct {
		text, want string
		v          any
	}{
		{`{"frames":[{"line":"1"}]}`, "frames.line has a value of the wrong type: string", &v},
		{`{"frames":{}}`, "frames has a value of the wrong type: object", &v},
		{`true`, "a value of the wrong type: bool", &n},
	} {
		if err := Unmarshal([]byte(test.text), test.v); err == nil || err.Error() != test.want {
			t.Errorf("%s: error %v, want %s", test.text, err, test.want)
		}
		if err := NewDocument(strings.NewReader(test.text)).Decode(test.v); err == nil || err.Error() != test.want {
			t.Errorf("%s: Decode: error %v, want %s", test.text, err, test.want)
		}
	}
}

// check compares a value and its error with those of encoding/json.
func check[T comparable](t *testing.T, text string, got T, err error, wantErr error, want *T) {
	t.Helper()
	if (err == nil) != (wantErr == nil) || err == nil && got != *want {
		t.Errorf("%q: %v, %v, encoding/json: %v, %v", text, got, err, *want, wantErr)
	}
}

// TestText checks that a number is returned as its text, and a string without its quotes.
func TestText(t *testing.T) {
	for text, want := range map[string]Text{`12`: "12", `"12"`: "12", `-1.50e3`: "-1.50e3", `"a\tb"`: "a\tb", `null`: "null", `[1]`: "[1]"} {
		var got Text
		if err := NewDocument(strings.NewReader(text)).Decode(&got); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", text, got, err, want)
		}
	}
}
