package check

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"artifice/trace"
)

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

	covers trace.WarningCode      // the reader's warning that says the same; "" for none
	text   func(name string) bool // of rules about names: whether one breaks it
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

// ruleOf is the rule that a breach of an invariant of package trace belongs to.
var ruleOf = map[trace.Rule]string{
	trace.KnownThread:  "E029",
	trace.KnownMethod:  "E029",
	trace.KnownAction:  "E030",
	trace.WallForward:  "E031",
	trace.CPUForward:   "E032",
	trace.ExitMatches:  "E033",
	trace.EnterPresent: "N201",
	trace.ExitPresent:  "N202",
}

// nameRules are the rules about names.
var nameRules = func() (all []*Rule) {
	for i := range Rules {
		if Rules[i].text != nil {
			all = append(all, &Rules[i])
		}
	}
	return all
}()

// Rules are all rules by ascending id: what belongs to the file as a whole,
// to the key section, header, records and items, to events, to the tables. A new
// rule about names is an entry here and nothing else; other rules are reported by
// their id where what they are about is read.
var Rules = []Rule{
	{ID: "E001", Name: "not-a-trace", Explain: "The file begins with nothing that a method trace begins with: \"*version\" (a classic file), \"SLOW\" (a streaming or V2 file) or artifice's own text. Look at what was fetched from the device: often it is an error message of the shell."},
	{ID: "E002", Name: "file-empty", Explain: "The file has no bytes. ART writes a classic file only when tracing stops: fetch it after that, and check that the app was allowed to write there."},
	{ID: "E003", Name: "data-without-key", Explain: "The file begins with a binary header of a classic trace. Its first half, the text from *version to *end, is missing: put \"trace.key\" and \"trace.data\" side by side, or join them with cat."},
	{ID: "E004", Name: "cr-lf", Explain: "Lines end in CR LF: the file went through a transfer as text, and its records are spoiled as well. Fetch it again as binary (adb pull does)."},
	{ID: "E005", Name: "byte-order-mark", Explain: "The file begins with a UTF-8 byte order mark: an editor has saved it, and records are hardly what they were. No reader accepts it. Fetch it again."},

	{ID: "E006", Name: "key-cut", Explain: "The file ends in the key section, before its *end. It was cut; what the tables say is usable, events there are none."},
	{ID: "E007", Name: "version-missing", Explain: "The key section has no *version followed by a number."},
	{ID: "E008", Name: "version-unknown", Explain: "The version in the key section is none of 1 (one byte for thread ids), 2 (one clock) and 3 (both clocks). Version numbers from 4 on exist in binary headers only."},
	{ID: "E009", Name: "section-twice", Explain: "A section of the key section begins a second time. Readers differ in which one counts."},
	{ID: "E010", Name: "line-too-long", Explain: "A line of the key section has more than a mebibyte. Four names of the longest kind, 65535 bytes, do not need as much."},
	{ID: "E011", Name: "header-missing", Explain: "Nothing follows the key section, or fewer than the 8 bytes that say how long the header is. The trace was stopped before its data were written, or cut."},
	{ID: "E012", Name: "record-size-too-small", Explain: "The header's record size is smaller than thread id, method and the times of the clocks need: 10 bytes for one clock, 14 for both (9 in version 1). Without it the records cannot be told apart."},
	{ID: "E013", Name: "magic-wrong", Explain: "The data section does not begin with \"SLOW\". Mostly the text before it was changed, so that it is longer or shorter than what was written. dmtracedump does not look at the magic and reads garbage; all other readers refuse."},
	{ID: "E014", Name: "versions-differ", Explain: "Key section and header name different versions. dmtracedump goes by the header; all other readers refuse."},
	{ID: "E015", Name: "header-cut", Explain: "The file ends within the header."},
	{ID: "E016", Name: "header-length", Explain: "The header says that it is shorter than its own fields. Usual is 32 bytes; older generators wrote 16 or 18."},
	{ID: "E017", Name: "record-cut", Explain: "The file ends within a record. The trace was cut, or the record size is wrong. dmtracedump warns, Traceview ignores the rest, the other readers refuse the whole file."},
	{ID: "E018", Name: "records-missing", Explain: "There are fewer records than num-method-calls says: the file was cut between two records.", covers: trace.WarnEventCount},
	{ID: "E019", Name: "clock-needs-more", Explain: "clock=dual needs two times in each record, and records of version 1 and 2 have one."},

	{ID: "E020", Name: "item-unknown", Explain: "A streaming file has an item whose code is none of 1 (method), 2 (thread) and 3 (summary). Nothing after it can be read: items do not say where the next begins."},
	{ID: "E021", Name: "item-cut", Explain: "The file ends within an item, or an item's length reaches beyond the end of the file."},
	{ID: "E022", Name: "packet-malformed", Explain: "A packet of a V2 file contradicts itself: its length, number of records or encoding does not fit its bytes."},
	{ID: "E023", Name: "packet-cut", Explain: "The file ends within a packet of a V2 file."},
	{ID: "E029", Name: "unreadable", Explain: "The file cannot be read on from there, for the reason given."},

	{ID: "E030", Name: "action-reserved", Explain: "A record has the action 3, which nothing ever meant. dmtracedump takes it for an exit, Perfetto for an enter; Traceview, perflib, androidx and the Firefox Profiler refuse the file.", covers: trace.WarnAction},
	{ID: "E031", Name: "wall-time-back", Explain: "An event's wall time is before that of the one before on its thread. A wrap of the 32 bits, a step of about -4295 s, is not meant: that is understood."},
	{ID: "E032", Name: "cpu-time-back", Explain: "An event's thread CPU time is before that of the one before on its thread."},
	{ID: "E033", Name: "exit-mismatch", Explain: "A method is left that is not the innermost one. dmtracedump, Traceview and perflib stop there; androidx, Perfetto and the Firefox Profiler close the innermost call anyway. Events are missing before it, as when a trace is cut out of another, or the recorder lost some."},

	{ID: "W101", Name: "option-malformed", Explain: "A line between *version and the next section is not \"key=value\" with one \"=\" and neither side empty. Perfetto refuses the file."},
	{ID: "W102", Name: "blank-line", Explain: "The key section has an empty line. Perfetto crashes on one among the options, the Firefox Profiler refuses it, Traceview refuses it among the methods."},
	{ID: "W103", Name: "clock-missing", Explain: "No option says which clock was used. Most readers take thread CPU time, Perfetto wall time; androidx and the perflib of 2022 fail.", covers: trace.WarnClockAssumed},
	{ID: "W104", Name: "clock-unknown", Explain: "The option clock is none of dual, wall and thread-cpu. Readers guess differently."},
	{ID: "W105", Name: "sections-out-of-order", Explain: "The sections are not in the order version, threads, methods. dmtracedump and the Firefox Profiler need it.", covers: trace.WarnSections},
	{ID: "W106", Name: "section-unknown", Explain: "A line begins with \"*\" but is none of the known sections. Perfetto, dmtracedump and the Firefox Profiler refuse the file; others take it for a line of the section before."},
	{ID: "W107", Name: "header-unusual", Explain: "The header does not have 32 bytes. Perfetto assumes 32 and refuses the file."},
	{ID: "W108", Name: "no-threads", Explain: "The table of threads is empty. dmtracedump refuses such a file."},
	{ID: "W109", Name: "no-methods", Explain: "The table of methods is empty. dmtracedump refuses such a file."},
	{ID: "W110", Name: "thread-line-malformed", Explain: "A line of the table of threads is not \"number<TAB>name\"; it names no thread."},
	{ID: "W111", Name: "method-line-malformed", Explain: "A line of the table of methods does not begin with a number that is a multiple of 4 and a tab; it names no method."},
	{ID: "W112", Name: "thread-name", Explain: "A thread's name is empty or has a tab. Perfetto refuses the file."},
	{ID: "W113", Name: "method-columns", Explain: "A method's line does not have 4 to 6 columns. With 2 or 3 of them Traceview, perflib and androidx crash, and Perfetto refuses the file.", covers: trace.WarnTableLine},
	{ID: "W114", Name: "method-field-empty", Explain: "A method's class, name or signature is empty. Traceview crashes, perflib and androidx where it is not the class; Perfetto takes the next field instead."},
	{ID: "W115", Name: "signature", Explain: "A method's signature does not begin with \"(\". Traceview, perflib and androidx crash; Perfetto loses the name."},
	{ID: "W116", Name: "not-utf-8", Explain: "A name is not valid UTF-8. androidx, the perflib of 2022 and the Firefox Profiler refuse the file.", text: func(s string) bool { return !utf8.ValidString(s) }},
	{ID: "W117", Name: "control-character", Explain: "A name has a NUL or another control character. dmtracedump ends a thread's name at a NUL, Perfetto a method's.", text: func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
	}},
	{ID: "W118", Name: "thread-id-twice", Explain: "Two threads have the same id in records: the kernel used it again, or the ids differ in bits that a record does not hold. Readers give all its events to the first or to the last.", covers: trace.WarnSharedThread},
	{ID: "W119", Name: "method-id-twice", Explain: "A method id is defined twice.", covers: trace.WarnMethodTwice},
	{ID: "W120", Name: "thread-unlisted", Explain: "Records name a thread that the file does not. androidx and the Firefox Profiler refuse it."},
	{ID: "W121", Name: "summary-missing", Explain: "A streaming file ends without its summary: the app died. Its events are whole; options, such as the clock's kind, are not known. Perfetto and Android Studio refuse the file; convert it to a classic one.", covers: trace.WarnNoSummary},
	{ID: "W122", Name: "records-exceed", Explain: "There are more records than num-method-calls says. It is their number, not that of calls."},
	{ID: "W123", Name: "elapsed-too-short", Explain: "elapsed-time-usec is less than the last event's time. ART reads it when everything has stopped."},
	{ID: "W124", Name: "number-malformed", Explain: "The value of an option that is a number is none. The perflib of 2022 needs elapsed-time-usec.", covers: trace.WarnOption},
	{ID: "W125", Name: "thread-id-large", Explain: "A thread id is 32768 or more. Traceview, perflib and androidx read it as negative; dmtracedump loses the thread or crashes. Kernels with more than 32768 processes allow such ids."},
	{ID: "W126", Name: "time-large", Explain: "A time is 2^31 us (35 minutes 47 seconds) or more. Traceview and androidx read it as negative."},
	{ID: "W127", Name: "time-wrapped", Explain: "Times passed 2^32 us (71 minutes 35 seconds) and began again at 0. dmtracedump, Traceview and Perfetto cannot follow, and the Firefox Profiler makes samples of all the time back."},
	{ID: "W128", Name: "stack-deep", Explain: "More than 3000 frames are open at once. perflib overflows its own stack somewhere up to 4000; above 10000 dmtracedump gives up. Perfetto loses all beyond 512."},
	{ID: "W129", Name: "method-id-large", Explain: "A method id has bit 31 set. The Firefox Profiler cannot tell such a method."},
	{ID: "W130", Name: "oddity", Explain: "The reader met something unusual, which the message tells."},

	{ID: "N201", Name: "exit-without-enter", Explain: "A method is left that was not entered: the call began before the trace. Readers differ: dmtracedump counts it from time 0, perflib puts it around what came before, Traceview, androidx and the Firefox Profiler ignore it. artifice convert --portable makes frames of them."},
	{ID: "N202", Name: "open-at-end", Explain: "Frames are open when the trace ends, as whenever tracing stops inside a program. Readers differ in how long they take them to last."},
	{ID: "N203", Name: "method-unlisted", Explain: "Records name a method that the file does not. ART up to 13 lists proxy methods under another id than it records."},
	{ID: "N204", Name: "overflow", Explain: "The buffer was full: data-file-overflow=true. Later events are missing. Record with a larger buffer, streaming, or sampling."},
	{ID: "N205", Name: "method-id-0", Explain: "The method with id 0 takes the place of (toplevel) in Traceview."},
	{ID: "N206", Name: "no-events", Explain: "The trace has no events."},
	{ID: "N207", Name: "thread-id-again", Explain: "A streaming file announces a thread id a second time: another thread has got it."},
}
