package otlp

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Values in OTLP/JSON: integers of 64 bits are written in quotes and read in both forms, ids are
// hexadecimal digits, and special floating point numbers are text.
type (
	index    int32
	number   int64
	unsigned uint64
	double   float64
	hexBytes []byte
)

// unquoted returns the text of a JSON value without its quotes.
func unquoted(b []byte) string { return string(bytes.Trim(b, `"`)) }

// integer reads an integer of some bits, quoted or not. A fraction or exponent is accepted if the
// number is whole, as protobuf's own parsers do.
func integer(b []byte, bits int) (int64, error) {
	text := unquoted(b)
	n, err := strconv.ParseInt(text, 10, bits)
	if err == nil || text == "null" {
		return n, nil
	}
	if f, failed := strconv.ParseFloat(text, 64); failed == nil && f == math.Trunc(f) && math.Abs(f) < math.Ldexp(1, min(bits, 54)-1) {
		return int64(f), nil
	}
	return 0, fmt.Errorf("%.40s is not a whole number of %d bits", b, bits)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (i *index) UnmarshalJSON(b []byte) error {
	n, err := integer(b, 32)
	*i = index(n)
	return err
}

// UnmarshalJSON implements [json.Unmarshaler]. Times and durations, which are unsigned, are read as
// well.
func (n *number) UnmarshalJSON(b []byte) error {
	if u, err := strconv.ParseUint(unquoted(b), 10, 64); err == nil {
		*n = number(u)
		return nil
	}
	i, err := integer(b, 64)
	*n = number(i)
	return err
}

// MarshalJSON implements [json.Marshaler].
func (n number) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, `"%d"`, int64(n)), nil }

// UnmarshalJSON implements [json.Unmarshaler].
func (u *unsigned) UnmarshalJSON(b []byte) error {
	var n number
	err := n.UnmarshalJSON(b)
	*u = unsigned(n)
	return err
}

// MarshalJSON implements [json.Marshaler].
func (u unsigned) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, `"%d"`, uint64(u)), nil }

// UnmarshalJSON implements [json.Unmarshaler].
func (h *hexBytes) UnmarshalJSON(b []byte) error {
	id, err := hex.DecodeString(unquoted(b))
	if err != nil && string(b) != "null" {
		return fmt.Errorf("an id that is not hexadecimal: %.40s", b)
	}
	*h = id
	return nil
}

// MarshalJSON implements [json.Marshaler].
func (h hexBytes) MarshalJSON() ([]byte, error) { return json.Marshal(hex.EncodeToString(h)) }

// UnmarshalJSON implements [json.Unmarshaler].
func (d *double) UnmarshalJSON(b []byte) error {
	f, err := strconv.ParseFloat(unquoted(b), 64)
	*d = double(f)
	return err
}

// MarshalJSON implements [json.Marshaler].
func (d double) MarshalJSON() ([]byte, error) {
	switch f := float64(d); {
	case math.IsInf(f, 1):
		return []byte(`"Infinity"`), nil
	case math.IsInf(f, -1):
		return []byte(`"-Infinity"`), nil
	case math.IsNaN(f):
		return []byte(`"NaN"`), nil
	default:
		return json.Marshal(f)
	}
}
