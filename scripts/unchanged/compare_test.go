package main

import "testing"

// TestDiff: a difference of any kind is reported with its position.
func TestDiff(t *testing.T) {
	type files = map[string][]byte
	for _, test := range []struct {
		name          string
		before, after files
		want          string
	}{
		{"equal", files{"a": []byte("x")}, files{"a": []byte("x")}, ""},
		{"a line", files{"a": []byte("x\ny 1\nz\n")}, files{"a": []byte("x\ny 2\nz\n")}, "a differs in line 2: was: y 1; is: y 2"},
		{"a byte", files{"a": []byte("x\xff\x01")}, files{"a": []byte("x\xff\x02")}, "a differs from byte 2 of 3 and 3 on"},
		{"cut", files{"a": []byte("x\ny\n")}, files{"a": []byte("x\n")}, "a differs from byte 2 of 4 and 2 on"},
		{"missing", files{"a": []byte("x"), "b": nil}, files{"b": nil}, "a is missing: x"},
		{"refused", files{"out": nil}, files{status: []byte("no such mode\n")}, "out is missing; refusal is new: no such mode"},
		{"many", files{}, files{"a": nil, "b": nil, "c": nil, "d": nil, "e": nil}, "a is new; b is new; c is new; and 2 more"},
	} {
		if got := diff(test.before, test.after); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
