package dmformat

import (
	"math"
	"strconv"
)

// KeyLine is the kind of a line of a key section.
type KeyLine uint8

const (
	KeySectionEnd KeyLine = iota // *end: the header or the end of a summary follows
	KeySection                   // a section begins
	KeyVersion                   // the version of the file
	KeyOption                    // key=value, see [OptionNumber]
	KeyThread                    // see [ParseThreadLine]
	KeyMethod                    // see [ParseMethodLine]
	KeyMisplaced                 // a line before the first section
	KeyExtra                     // a line from ExtraBegin to ExtraEnd, before the first section
)

// KeySectionLines is the grammar of key sections and summaries: it derives the kind of each line
// from the lines before. A line that begins with a star and opens no section belongs to the
// current section. The zero value is the state before the first line.
type KeySectionLines struct {
	Sections []string // begun so far, in order, with repetitions

	section KeyLine // the kind of its lines
	begun   bool
	extra   bool // between ExtraBegin and ExtraEnd
	after   bool // a line came before
}

// Next takes the next line, without its line end, and returns its kind.
func (k *KeySectionLines) Next(line string) KeyLine {
	if !k.after && line == ExtraBegin {
		k.extra = true
	}
	k.after = true
	if k.extra {
		k.extra = line != ExtraEnd
		return KeyExtra
	}
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

// Begun returns the number of times a section has begun.
func (k *KeySectionLines) Begun(section string) int {
	n := 0
	for _, s := range k.Sections {
		if s == section {
			n++
		}
	}
	return n
}

// OptionLimit returns the maximum value of a numeric option. numeric is false for other options.
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

// OptionNumber returns the value of a numeric option. ok is false if the value is not a number
// from 0 to the option's limit.
func OptionNumber(key, value string) (n int64, ok bool) {
	limit, numeric := OptionLimit(key)
	n, err := strconv.ParseInt(value, 10, 64)
	return n, numeric && err == nil && n >= 0 && n <= limit
}
