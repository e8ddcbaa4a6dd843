package writer

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"

	"artifice/trace"
)

// jsonNames are the full names of methods as JSON strings, made at first use.
type jsonNames struct {
	symbols *trace.Symbols
	quoted  [][]byte // by method
}

func (n *jsonNames) of(m trace.MethodID) []byte {
	if int(m) >= len(n.quoted) {
		n.quoted = append(n.quoted, make([][]byte, len(n.symbols.Methods)-len(n.quoted))...)
	}
	if n.quoted[m] == nil {
		n.quoted[m] = appendJSON(nil, n.symbols.Method(m).FullName())
	}
	return n.quoted[m]
}

// appendJSON appends s as a JSON string. What is not UTF-8 becomes U+FFFD.
func appendJSON(b []byte, s string) []byte {
	out := bytes.NewBuffer(b)
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false) // "<init>" is no HTML here
	if err := e.Encode(s); err != nil {
		panic(err) // a string can always be encoded
	}
	return out.Bytes()[:out.Len()-1] // without the line end
}

// appendUnits appends a time as a number of units, microseconds or milliseconds,
// without the decimals that are 0.
func appendUnits(b []byte, unit, t time.Duration) []byte {
	if t < 0 {
		b, t = append(b, '-'), -t
	}
	b = strconv.AppendInt(b, int64(t/unit), 10)
	rest := t % unit
	if rest > 0 {
		b = append(b, '.')
	}
	for rest > 0 {
		unit /= 10
		b = append(b, byte('0'+rest/unit))
		rest %= unit
	}
	return b
}
