package decode

import "bytes"

// Colon returns the place of the first colon with a blank after it, -1 for none.
func Colon(text []byte) int {
	for at := 0; ; at++ {
		next := bytes.IndexByte(text[at:], ':')
		if next < 0 {
			return -1
		}
		if at += next; at+1 < len(text) && text[at+1] == ' ' {
			return at
		}
	}
}
