package check

import "fmt"

// Level is how bad a finding is.
type Level uint8

const (
	Note    Level = iota // normal in real traces
	Warning              // some reader stumbles over it
	Error                // the file breaks the format, or its events cannot have happened
)

// String returns the level in a word.
func (l Level) String() string { return [...]string{"note", "warning", "error"}[l] }

// Rule is one thing that can be wrong with a file.
type Rule struct {
	ID      string // "E012"; the letter is the level's
	Name    string // "record-size-too-small"
	Explain string // what it means, what follows, what to do
}

// Level returns how bad it is to break the rule.
func (r *Rule) Level() Level {
	switch r.ID[0] {
	case 'E':
		return Error
	case 'W':
		return Warning
	}
	return Note
}

// String returns id and name.
func (r *Rule) String() string { return r.ID + " " + r.Name }

// RuleByID returns the rule of an id or a name.
func RuleByID(id string) (*Rule, error) {
	for i := range Rules {
		if Rules[i].ID == id || Rules[i].Name == id {
			return &Rules[i], nil
		}
	}
	return nil, fmt.Errorf("unknown rule %q; they go from %s to %s", id, Rules[0].ID, Rules[len(Rules)-1].ID)
}

// Rules are all rules by ascending id: what belongs to the file as a whole,
// to the key section, header, records and items, to events, to the tables.
var Rules = []Rule{
	{"E001", "not-a-trace", "The file begins with nothing that a method trace begins with: \"*version\" (a classic file), \"SLOW\" (a streaming or V2 file) or artifice's own text. Look at what was really fetched from the device; the shell's error message is a common guest."},
	{"E002", "file-empty", "The file has no bytes. ART writes a classic file only when tracing stops: fetch it after that, and check that the app was allowed to write there."},
	{"E003", "data-without-key", "The file begins with a binary header of a classic trace. Its first half, the text from *version to *end, is missing: put \"trace.key\" and \"trace.data\" side by side, or join them with cat."},
	{"E004", "cr-lf", "Lines end in CR LF: the file went through a transfer as text, and its records are spoiled as well. Fetch it again as binary (adb pull does)."},
	{"E005", "byte-order-mark", "The file begins with a UTF-8 byte order mark: an editor has saved it, and records are hardly what they were. No reader accepts it. Fetch it again."},

	{"E006", "key-cut", "The file ends in the key section, before its *end. It was cut; what the tables say is usable, events there are none."},
	{"E007", "version-missing", "The key section has no *version followed by a number."},
	{"E008", "version-unknown", "The version in the key section is none of 1 (one byte for thread ids), 2 (one clock) and 3 (both clocks). Version numbers from 4 on exist in binary headers only."},
	{"E009", "section-twice", "A section of the key section begins a second time. Readers differ in which one counts."},
	{"E010", "line-too-long", "A line of the key section has more than a mebibyte. Four names of the longest kind, 65535 bytes, do not need as much."},
	{"E011", "header-missing", "Nothing follows the key section, or fewer than the 8 bytes that say how long the header is. The trace was stopped before its data were written, or cut."},
	{"E012", "record-size-too-small", "The header's record size is smaller than thread id, method and the times of the clocks need: 10 bytes for one clock, 14 for both (9 in version 1). Without it the records cannot be told apart."},
	{"E013", "magic-wrong", "The data section does not begin with \"SLOW\". Mostly the text before it was changed, so that it is longer or shorter than what was written. dmtracedump does not look at the magic and reads garbage; all other readers refuse."},
	{"E014", "versions-differ", "Key section and header name different versions. dmtracedump goes by the header; all other readers refuse."},
	{"E015", "header-cut", "The file ends within the header."},
	{"E016", "header-length", "The header says that it is shorter than its own fields. Usual is 32 bytes; older generators wrote 16 or 18."},
	{"E017", "record-cut", "The file ends within a record. The trace was cut, or the record size is wrong. dmtracedump warns, Traceview ignores the rest, the other readers refuse the whole file."},
	{"E018", "records-missing", "There are fewer records than num-method-calls says: the file was cut between two records."},
	{"E019", "clock-needs-more", "clock=dual needs two times in each record, and records of version 1 and 2 have one."},

	{"E020", "item-unknown", "A streaming file has an item whose code is none of 1 (method), 2 (thread) and 3 (summary). Nothing after it can be read: items do not say where the next begins."},
	{"E021", "item-cut", "The file ends within an item, or an item's length reaches beyond the end of the file."},
	{"E022", "packet-malformed", "A packet of a V2 file contradicts itself: its length, number of records or encoding does not fit its bytes."},
	{"E023", "packet-cut", "The file ends within a packet of a V2 file."},
	{"E029", "unreadable", "The file cannot be read on from there, for the reason given."},

	{"E030", "action-reserved", "A record has the action 3, which nothing ever meant. dmtracedump takes it for an exit, Perfetto for an enter; Traceview, perflib, androidx and the Firefox Profiler refuse the file."},
	{"E031", "wall-time-back", "An event's wall time is before that of the one before on its thread. A wrap of the 32 bits, a step of about -4295 s, is not meant: that is understood."},
	{"E032", "cpu-time-back", "An event's thread CPU time is before that of the one before on its thread."},
	{"E033", "exit-mismatch", "A method is left that is not the innermost one. dmtracedump, Traceview and perflib stop there; androidx, Perfetto and the Firefox Profiler close the innermost call anyway. Events are missing before it, as when a trace is cut out of another, or the recorder lost some."},

	{"W101", "option-malformed", "A line between *version and the next section is not \"key=value\" with one \"=\" and neither side empty. Perfetto refuses the file."},
	{"W102", "blank-line", "The key section has an empty line. Perfetto crashes on one among the options, the Firefox Profiler refuses it, Traceview refuses it among the methods."},
	{"W103", "clock-missing", "No option says which clock was used. Most readers take thread CPU time, Perfetto wall time; androidx and the perflib of 2022 fail."},
	{"W104", "clock-unknown", "The option clock is none of dual, wall and thread-cpu. Readers guess differently."},
	{"W105", "sections-out-of-order", "The sections are not in the order version, threads, methods. dmtracedump and the Firefox Profiler need it."},
	{"W106", "section-unknown", "A line begins with \"*\" but is none of the known sections. Some readers take it for a line of the section before."},
	{"W107", "header-unusual", "The header does not have 32 bytes. Perfetto assumes 32 and reads shifted records."},
	{"W108", "no-threads", "The table of threads is empty. dmtracedump refuses such a file."},
	{"W109", "no-methods", "The table of methods is empty. dmtracedump refuses such a file."},
	{"W110", "thread-line-malformed", "A line of the table of threads is not \"number<TAB>name\"; it names no thread."},
	{"W111", "method-line-malformed", "A line of the table of methods does not begin with a number that is a multiple of 4 and a tab; it names no method."},
	{"W112", "thread-name", "A thread's name is empty or has a tab. Perfetto refuses the file."},
	{"W113", "method-columns", "A method's line does not have 4 to 6 columns. With 2 or 3 of them Traceview, perflib and androidx crash, and Perfetto refuses the file."},
	{"W114", "method-field-empty", "A method's class, name or signature is empty. Traceview, perflib and androidx crash; Perfetto takes the next field instead."},
	{"W115", "signature", "A method's signature does not begin with \"(\". Traceview, perflib and androidx crash; Perfetto loses the name."},
	{"W116", "not-utf-8", "A name is not valid UTF-8. androidx, the perflib of 2022 and the Firefox Profiler refuse the file."},
	{"W117", "control-character", "A name has a NUL or another control character."},
	{"W118", "thread-id-twice", "Two threads have the same id in records: the kernel used it again, or the ids differ in bits that a record does not hold. Readers give all its events to the first or to the last."},
	{"W119", "method-id-twice", "A method id is defined twice."},
	{"W120", "thread-unlisted", "Records name a thread that the file does not. androidx and the Firefox Profiler refuse it."},
	{"W121", "summary-missing", "A streaming file ends without its summary: the app died. Its events are whole; options, such as the clock's kind, are not known."},
	{"W122", "records-exceed", "There are more records than num-method-calls says. It is their number, not that of calls."},
	{"W123", "elapsed-too-short", "elapsed-time-usec is less than the last event's time. ART reads it when everything has stopped."},
	{"W124", "number-malformed", "The value of an option that is a number is none. androidx and the perflib of 2022 need elapsed-time-usec."},
	{"W125", "thread-id-large", "A thread id is 32768 or more. Traceview, perflib and androidx read it as negative; dmtracedump loses the thread or crashes. Kernels with more than 32768 processes allow such ids."},
	{"W126", "time-large", "A time is 2^31 us (35 minutes 47 seconds) or more. Traceview and androidx read it as negative."},
	{"W127", "time-wrapped", "Times passed 2^32 us (71 minutes 35 seconds) and began again at 0. dmtracedump and Traceview cannot follow."},
	{"W128", "stack-deep", "More than 3000 frames are open at once. perflib overflows its own stack; above 10000 dmtracedump gives up."},
	{"W129", "method-id-large", "A method id has bit 31 set. The Firefox Profiler cannot tell such a method."},
	{"W130", "oddity", "The reader met something unusual, which the message tells."},

	{"N201", "exit-without-enter", "A method is left that was not entered: the call began before the trace. Readers differ: dmtracedump counts it from time 0, perflib puts it around what came before, Traceview, androidx and the Firefox Profiler ignore it. artifice convert --portable makes frames of them."},
	{"N202", "open-at-end", "Frames are open when the trace ends, as whenever tracing stops inside a program. Readers differ in how long they take them to last."},
	{"N203", "method-unlisted", "Records name a method that the file does not. ART up to 13 lists proxy methods under another id than it records."},
	{"N204", "overflow", "The buffer was full: data-file-overflow=true. Later events are missing. Record with a larger buffer, streaming, or sampling."},
	{"N205", "method-id-0", "The method with id 0 takes the place of (toplevel) in Traceview."},
	{"N206", "no-events", "The trace has no events."},
	{"N207", "thread-id-again", "A streaming file announces a thread id a second time: another thread has got it."},
}
