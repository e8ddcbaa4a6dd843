package dmformat

import (
	"math"
	"strconv"
)

// KeyLine is what a line of a key section is.
type KeyLine uint8

const (
	KeySectionEnd KeyLine = iota // *end: the header or the end of a summary follows
	KeySection                   // a section begins
	KeyVersion                   // the version of the file
	KeyOption                    // key=value, see [OptionNumber]
	KeyThread                    // see [ParseThreadLine]
	KeyMethod                    // see [ParseMethodLine]
	KeyMisplaced                 // a line in front of all sections
)

// KeySectionLines is the grammar of key sections and summaries: it tells what
// each line is from those before. A line that begins with a star and opens no
// section belongs to the section that it is in, as any other line. The zero value
// is in front of the first line.
type KeySectionLines struct {
	Sections []string // that have begun, in order, each as often as it did

	section KeyLine // what its lines are
	begun   bool
}

// Next takes in the next line, without its line end, and returns what it is.
func (k *KeySectionLines) Next(line string) KeyLine {
	if line == SectionEnd {
		return KeySectionEnd
	}
	inside := KeyOption
	switch line {
	case SectionVersion:
		inside = KeyVersion
	case SectionThreads:
		inside = KeyThread
	case SectionMethods:
		inside = KeyMethod
	default:
		kind := k.section
		if !k.begun {
			return KeyMisplaced
		}
		if kind == KeyVersion {
			k.section = KeyOption
		}
		return kind
	}
	k.Sections, k.section, k.begun = append(k.Sections, line), inside, true
	return KeySection
}

// Begun returns how often a section has begun.
func (k *KeySectionLines) Begun(section string) int {
	n := 0
	for _, s := range k.Sections {
		if s == section {
			n++
		}
	}
	return n
}

// OptionLimit returns the highest value of an option that is a number; numeric
// is false for other options.
func OptionLimit(key string) (limit int64, numeric bool) {
	switch key {
	case KeyElapsed:
		return math.MaxInt64 / 1000, true
	case KeyElapsedN, KeyRecords, KeyOverhead:
		return math.MaxInt64, true
	case KeyPID:
		return math.MaxInt32, true
	}
	return 0, false
}

// OptionNumber returns the value of an option that is a number; ok is false when
// the value is none from 0 to the option's limit.
func OptionNumber(key, value string) (n int64, ok bool) {
	limit, numeric := OptionLimit(key)
	n, err := strconv.ParseInt(value, 10, 64)
	return n, numeric && err == nil && n >= 0 && n <= limit
}
