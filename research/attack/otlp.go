package main

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"

	"artifice/internal/protobuf"
)

// otlpClasses are profiles of OpenTelemetry, in protobuf and JSON.
var otlpClasses = []class{
	plain("otlp-samples", ".otlp", recording, otlpSamples),
	plain("otlp-table", ".otlp", recording, otlpTable),
	plain("otlp-stacks", ".otlp", recording, otlpStacks),
	plain("otlp-profiles", ".otlp", recording, otlpProfiles),
	plain("otlp-values", ".otlp", recording, otlpValues),
	plain("otlp-framed", ".otlp", recording, otlpFramed),
	plain("otlp-json-samples", ".otlp.json", recording, otlpJSONSamples),
	plain("otlp-json-table", ".otlp.json", recording, otlpJSONTable),
	plain("otlp-json-nested", ".otlp.json", recording, otlpJSONNested),
}

// otlpTables are the tables of a dictionary with a function main, a location, a stack and an
// attribute of it; more are added.
func otlpTables(more ...any) protobuf.Message {
	m := message(1, "", 2, "", 2, message(3, message(1, 1)), 3, "", 3, message(1, 3), 4, "", 5, "", 5, "cpu", 5, "nanoseconds", 5, "main", 5, "thread.id",
		6, "", 6, message(1, 4, 2, message(3, 7)), 7, "", 7, message(1, "\x01"))
	return append(m, message(more...)...)
}

// otlpFile is a file of the fields of one profile, besides its sample type.
func otlpFile(profile, dictionary protobuf.Message) []byte {
	of := append(message(1, message(1, 1, 2, 2), 5, message(1, 1, 2, 2), 6, 10_000_000), profile...)
	return message(1, message(2, message(2, of)), 2, dictionary)
}

// packedNumber is a list with one number.
func packedNumber(n int64) []byte { return binary.AppendUvarint(nil, uint64(n)) }

// otlpSamples has many samples: empty ones, ones with a value, or with values and indexes at the
// edges.
func otlpSamples(r *rand.Rand, size int) []byte {
	var profile protobuf.Message
	kind := r.IntN(4)
	for len(profile) < size {
		switch kind {
		case 0:
			profile.Bytes(2, nil)
		case 1:
			profile.Bytes(2, message(1, 1, 4, packedNumber(1)))
		case 2:
			profile.Bytes(2, message(1, 1, 4, packedNumber(extreme(r)), 2, packedNumber(int64(r.IntN(2)))))
		default:
			profile.Bytes(2, message(1, pick(r, int64(0), 1, 1, 1, extreme(r)), 3, pick(r, int64(0), 0, 0, extreme(r)), 4, packedNumber(int64(len(profile)))))
		}
	}
	return otlpFile(profile, otlpTables())
}

// otlpTable has a table with many entries, most of them empty.
func otlpTable(r *rand.Rand, size int) []byte {
	tables := otlpTables()
	number, empty := 1+r.IntN(7), r.IntN(2) == 0
	for i := 0; len(tables) < size; i++ {
		if empty || number == 5 {
			tables.Bytes(number, nil)
			continue
		}
		tables.Bytes(number, message(1, 1))
	}
	return otlpFile(message(2, message(1, 1, 4, packedNumber(1))), tables)
}

// otlpStacks has samples of one deep stack, or of two in turn: different ones, or ones that differ
// in their innermost frame. Frames may be dropped.
func otlpStacks(r *rand.Rand, size int) []byte {
	stacks := 1 + r.IntN(2)
	depth := pick(r, 1, 100, size/2/stacks)
	var profile protobuf.Message
	for i := 0; len(profile) < size/2; i++ {
		profile.Bytes(2, message(1, 2+i%stacks, 4, packedNumber(int64(1+r.IntN(9)))))
	}
	second := pick(r, "\x02"+strings.Repeat("\x01", depth), strings.Repeat("\x02", depth))
	tables := otlpTables(7, message(1, strings.Repeat("\x01", depth)), 7, message(1, second), 2, message(3, message(1, 2)), 3, message(1, 5),
		5, "other", 5, "pprof.profile.drop_frames", 6, message(1, 6, 2, message(1, "x|other")))
	if r.IntN(2) == 0 {
		profile.Bytes(11, packedNumber(2))
	}
	return otlpFile(profile, tables)
}

