package dmformat

import (
	"slices"
	"testing"
)

// TestKeySectionLines checks the kind of every line, which depends on the lines before. An unknown
// section belongs to the current one, and only *end ends the key section.
func TestKeySectionLines(t *testing.T) {
	var k KeySectionLines
	for _, step := range []struct {
		line string
		want KeyLine
	}{
		{"3", KeyMisplaced}, {"*other", KeyMisplaced},
		{"*version", KeySection}, {"3", KeyVersion}, {"clock=dual", KeyOption}, {"", KeyOption}, {"*other", KeyOption},
		{"*threads", KeySection}, {"1\tmain", KeyThread}, {"*methods", KeySection}, {"0x4\ta", KeyMethod}, {"*other", KeyMethod},
		{"*version", KeySection}, {"*threads", KeySection}, {"3", KeyThread},
		{"*end", KeySectionEnd},
	} {
		if got := k.Next(step.line); got != step.want {
			t.Errorf("%q: %d, want %d", step.line, got, step.want)
		}
	}
	if want := []string{"*version", "*threads", "*methods", "*version", "*threads"}; !slices.Equal(k.Sections, want) || k.Begun("*version") != 2 || k.Begun("*methods") != 1 {
		t.Errorf("sections %q", k.Sections)
	}
}

// TestExtraLines checks that a block before the key section contains any lines and starts no
// section. Such a block exists only at the beginning.
func TestExtraLines(t *testing.T) {
	var k KeySectionLines
	for _, step := range []struct {
		line string
		want KeyLine
	}{
		{"*extra-info", KeyExtra}, {"a=b", KeyExtra}, {"", KeyExtra}, {"*end", KeyExtra}, {"*version", KeyExtra}, {"*extra-info-end", KeyExtra},
		{"*version", KeySection}, {"3", KeyVersion}, {"*extra-info", KeyOption}, {"*threads", KeySection}, {"*end", KeySectionEnd},
	} {
		if got := k.Next(step.line); got != step.want {
			t.Errorf("%q: %d, want %d", step.line, got, step.want)
		}
	}
	late := KeySectionLines{}
	if late.Next("x"); late.Next("*extra-info") != KeyMisplaced || len(k.Sections) != 2 {
		t.Errorf("a block after another line is accepted, or sections %q are found", k.Sections)
	}
}

// TestOptionNumber checks that numbers range from 0 to the option's limit.
func TestOptionNumber(t *testing.T) {
	for _, test := range []struct {
		key, value string
		want       int64
		ok         bool
	}{
		{KeyElapsed, "9223372036854775", 9223372036854775, true}, {KeyElapsed, "9223372036854776", 0, false},
		{KeyElapsedN, "9223372036854775807", 1<<63 - 1, true}, {KeyRecords, "0", 0, true}, {KeyRecords, "-1", 0, false},
		{KeyPID, "2147483647", 1<<31 - 1, true}, {KeyPID, "2147483648", 0, false}, {KeyOverhead, "12x", 0, false},
		{KeyOverhead, "", 0, false}, {KeyVM, "1", 0, false},
	} {
		if n, ok := OptionNumber(test.key, test.value); ok != test.ok || ok && n != test.want {
			t.Errorf("%s=%s: %d, %t", test.key, test.value, n, ok)
		}
	}
}
