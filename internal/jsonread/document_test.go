package jsonread

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// walk returns the keys and scalars of a text with one document.
func walk(d *Document) (out []string, err error) {
	var value func() error
	value = func() error {
		c, err := d.Peek()
		switch {
		case err != nil:
			return err
		case c == '{':
			out = append(out, "{")
			err = d.Object(func(key string) error {
				out = append(out, key)
				return value()
			})
			out = append(out, "}")
			return err
		case c == '[':
			out = append(out, "[")
			err = d.Array(value)
			out = append(out, "]")
			return err
		case c == '"':
			s, err := d.Str()
			out = append(out, s)
			return err
		}
		var raw json.RawMessage
		err = d.Decode(&raw)
		out = append(out, string(raw))
		return err
	}
	if err = value(); err != nil {
		return out, err
	}
	return out, onlyOne(d)
}

// onlyOne returns an error if something follows the first document.
func onlyOne(d *Document) error {
	c, err := d.Peek()
	if err == nil {
		return fmt.Errorf("%q after the document", c)
	}
	if err == io.EOF {
		err = nil
	}
	return err
}

// walkStandard is walk with encoding/json.
func walkStandard(text string) (out []string, err error) {
	in := json.NewDecoder(strings.NewReader(text))
	in.UseNumber()
	for {
		token, err := in.Token()
		switch token := token.(type) {
		case nil:
			if err == io.EOF {
				return out, nil
			}
			if err != nil {
				return out, err
			}
			out = append(out, "null")
		case string:
			out = append(out, token)
		default:
			out = append(out, fmt.Sprint(token))
		}
	}
}

// FuzzDocument checks that Document reads the texts that encoding/json accepts, with the same
// result, and rejects the others, both member by member and when it skips values.
func FuzzDocument(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,-2.5e3,true,null,{"b\u0041\n":"c"}],"":{}} [] "x"`, " [ ] {\n} ", `{"a":1,}`, `[1,]`, `[,1]`, `{,}`,
		`{"a" 1}`, `{"a":}`, `{1:2}`, `[1 2]`, `[1}`, `{"a":1]`, `]`, `[tru]`, `[01]`, `["a`, `["a\`, `{"a":"\"}`, "[\"\x01\"]", "[\"\xff\"]", `[1`, `{"a"`, `{`, `12`, `-`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := walk(NewDocument(iotest.OneByteReader(strings.NewReader(text))))
		if (err == nil) != json.Valid([]byte(text)) {
			t.Fatalf("%q: error %v, encoding/json: valid %t", text, err, err != nil)
		}
		skip := NewDocument(strings.NewReader(text))
		skipped := skip.Skip()
		if skipped == nil {
			skipped = onlyOne(skip)
		}
		if (skipped == nil) != (err == nil) {
			t.Errorf("%q: skipped: %v, read: %v", text, skipped, err)
		}
		if err != nil {
			return
		}
		if want, err := walkStandard(text); err != nil || fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Errorf("%q:\n%q\nencoding/json:\n%q, %v", text, got, want, err)
		}
	})
}

// TestDocumentPlaces checks that an error has the line and the offset of the character that caused
// it. If the text ends too early, they are those of its end, before trailing white space.
func TestDocumentPlaces(t *testing.T) {
	for _, test := range []struct {
		text   string
		line   int
		offset int64
		err    string
	}{
		{"{\"a\":1,\n\"b\" 2}", 2, 12, `invalid character '2' after object key`},
		{"{\"a\":1\n\"b\":2}", 2, 7, `invalid character '"' after object key:value pair`},
		{"[1,\n\n2 3]", 3, 7, `invalid character '3' after array element`},
		{"[1,\n]", 2, 4, `invalid character ']' after a comma`},
		{"[1,\nx]", 2, 4, `invalid character 'x' looking for beginning of value`},
		{"[1,\n}", 2, 4, `invalid character '}' looking for beginning of value`},
		{"[1,\ntrux]", 2, 7, `invalid character 'x' in literal true (expecting 'e')`},
		{"{\n1:2}", 2, 2, `invalid character '1' looking for beginning of object key string`},
		{"[1,\n2\n\n", 2, 5, "unexpected EOF"},
		{"[1,\n\"", 2, 4, "unexpected EOF"},
	} {
		d := NewDocument(iotest.OneByteReader(strings.NewReader(test.text)))
		_, err := walk(d)
		if err == nil || err.Error() != test.err || d.Line() != test.line || d.Offset() != test.offset {
			t.Errorf("%q: %v at line %d, offset %d, want %s at %d, %d", test.text, err, d.Line(), d.Offset(), test.err, test.line, test.offset)
		}
	}
}

// TestDocuments checks that a stream may contain several documents.
func TestDocuments(t *testing.T) {
	d := NewDocument(strings.NewReader(" {\"a\":1}\n[2]{} 3 4\n"))
	for want := range 5 {
		if err := d.Skip(); err != nil {
			t.Errorf("document %d: %v", want, err)
		}
	}
	if err := d.Skip(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

// TestDocumentOpen checks that a value of another type in place of an object or array is an error,
// and that null is empty.
func TestDocumentOpen(t *testing.T) {
	for text, want := range map[string]string{"{}": "found { instead of [", "7": "found 7 instead of [", `"x"`: `found "x" instead of [`, "null": "<nil>", "nul": "unexpected EOF", "": "EOF"} {
		if err := NewDocument(strings.NewReader(text)).Array(nil); fmt.Sprint(err) != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestDocumentBounds checks that nesting and the length of a value are limited, but not the length
// of skipped values and white space.
func TestDocumentBounds(t *testing.T) {
	deep := strings.Repeat("[", maxDepth)
	if err := NewDocument(strings.NewReader(deep + strings.Repeat("]", maxDepth))).Skip(); err != nil {
		t.Errorf("%d arrays: %v", maxDepth, err)
	}
	if err := NewDocument(strings.NewReader(deep + "[")).Skip(); err == nil || err.Error() != "exceeded max depth" {
		t.Errorf("%d arrays: %v", maxDepth+1, err)
	}
	const most = 2 * firstWindow
	long := strings.Repeat(" ", 4*most) + "[" + strings.Repeat("1, ", most) + `1]`
	d := NewDocument(strings.NewReader(long))
	d.Limit = most
	if err := d.Skip(); err != nil || cap(d.text) > most {
		t.Errorf("skipped: %v with %d bytes of memory, want at most %d", err, cap(d.text), most)
	}
	d = NewDocument(strings.NewReader(long))
	d.Limit = most
	if _, err := d.Value(); err == nil || err.Error() != fmt.Sprintf("a value has more than %d bytes", most) {
		t.Errorf("as a value: %v", err)
	}
}

// TestDocumentFails checks that the document returns an error of the stream.
func TestDocumentFails(t *testing.T) {
	broken := errors.New("broken")
	for _, text := range []string{"", "[", "[1", `["`, `{"a"`, `{"a":{`} {
		d := NewDocument(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)))
		if err := d.Skip(); err != broken {
			t.Errorf("%q: %v", text, err)
		}
	}
}
