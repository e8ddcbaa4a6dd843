package decode

import "bytes"

// Colon returns the index of the first colon followed by a blank, or -1.
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
