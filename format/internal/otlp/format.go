// Package otlp reads and writes profiles of OpenTelemetry: the message ProfilesData of OTLP, signal
// "profiles", in protobuf and JSON. It translates them to and from the model of google/pprof;
// package format/pprof decides what the values mean.
package otlp

import (
	"bytes"
	"io"
	"strings"

	"github.com/google/pprof/profile"

	"artifice/format/internal/kind"
	"artifice/format/internal/timeline"
	"artifice/format/pprof"
	"artifice/internal/encode"
	"artifice/internal/protobuf"
	"artifice/trace"
)

// Format is the format of OTLP profiles in protobuf: a message, or several messages, each after its
// length. Messages of release 1.9, which has other numbers for some fields, are also read. Reading
// needs memory of several times the size of the decompressed file.
var Format = &kind.Format{
	Name: "otlp", About: "OpenTelemetry profiles, as protobuf", Endings: []string{".otlp"},
	Sniff: isMessage, Head: timeline.SniffLen, Holds: kind.Binary | content, Read: read,
	Write: func(w io.Writer, rec *trace.Recording, options ...any) (encode.Writer, error) {
		return newWriter(w, rec, encodeMessage, options)
	},
	WriteProfile: func(w io.Writer, p *profile.Profile) ([]string, error) { return nil, encodeMessage(w, fromProfile(p)) },
}

// content is the content of messages in both encodings.
const content = kind.OpenFrames | kind.Quantities | kind.CPUSamples | kind.CPUClock

// JSON is the format of OTLP profiles in JSON: one document, or one document per line.
var JSON = &kind.Format{
	Name: "otlp-json", About: "OpenTelemetry profiles, as JSON", Endings: []string{".otlp.json"},
	Sniff: isJSON, Head: timeline.SniffLen, Holds: content, Read: read,
	Write: func(w io.Writer, rec *trace.Recording, options ...any) (encode.Writer, error) {
		return newWriter(w, rec, encodeJSON, options)
	},
	WriteProfile: func(w io.Writer, p *profile.Profile) ([]string, error) { return nil, encodeJSON(w, fromProfile(p)) },
}

func encodeMessage(w io.Writer, d *Data) error {
	_, err := w.Write(d.encode())
	return err
}

func encodeJSON(w io.Writer, d *Data) error { return d.writeJSON(w) }

// isJSON reports whether a file is a JSON object with the keys of the message.
func isJSON(head []byte) bool {
	text := bytes.TrimLeft(head, " \t\r\n")
	return bytes.HasPrefix(text, []byte("{")) &&
		(bytes.Contains(text, []byte(`"resourceProfiles"`)) || bytes.Contains(text, []byte(`"dictionary"`)) && bytes.Contains(text, []byte(`Table"`)))
}

// isMessage reports whether a file begins with a ResourceProfiles or a Dictionary message. These
// differ from the sample types and samples of pprof's profiles in the types and numbers of their
// fields.
func isMessage(head []byte) bool {
	if len(head) > 5 && framed(head) {
		head = head[4:]
	}
	if len(head) < 2 {
		return false
	}
	size, n := protobuf.ReadVarint(head[1:])
	if n < 0 || size == 0 {
		return false
	}
	body := head[1+n:]
	if body = body[:min(uint64(len(body)), size)]; len(body) == 0 {
		return false
	}
	switch head[0] {
	case 0x0a:
		return resourceShape.fits(body)
	case 0x12:
		return beginsDictionary(body)
	}
	return false
}

// shape contains the fields of a message that are used for detection, by tag. Each has the shape of
// its message, or nil if that message is not examined.
type shape map[uint64]shape

// resourceShape is the shape of ResourceProfiles. A packet of Perfetto has other fields, or has
// numbers in place of a resource's attributes and a scope's name. A ValueType of pprof has numbers,
// too.
var resourceShape = shape{
	0x0a: {0x0a: {0x0a: nil, 0x12: nil}, 0x10: nil, 0x1a: nil},                       // resource: attributes, dropped, entities
	0x12: {0x0a: {0x0a: nil, 0x12: nil, 0x1a: nil, 0x20: nil}, 0x12: nil, 0x1a: nil}, // scope and its profiles
	0x1a: nil,
}

// fits reports whether a message, which may be truncated, has only fields of a shape.
func (m shape) fits(b []byte) bool {
	for len(b) > 0 {
		tag, n := protobuf.ReadVarint(b)
		if n <= 0 {
			return true
		}
		fields, known := m[tag]
		if !known {
			return false
		}
		value, k := protobuf.ReadVarint(b[n:])
		if k <= 0 {
			return true
		}
		b = b[n+k:]
		if tag&7 != protobuf.Bytes {
			continue
		}
		if fields != nil && !fields.fits(b[:min(uint64(len(b)), value)]) {
			return false
		}
		b = b[min(uint64(len(b)), value):]
	}
	return true
}

// beginsDictionary reports whether a message contains only tables and cannot be a sample of
// pprof's: it has tables with field numbers above those of such samples, or begins with an empty
// entry, as each table should.
func beginsDictionary(b []byte) bool {
	var fields [64]protobuf.Field
	tables, empty, count := map[uint64]bool{}, false, 0
	for at := 0; at < len(b) && count < 1<<14; {
		n, end := protobuf.ReadFields(b, at, fields[:])
		for i, f := range fields[:n] {
			if f.Tag&7 != protobuf.Bytes || f.Tag>>3 > 7 {
				return false
			}
			empty = empty || count == 0 && i == 0 && f.Value == 0
			tables[f.Tag>>3] = true
		}
		if count += n; end < 0 || n == 0 {
			break
		}
		at = end
	}
	return tables[4] || tables[5] || tables[6] || tables[7] || empty && count > 2
}

// read reads a file like pprof's reader reads a profile.
func read(src kind.Source, cfg *kind.Config) (*kind.Opened, error) {
	all, size, err := load(src, cfg)
	if err != nil {
		return nil, err
	}
	p, chosen, err := toProfile(all, src.Name)
	if err != nil {
		return nil, err
	}
	view, warnings := viewOf(p, src.Name)
	o, err := pprof.Open(view, src.Name, "otlp", size, cfg)
	if err != nil {
		return nil, err
	}
	o.Profile = p
	o.Recording.Warnings = append(o.Recording.Warnings, warnings...)
	if chosen && cfg.Value == "" {
		var others []string
		for _, of := range p.SampleType {
			if of.Type != p.DefaultSampleType {
				others = append(others, of.Type)
			}
		}
		if len(others) > 0 {
			o.Recording.Warnings = append(o.Recording.Warnings, trace.Warnf(trace.WarnDumpLeftOut, src.Name, "the values of %s are read (--value NAME reads others: %s)", p.DefaultSampleType, strings.Join(others, ", ")))
		}
	}
	return o, nil
}

// load reads and decodes a file.
func load(src kind.Source, cfg *kind.Config) (all []*Data, size int64, err error) {
	file, err := src.ReadAll(cfg)
	if err != nil {
		return nil, 0, err
	}
	all, err = parse(file, src.Name)
	return all, int64(len(file)), err
}
