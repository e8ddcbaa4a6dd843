package otlp

import (
	"encoding/base64"
	"encoding/json"

	"github.com/google/pprof/profile"
)

// Attributes of OpenTelemetry's semantic conventions for content of pprof that has no field in
// OTLP.
const (
	attrFolded      = "pprof.location.is_folded"
	attrFunctions   = "pprof.mapping.has_functions"
	attrFilenames   = "pprof.mapping.has_filenames"
	attrLines       = "pprof.mapping.has_line_numbers"
	attrInline      = "pprof.mapping.has_inline_frames"
	attrComment     = "pprof.profile.comment"
	attrDocURL      = "pprof.profile.doc_url"
	attrDrop        = "pprof.profile.drop_frames"
	attrKeep        = "pprof.profile.keep_frames"
	attrDefaultType = "pprof.scope.default_sample_type"
	attrTypeOrder   = "pprof.scope.sample_type_order"
	attrBuildGNU    = "process.executable.build_id.gnu"
	attrBuildGo     = "process.executable.build_id.go"
	attrThreadName  = "thread.name"
	attrThreadID    = "thread.id"
	attrScopeName   = "otel.scope.name"
	attrScopeVer    = "otel.scope.version"
)

// attrBuildIDs are the attributes that can contain the build id of a mapping, by descending
// preference.
var attrBuildIDs = []string{attrBuildGNU, attrBuildGo, "process.executable.build_id.htlhash", "process.executable.build_id.profiling"}

// Labels of pprof with the ids of a span. OTLP stores these ids in its table of links.
const labelTrace, labelSpan = "trace_id", "span_id"

// labels are the labels of a sample of pprof. Several samples can share them.
type labels struct {
	text  map[string][]string
	num   map[string][]int64
	units map[string][]string
}

// set replaces the label key by the value of an attribute: a text or an integer, a list of them, or
// the text of any other value.
func (l *labels) set(key string, v *Value, unit string, strings []string) {
	delete(l.text, key)
	delete(l.num, key)
	delete(l.units, key)
	if v == nil {
		return
	}
	elements := []Value{*v}
	if v.Array != nil {
		elements = v.Array.Values
	}
	for i := range elements {
		l.add(key, &elements[i], unit, strings)
	}
	for _, u := range l.units[key] {
		if u != "" {
			return
		}
	}
	delete(l.units, key)
}

func (l *labels) add(key string, v *Value, unit string, strings []string) {
	n, u, ok := v.withUnit()
	if v.Int != nil {
		n, u, ok = int64(*v.Int), unit, true
	}
	if !ok {
		l.text[key] = append(l.text[key], v.text(strings))
		return
	}
	l.num[key] = append(l.num[key], n)
	l.units[key] = append(l.units[key], u)
}

// withUnit returns the integer and the unit of a value made by [numberWithUnit].
func (v *Value) withUnit() (n int64, unit string, ok bool) {
	if v.List == nil || len(v.List.Values) != 2 {
		return 0, "", false
	}
	first, second := v.List.Values[0], v.List.Values[1]
	if first.Key != "value" || second.Key != "unit" || first.Value == nil || first.Value.Int == nil || second.Value == nil || second.Value.String == nil {
		return 0, "", false
	}
	return int64(*first.Value.Int), *second.Value.String, true
}

// numberWithUnit returns the value of a number in a list of numbers with different units.
func numberWithUnit(n int64, unit string) Value {
	i := number(n)
	return Value{List: &KeyValues{[]KeyValue{{Key: "value", Value: &Value{Int: &i}}, {Key: "unit", Value: &Value{String: &unit}}}}}
}

// text returns the value as text: lists and maps as JSON, bytes in base64, and doubles that are no
// numbers by their names in JSON of protobuf.
func (v *Value) text(strings []string) string {
	switch plain := v.plain(strings).(type) {
	case string:
		return plain
	case nil:
		return ""
	default:
		b, err := json.Marshal(plain)
		if err != nil {
			panic(err) // all kinds of values can be encoded
		}
		if v.Double != nil {
			return unquoted(b)
		}
		return string(b)
	}
}

// plain returns the value as encoding/json writes it.
func (v *Value) plain(strings []string) any {
	switch {
	case v == nil:
		return nil
	case v.String != nil:
		return *v.String
	case v.StringRef != nil:
		return at(strings, *v.StringRef)
	case v.Bool != nil:
		return *v.Bool
	case v.Int != nil:
		return int64(*v.Int)
	case v.Double != nil:
		return *v.Double
	case v.Bytes != nil:
		return base64.StdEncoding.EncodeToString(*v.Bytes)
	case v.Array != nil:
		list := make([]any, len(v.Array.Values))
		for i := range list {
			list[i] = v.Array.Values[i].plain(strings)
		}
		return list
	case v.List != nil:
		object := map[string]any{}
		for i := range v.List.Values {
			kv := &v.List.Values[i]
			object[kv.name(strings)] = kv.Value.plain(strings)
		}
		return object
	}
	return nil
}

// name returns the key of an attribute of a resource or scope.
func (kv *KeyValue) name(strings []string) string {
	if kv.Key == "" {
		return at(strings, kv.KeyRef)
	}
	return kv.Key
}

// at returns an element of a list, or the zero value if the index is invalid.
func at[T any](list []T, i index) (v T) {
	if i >= 0 && int(i) < len(list) {
		return list[i]
	}
	return v
}

// texts returns the texts of a list; a single text is a list of one.
func (v *Value) texts(strings []string) []string {
	if v == nil {
		return nil
	}
	if v.Array == nil {
		return []string{v.text(strings)}
	}
	var list []string
	for i := range v.Array.Values {
		list = append(list, v.Array.Values[i].text(strings))
	}
	return list
}

// labelValue returns the attribute value and unit for a label of pprof, which can have several
// texts and numbers. The value is a single text or number, or a list.
func labelValue(s *profile.Sample, key string) (v *Value, unit string) {
	var list []Value
	for _, text := range s.Label[key] {
		list = append(list, textValue(text))
	}
	units := s.NumUnit[key]
	for i, u := range units {
		if i == 0 {
			unit = u
		} else if u != unit {
			unit = ""
			break
		}
	}
	for i, n := range s.NumLabel[key] {
		if i < len(units) && units[i] != unit {
			list = append(list, numberWithUnit(n, valid(units[i])))
		} else {
			n := number(n)
			list = append(list, Value{Int: &n})
		}
	}
	switch len(list) {
	case 0:
		return nil, ""
	case 1:
		return &list[0], unit
	}
	return &Value{Array: &Array{list}}, unit
}

func textValue(s string) Value {
	s = valid(s)
	return Value{String: &s}
}

func boolValue(b bool) Value { return Value{Bool: &b} }
