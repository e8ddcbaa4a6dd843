package otlp

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"artifice/internal/protobuf"
)

// wireField is a field of a message, as described by its tag.
type wireField struct {
	number int
	fixed  bool // integers have eight bytes
	at     int  // index in the struct
}

// wireTable has the fields of a message by number.
type wireTable struct {
	fields   []wireField
	byNumber map[int]wireField
}

var wireTables sync.Map // of reflect.Type

// tableOf returns the wire table of a struct, from its tags.
func tableOf(t reflect.Type) *wireTable {
	if known, ok := wireTables.Load(t); ok {
		return known.(*wireTable)
	}
	table := &wireTable{byNumber: map[int]wireField{}}
	for i := range t.NumField() {
		text, kind, _ := strings.Cut(t.Field(i).Tag.Get("otlp"), ",")
		number, err := strconv.Atoi(text)
		if err != nil {
			panic(err)
		}
		f := wireField{number, kind == "fixed", i}
		table.fields = append(table.fields, f)
		table.byNumber[number] = f
	}
	wireTables.Store(t, table)
	return table
}

// maxNesting is the maximum nesting depth of messages, as in protobuf's own parsers.
const maxNesting = 100

var (
	errNesting = fmt.Errorf("messages are nested more than %d levels deep", maxNesting)
	errKind    = errors.New("a field has a different type than in OTLP's schema")
)

// decoder decodes messages.
type decoder struct {
	layout  layout
	nesting int
}

// message decodes b into the struct v. A message that occurs twice is merged, as protobuf does.
func (d *decoder) message(b []byte, v reflect.Value) error {
	if d.nesting++; d.nesting > maxNesting {
		return errNesting
	}
	defer func() { d.nesting-- }()
	table, renumber := tableOf(v.Type()), d.layout.of(v.Type())
	if err := d.reserve(b, v, table, renumber); err != nil {
		return err
	}
	return protobuf.Fields(b, func(number int, value uint64, body []byte) error {
		f, ok := table.byNumber[renumbered(renumber, number)]
		if !ok {
			return nil
		}
		return d.field(v.Field(f.at), f, value, body)
	})
}

// reserve allocates the lists of messages in v with their final capacity.
func (d *decoder) reserve(b []byte, v reflect.Value, table *wireTable, renumber map[int]int) error {
	counts := map[int]int{}
	err := protobuf.Fields(b, func(number int, _ uint64, body []byte) error {
		if f, ok := table.byNumber[renumbered(renumber, number)]; ok && body != nil {
			counts[f.at]++
		}
		return nil
	})
	for at, n := range counts {
		if list := v.Field(at); err == nil && n > 1 && list.Kind() == reflect.Slice && (list.Type().Elem().Kind() == reflect.Struct || list.Type().Elem().Kind() == reflect.String) {
			grown := reflect.MakeSlice(list.Type(), list.Len(), list.Len()+n)
			reflect.Copy(grown, list)
			list.Set(grown)
		}
	}
	return err
}

// field decodes a field into v. body is nil for integers.
func (d *decoder) field(v reflect.Value, f wireField, value uint64, body []byte) error {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return d.field(v.Elem(), f, value, body)
	case reflect.Struct:
		if body == nil {
			return errKind
		}
		return d.message(body, v)
	case reflect.Slice:
		return d.list(v, f, value, body)
	case reflect.String:
		if body == nil {
			return errKind
		}
		v.SetString(string(body))
	default:
		if body != nil {
			return errKind
		}
		setNumber(v, value)
	}
	return nil
}

