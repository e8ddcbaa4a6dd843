package otlp

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"reflect"

	"artifice/internal/jsonread"
	"artifice/internal/protobuf"
	"artifice/trace"
)

// parse reads all messages of a file. The file contains one protobuf message, or several, each
// after its length in four bytes (as written by the collector's file exporter), or one or several
// JSON documents. name is used in error messages.
func parse(file []byte, name string) ([]*Data, error) {
	switch text := bytes.TrimLeft(file, " \t\r\n\ufeff"); {
	// a line feed and "{" also begin a message of 123 bytes
	case len(text) > 0 && text[0] == '{' && (file[0] != 0x0a || !wellFormed(file)):
		return parseJSON(text, int64(len(file)-len(text)), name)
	case framed(file):
		return parseFramed(file, name)
	}
	d, err := parseMessage(file, 0, name)
	if err != nil {
		return nil, err
	}
	return []*Data{d}, nil
}

// wellFormed reports whether b is a well-formed message.
func wellFormed(b []byte) bool {
	return protobuf.Fields(b, func(int, uint64, []byte) error { return nil }) == nil
}

// framed reports whether a file begins with a message's length.
func framed(file []byte) bool {
	return len(file) >= 4 && file[0] != 0x0a && file[0] != 0x12 && (len(file) == 4 || file[4] == 0x0a || file[4] == 0x12)
}

func parseFramed(file []byte, name string) (all []*Data, err error) {
	for at := 0; at < len(file); {
		if len(file)-at < 4 || int64(binary.BigEndian.Uint32(file[at:])) > int64(len(file)-at-4) {
			return nil, &trace.FormatError{Name: name, Offset: int64(at), Msg: "the file ends inside a message: it was cut off"}
		}
		end := at + 4 + int(binary.BigEndian.Uint32(file[at:]))
		d, err := parseMessage(file[at+4:end], at+4, name)
		if err != nil {
			return nil, err
		}
		all, at = append(all, d), end
	}
	return all, nil
}

// parseMessage decodes the message at an offset of the file.
func parseMessage(b []byte, offset int, name string) (*Data, error) {
	d := &Data{}
	l, err := layoutOf(b)
	if err == nil {
		err = (&decoder{layout: l}).message(b, reflect.ValueOf(d).Elem())
	}
	if err != nil {
		return nil, &trace.FormatError{Name: name, Offset: int64(offset), Msg: "OTLP profiles that are damaged, or of an unsupported release", Err: err}
	}
	return d, nil
}

func parseJSON(text []byte, offset int64, name string) (all []*Data, err error) {
	in := json.NewDecoder(bytes.NewReader(text))
	for {
		d := &Data{}
		at := in.InputOffset()
		err := in.Decode(d)
		if err == io.EOF && len(all) > 0 {
			return all, nil
		}
		if err != nil {
			var syntax *json.SyntaxError
			var kind *json.UnmarshalTypeError
			switch {
			case errors.As(err, &syntax):
				at = syntax.Offset
			case errors.As(err, &kind):
				at = kind.Offset
				err = errors.New(jsonread.WrongType(kind))
			case err == io.EOF:
				err = io.ErrUnexpectedEOF
			}
			return nil, &trace.FormatError{Name: name, Offset: offset + at, Msg: "OTLP profiles in JSON", Err: err}
		}
		all = append(all, d)
	}
}

// encode returns the message in protobuf encoding.
func (d *Data) encode() []byte {
	var m protobuf.Message
	appendMessage(&m, reflect.ValueOf(d).Elem())
	return m
}

// writeJSON writes the message as JSON.
func (d *Data) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(d)
}
