package otlp

import "encoding/json"

// list is a list of messages. When read from JSON it gets memory for its exact length, because
// empty messages of three bytes each need many times their size in memory.
type list[T any] []T

// UnmarshalJSON implements [json.Unmarshaler].
func (l *list[T]) UnmarshalJSON(b []byte) error {
	plain := make([]T, 0, elements(b))
	if err := json.Unmarshal(b, &plain); err != nil {
		return err
	}
	*l = plain
	return nil
}

// elements returns the number of elements of a valid JSON array; it returns 0 for another value.
func elements(b []byte) (n int) {
	depth, quoted := 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			if depth++; depth == 2 && n == 0 {
				n = 1
			}
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth == 1:
			n++
		}
	}
	if n > 0 && b[0] == '[' {
		return n
	}
	return 0
}