// list appends a field to the list v of messages, texts, byte strings or integers. A field can
// contain packed integers.
func (d *decoder) list(v reflect.Value, f wireField, value uint64, body []byte) error {
	switch element := v.Type().Elem(); element.Kind() {
	case reflect.Uint8:
		if body == nil {
			return errKind
		}
		v.SetBytes(append([]byte{}, body...))
		return nil
	case reflect.Struct, reflect.String:
		if body == nil {
			return errKind
		}
		v.Grow(1)
		v.SetLen(v.Len() + 1)
		return d.field(v.Index(v.Len()-1), f, value, body)
	}
	if body == nil {
		v.Grow(1)
		v.SetLen(v.Len() + 1)
		setNumber(v.Index(v.Len()-1), value)
		return nil
	}
	return unpack(v, f.fixed, body)
}

// unpack appends packed integers to the list v.
func unpack(v reflect.Value, fixed bool, body []byte) error {
	n, at := 0, v.Len()
	if fixed {
		if n = len(body) / 8; len(body)%8 != 0 {
			return errKind
		}
	} else {
		for _, c := range body {
			if c < 0x80 {
				n++
			}
		}
	}
	v.Grow(n)
	v.SetLen(at + n)
	for i := range n {
		value, size := uint64(0), 8
		if fixed {
			value = binary.LittleEndian.Uint64(body)
		} else if value, size = protobuf.ReadVarint(body); size < 0 {
			return protobuf.Err(size)
		}
		setNumber(v.Index(at+i), value)
		body = body[size:]
	}
	if len(body) > 0 { // a varint without an end
		return protobuf.Err(-1)
	}
	return nil
}

// setNumber sets an integer, a truth value or a floating point number.
func setNumber(v reflect.Value, value uint64) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(value != 0)
	case reflect.Float64:
		v.SetFloat(math.Float64frombits(value))
	case reflect.Uint64:
		v.SetUint(value)
	case reflect.Int32:
		v.SetInt(int64(int32(value)))
	default:
		v.SetInt(int64(value))
	}
}

// appendMessage appends the fields of the struct v. It omits numbers that are 0
// and empty texts, except for elements of lists and values of pointers.
func appendMessage(m *protobuf.Message, v reflect.Value) {
	for _, f := range tableOf(v.Type()).fields {
		appendField(m, f, v.Field(f.at), false)
	}
}

func appendField(m *protobuf.Message, f wireField, v reflect.Value, present bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			appendField(m, f, v.Elem(), true)
		}
	case reflect.Struct:
		at := m.Open(f.number)
		appendMessage(m, v)
		m.Shut(at)
	case reflect.String:
		if present || v.Len() > 0 {
			m.Bytes(f.number, []byte(v.String()))
		}
	case reflect.Slice:
		appendList(m, f, v, present)
	default:
		switch bits := numberOf(v); {
		case bits == 0 && !present:
		case f.fixed:
			*m = appendFixed(*m, f.number, bits)
		default:
			m.Uint(f.number, bits)
		}
	}
}

// appendFixed appends a field of eight bytes.
func appendFixed(b []byte, number int, bits uint64) []byte {
	return binary.LittleEndian.AppendUint64(append(b, byte(number<<3|1)), bits)
}

func appendList(m *protobuf.Message, f wireField, v reflect.Value, present bool) {
	switch v.Type().Elem().Kind() {
	case reflect.Uint8:
		if present || v.Len() > 0 {
			m.Bytes(f.number, v.Bytes())
		}
		return
	case reflect.Struct, reflect.String:
		for i := range v.Len() {
			appendField(m, f, v.Index(i), true)
		}
		return
	}
	if v.Len() == 0 {
		return
	}
	var packed []byte
	for i := range v.Len() {
		if bits := numberOf(v.Index(i)); f.fixed {
			packed = binary.LittleEndian.AppendUint64(packed, bits)
		} else {
			packed = protobuf.AppendVarint(packed, bits)
		}
	}
	m.Bytes(f.number, packed)
}

// numberOf returns the bits of an integer, truth value or floating point number.
func numberOf(v reflect.Value) uint64 {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return 1
		}
		return 0
	case reflect.Float64:
		return math.Float64bits(v.Float())
	case reflect.Uint64:
		return v.Uint()
	}
	return uint64(v.Int())
}
