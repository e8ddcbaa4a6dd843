package writer

import (
	"bytes"
	"encoding/json"
	"time"

	"artifice/internal/decimal"
)

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

// appendMicros appends a time in microseconds, without the decimals that are 0.
func appendMicros(b []byte, t time.Duration) []byte {
	if t < 0 {
		b, t = append(b, '-'), -t
	}
	b = decimal.AppendUint(b, uint64(t/time.Microsecond))
	if rest := t % time.Microsecond; rest > 0 {
		b = trimZeros(decimal.AppendThousandths(append(b, '.'), uint32(rest)))
	}
	return b
}

// appendMillis appends a time in milliseconds, without the decimals that are 0.
func appendMillis(b []byte, t time.Duration) []byte {
	if t < 0 {
		b, t = append(b, '-'), -t
	}
	b = decimal.AppendUint(b, uint64(t/time.Millisecond))
	if rest := t % time.Millisecond; rest > 0 {
		b = trimZeros(decimal.AppendMillionths(append(b, '.'), uint32(rest)))
	}
	return b
}

// trimZeros removes the zeros at the end of b.
func trimZeros(b []byte) []byte {
	for b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	return b
}
