package profile

import (
	"bufio"

	"google.golang.org/protobuf/encoding/protowire"
)

// Field numbers of the messages of profile.proto, the format of pprof.
const (
	profileSampleType, profileSample, profileMapping, profileLocation, profileFunction = 1, 2, 3, 4, 5

	profileString, profileTime, profileDuration, profilePeriodType, profilePeriod = 6, 9, 10, 11, 12

	profileComment, profileDefaultSample = 13, 14

	valueType, valueUnit = 1, 2

	sampleLocation, sampleValue, sampleLabel = 1, 2, 3
	labelKey, labelText, labelNumber         = 1, 2, 3

	mappingID, mappingFunctions, mappingFilenames, mappingLines = 1, 7, 8, 9

	locationID, locationMapping, locationLine = 1, 2, 4
	lineFunction, lineNumber                  = 1, 2

	functionID, functionName, functionSystem, functionFile, functionLine = 1, 2, 3, 4, 5
)

// message is one that is put together field by field.
type message []byte

// number returns m with a field that has a number; 0 is what an absent one means.
func (m message) number(field protowire.Number, v int64) message {
	if v == 0 {
		return m
	}
	return protowire.AppendVarint(protowire.AppendTag(m, field, protowire.VarintType), uint64(v))
}

// bytes returns m with a field that has a message, or packed numbers.
func (m message) bytes(field protowire.Number, b []byte) message {
	return protowire.AppendBytes(protowire.AppendTag(m, field, protowire.BytesType), b)
}

// file is a profile on its way out. Errors of w come again when it is closed.
type file struct {
	w       *bufio.Writer
	strings map[string]int64
	list    []string
	head    message
}

// text returns the number of a string.
func (f *file) text(s string) int64 {
	n, ok := f.strings[s]
	if !ok {
		n = int64(len(f.list))
		f.strings[s], f.list = n, append(f.list, s)
	}
	return n
}

// field writes a field of the profile.
func (f *file) field(field protowire.Number, b []byte) {
	f.head = protowire.AppendVarint(protowire.AppendTag(f.head[:0], field, protowire.BytesType), uint64(len(b)))
	f.w.Write(f.head)
	f.w.Write(b)
}

// valueType writes what a column of numbers, or the period, means.
func (f *file) valueType(field protowire.Number, typ, unit string) {
	f.field(field, message(nil).number(valueType, f.text(typ)).number(valueUnit, f.text(unit)))
}

// close writes the strings.
func (f *file) close() error {
	for _, s := range f.list {
		f.field(profileString, []byte(s))
	}
	return f.w.Flush()
}
