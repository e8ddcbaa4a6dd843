package dmformat

import "fmt"

// Messages for faults of a classic file that both package dmtrace, which reads it, and package
// check report.

// WrongMagic is the message of a data section that begins with other bytes than [Magic].
func WrongMagic(b []byte) string {
	return fmt.Sprintf("the data section begins with %q, not with the magic %q", b, Magic)
}

// ShortHeader is the message of a header that gives its length as n bytes, fewer than its own
// fields.
func ShortHeader(n int) string {
	return fmt.Sprintf("the header states a length of %d bytes, which is too short", n)
}

// LongLine is the message of a line of the key section of more than most bytes.
func LongLine(most int) string {
	return fmt.Sprintf("a line of the key section is longer than %d bytes", most)
}

// RecordsMissing is the message of a file with n records, fewer than its key section states.
func RecordsMissing(n, stated int64) string {
	return fmt.Sprintf("the file ends after %d records of the %d that num-method-calls states", n, stated)
}

// RecordCount is the message of a file with n records and another number in its key section.
func RecordCount(n, stated int64) string {
	return fmt.Sprintf("the file has %d records, but num-method-calls states %d", n, stated)
}