// otlpProfiles has many profiles, scopes or resources of a sample each.
func otlpProfiles(r *rand.Rand, size int) []byte {
	types, level := pick(r, 1, 2, 4), r.IntN(3)
	var file, scope, resource protobuf.Message
	for i := 0; len(file)+len(scope)+len(resource) < size; i++ {
		of := message(1, message(1, 1+i%types, 2, 2), 2, message(1, 1, 4, packedNumber(int64(i))))
		switch level {
		case 0:
			scope.Bytes(2, of)
		case 1:
			resource.Bytes(2, message(2, of))
		default:
			file.Bytes(1, message(1, message(1, message(1, fmt.Sprint("k", i%100), 2, message(3, i))), 2, message(2, of)))
		}
	}
	resource.Bytes(2, scope)
	file.Bytes(1, resource)
	file.Bytes(2, otlpTables())
	return file
}

// otlpValues has values inside each other, or a long list of them, as an attribute of all samples.
func otlpValues(r *rand.Rand, size int) []byte {
	value := message(3, 1)
	if r.IntN(2) == 0 {
		for len(value) < size && len(value) < 1<<16 {
			value = message(5, message(1, value))
		}
	} else {
		var list protobuf.Message
		for len(list) < size/2 {
			list.Bytes(1, message(3, r.IntN(100)))
		}
		value = message(5, list)
	}
	profile := protobuf.Message{}
	for len(profile) < size/4 {
		profile.Bytes(2, message(1, 1, 2, "\x02", 4, packedNumber(1)))
	}
	return otlpFile(profile, otlpTables(6, message(1, 4, 2, value)))
}

// otlpFramed has many messages, each after its length.
func otlpFramed(r *rand.Rand, size int) (b []byte) {
	one := otlpFile(message(2, message(1, 1, 4, packedNumber(extreme(r)))), otlpTables())
	for len(b) < size {
		b = append(binary.BigEndian.AppendUint32(b, uint32(len(one))), one...)
	}
	return b[:len(b)-r.IntN(2)]
}

// otlpJSON is a document with the elements of the samples of a profile, and with more tables.
func otlpJSON(samples, tables string) []byte {
	return []byte(`{"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"sampleType":{"typeStrindex":1,"unitStrindex":2},"samples":[` + samples +
		`]}]}]}],"dictionary":{"stringTable":["","cpu","nanoseconds","main"],"functionTable":[{},{"nameStrindex":3}],"locationTable":[{},{"lines":[{"functionIndex":1}]}],"stackTable":[{},{"locationIndices":[1]}]` + tables + `}}`)
}

// repeated is a list of an element, of about size bytes.
func repeated(element string, size int) string {
	return strings.Repeat(element+",", max(1, size/(len(element)+1))) + element
}

func otlpJSONSamples(r *rand.Rand, size int) []byte {
	one := `{"stackIndex":1,"values":["1"]}`
	return otlpJSON(one+","+repeated(pick(r, `{}`, one, `{"values":[1]}`, `{"values":["`+number(r, 20)+`"]}`, `{"timestampsUnixNano":[1]}`, `[]`, `null`), size), "")
}

func otlpJSONTable(r *rand.Rand, size int) []byte {
	table := pick(r, "mappingTable", "linkTable", "attributeTable", "functionTable", "stackTable", "locationTable", "stringTable")
	return otlpJSON(`{"stackIndex":1,"values":["1"]}`, `,"`+table+`":[`+repeated(pick(r, `{}`, `null`, `""`, `{"x":[]}`, `[]`), size)+`]`)
}

func otlpJSONNested(r *rand.Rand, size int) []byte {
	open, shut := `{"arrayValue":{"values":[`, `]}}`
	if r.IntN(2) == 0 {
		open, shut = `{"kvlistValue":{"values":[{"value":`, `}]}}`
	}
	depth := pick(r, 5, 100, 1000, size/len(open+shut))
	return otlpJSON(`{"stackIndex":1,"values":["1"],"attributeIndices":[1]}`, `,"attributeTable":[{},{"keyStrindex":3,"value":`+strings.Repeat(open, depth)+strings.Repeat(shut, depth)+`}]`)
}
