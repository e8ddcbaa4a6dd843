package check

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"artifice/trace"
)

// Level is the severity of a finding.
type Level uint8

const (
	Note    Level = iota // normal in real traces
	Warning              // some reader mishandles the file
	Error                // the file breaks the format, or its events cannot have happened
)

// String returns the level as a word.
func (l Level) String() string { return [...]string{"note", "warning", "error"}[l] }

// Rule is one kind of problem of a file.
type Rule struct {
	ID      string // "E012"; the letter is the level's
	Name    string // "record-size-too-small"
	Explain string // meaning, consequences, and remedy

	covers trace.WarningCode      // the equivalent warning of the reader; "" for none
	text   func(name string) bool // for rules about names: reports whether a name breaks the rule
}

// Level returns the severity of a violation.
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

// RuleByID returns the rule with an id or a name.
func RuleByID(id string) (*Rule, error) {
	for i := range Rules {
		if Rules[i].ID == id || Rules[i].Name == id {
			return &Rules[i], nil
		}
	}
	return nil, fmt.Errorf("unknown rule %q; rules range from %s to %s", id, Rules[0].ID, Rules[len(Rules)-1].ID)
}

// ruleOf maps the invariants of package trace to rules of this package.
var ruleOf = map[trace.Rule]string{
	trace.KnownThread:  "E029",
	trace.KnownMethod:  "E029",
	trace.KnownAction:  "E030",
	trace.WallForward:  "E031",
	trace.CPUForward:   "E032",
	trace.ExitMatches:  "E033",
	trace.CPUContinues: "N208",
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

// Rules are all rules by ascending id, in groups: file as a whole, key section, header, records and
// items, events, tables. A new rule about names needs only an entry here. The code that reads a
// part of the file reports the other rules of that part by their id.
var Rules = []Rule{
	{ID: "E001", Name: "not-a-trace", Explain: "A method trace begins with \"*version\" (classic file), \"SLOW\" (streaming or V2 file) or the header of artifice's text format. The file begins with other bytes. The content is often an error message of the device's shell."},
	{ID: "E002", Name: "file-empty", Explain: "The file is empty. ART writes a classic file only when tracing stops: fetch the file after tracing has stopped, and check that the app was allowed to write the file."},
	{ID: "E003", Name: "data-without-key", Explain: "The file begins with the binary header of a classic trace. The first half, the text from *version to *end, is missing: put \"trace.key\" and \"trace.data\" side by side, or join them with cat."},
	{ID: "E004", Name: "cr-lf", Explain: "Lines end in CR LF: the file was transferred as text, which has damaged its records too. Fetch the file again in binary, as adb pull does."},
	{ID: "E005", Name: "byte-order-mark", Explain: "The file begins with a UTF-8 byte order mark: an editor saved the file, and has probably damaged the records too. No reader accepts the file. Fetch the file again."},

	{ID: "E006", Name: "key-cut", Explain: "The file ends in the key section, before its *end: it was cut off. The tables are usable, but there are no events."},
	{ID: "E007", Name: "version-missing", Explain: "The key section has no *version line followed by a number."},
	{ID: "E008", Name: "version-unknown", Explain: "The version in the key section is not 1 (one-byte thread ids), 2 (one clock) or 3 (both clocks). Versions from 4 on exist only in binary headers."},
	{ID: "E009", Name: "section-twice", Explain: "The key section has the same section twice. Readers disagree on which of the two sections counts."},
	{ID: "E010", Name: "line-too-long", Explain: "A line of the key section is longer than 1 MiB. Even four names of the maximum length, 65535 bytes, need less."},
	{ID: "E011", Name: "header-missing", Explain: "Nothing follows the key section, or fewer than the 8 bytes that give the header's length. Tracing stopped before the data was written, or the file was cut off."},
	{ID: "E012", Name: "record-size-too-small", Explain: "The header's record size is too small for a thread id, a method and the clocks' times: these take 10 bytes with one clock and 14 with both (9 in version 1). Records cannot be separated."},
	{ID: "E013", Name: "magic-wrong", Explain: "The data section does not begin with \"SLOW\". Usually, an editor has changed the length of the text before the data section. dmtracedump ignores the magic and reads garbage; all other readers refuse the file."},
	{ID: "E014", Name: "versions-differ", Explain: "The key section and the header give different versions. dmtracedump follows the header; all other readers refuse the file."},
	{ID: "E015", Name: "header-cut", Explain: "The file ends inside the header."},
	{ID: "E016", Name: "header-length", Explain: "The header states a length shorter than its own fields. 32 bytes are usual; older generators wrote 16 or 18."},
	{ID: "E017", Name: "record-cut", Explain: "The file ends inside a record: it was cut off, or the record size is wrong. dmtracedump warns, Traceview ignores the rest, and the other readers refuse the whole file."},
	{ID: "E018", Name: "records-missing", Explain: "The file has fewer records than num-method-calls states: it was cut off between two records.", covers: trace.WarnEventCount},
	{ID: "E019", Name: "clock-needs-more", Explain: "clock=dual requires two times per record, but records of versions 1 and 2 have one."},

	{ID: "E020", Name: "item-unknown", Explain: "A streaming file has an item whose code is not 1 (method), 2 (thread) or 3 (summary). The rest of the file cannot be read, because items do not state where the next item begins."},
	{ID: "E021", Name: "item-cut", Explain: "The file ends inside an item, or an item's length reaches beyond the end of the file."},
	{ID: "E022", Name: "packet-malformed", Explain: "A packet of a V2 file contradicts itself: its length, number of records or encoding does not match its bytes."},
	{ID: "E023", Name: "packet-cut", Explain: "The file ends inside a packet of a V2 file."},
	{ID: "E024", Name: "long-running-overflow", Explain: "A profile of long-running methods cannot be read from this offset on, because ART had collected more than its buffer of 163840 bytes holds. When the buffer is full, ART 16 continues in a new buffer without resetting the write position (TraceData::AppendToLongRunningMethods), so uninitialized memory lies between the blocks. The rest of the file cannot be recovered. Trace for a shorter time."},
	{ID: "E029", Name: "unreadable", Explain: "The file cannot be read beyond the offset of the finding, for the reason that the finding states."},

	{ID: "E030", Name: "action-reserved", Explain: "A record has action 3, which is reserved. dmtracedump treats it as an exit and Perfetto as an enter; Traceview, perflib, androidx and the Firefox Profiler refuse the file.", covers: trace.WarnAction},
	{ID: "E031", Name: "wall-time-back", Explain: "An event's wall time is earlier than that of the previous event on its thread. The wrap of 32-bit times, a step of about -4295 s, is not an error."},
	{ID: "E032", Name: "cpu-time-back", Explain: "An event's thread CPU time is earlier than that of the previous event on its thread."},
	{ID: "E033", Name: "exit-mismatch", Explain: "A method exits although it is not the innermost one. dmtracedump, Traceview and perflib stop at such an exit; androidx, Perfetto and the Firefox Profiler close the innermost call anyway. Earlier events are missing: the trace was cut out of a longer one, the recorder lost events, or ART started to record a debuggable app within interpreted frames. Of interpreted frames, ART then records only the entry of the outermost frame, but the exits of all frames (observed on ART 11)."},

	{ID: "E040", Name: "otlp-earlier-release", Explain: "The OpenTelemetry profiles have the field numbers of a release before 1.10. Release 1.10 exchanged the numbers of values, attributes and links. Current collectors, pdata and profcheck refuse or misread the file. artifice reads such files: artifice convert FILE -o NEW.otlp writes current numbers."},
	{ID: "E041", Name: "otlp-nothing-inside", Explain: "OpenTelemetry profiles have no resource_profiles, a resource has no scope_profiles, or a scope has no profiles. Exporters must omit such empty messages."},
	{ID: "E042", Name: "otlp-index", Explain: "An index of OpenTelemetry profiles is negative or not below the number of entries of its table. Index 0 means none, but the table needs an entry with index 0, too. Readers refuse the file or show other content."},
	{ID: "E043", Name: "otlp-attribute-twice", Explain: "One list of attributes in OpenTelemetry profiles has two attributes with the same key. Readers use the first or the last of them."},
	{ID: "E044", Name: "otlp-time-outside", Explain: "A sample has a time outside its OpenTelemetry profile. The profile begins at time_unix_nano and lasts for duration_nano, end excluded. A profile that omits its duration contains no time."},
	{ID: "E045", Name: "otlp-sample-empty", Explain: "A sample of OpenTelemetry profiles has neither values nor times, so it counts nothing."},
	{ID: "E046", Name: "otlp-values", Explain: "A sample of OpenTelemetry profiles has an invalid number of values: allowed are one value without times, or one value for each time."},
	{ID: "E047", Name: "otlp-shapes-differ", Explain: "Samples of one OpenTelemetry profile differ in whether they have values, times or both. Write a profile for each kind."},
	{ID: "E048", Name: "otlp-table-empty", Explain: "A table of the dictionary of OpenTelemetry profiles has no entry. Each table begins with the zero value, which index 0 refers to, even if it has no other entry."},
	{ID: "E049", Name: "otlp-first-entry", Explain: "The first entry of a table in the dictionary of OpenTelemetry profiles has content. The first entry must be the zero value, because index 0 means none: readers ignore the content."},
	{ID: "E050", Name: "otlp-mapping-range", Explain: "A mapping of OpenTelemetry profiles does not end after its start. Start and end are 0 if the range is unknown."},
	{ID: "E051", Name: "otlp-line-negative", Explain: "A line, column or start line of OpenTelemetry profiles is negative. 0 means unknown."},
	{ID: "E052", Name: "otlp-link-id", Explain: "A link of OpenTelemetry profiles has a trace id that does not have 16 bytes, or a span id that does not have 8."},

	{ID: "W101", Name: "option-malformed", Explain: "A line between *version and the next section is not \"key=value\" with exactly one \"=\" and text on both sides. Perfetto refuses the file."},
	{ID: "W102", Name: "blank-line", Explain: "The key section has an empty line. Perfetto crashes if the line is among the options, Traceview refuses the file if it is among the methods, and the Firefox Profiler always refuses it."},
	{ID: "W103", Name: "clock-missing", Explain: "No option states the clock. Most readers assume thread CPU time, Perfetto wall time; androidx and the perflib of 2022 fail.", covers: trace.WarnClockAssumed},
	{ID: "W104", Name: "clock-unknown", Explain: "The clock option is not dual, wall or thread-cpu. Readers guess, and disagree."},
	{ID: "W105", Name: "sections-out-of-order", Explain: "The sections are not in the order version, threads, methods, which dmtracedump and the Firefox Profiler require.", covers: trace.WarnSections},
	{ID: "W106", Name: "section-unknown", Explain: "A line begins with \"*\" but is not a known section. Perfetto, dmtracedump and the Firefox Profiler refuse the file; others read it as a line of the preceding section."},
	{ID: "W107", Name: "header-unusual", Explain: "The header is not 32 bytes long (version 1: 16 or 32). Perfetto assumes 32, and refuses the file or misreads it."},
	{ID: "W108", Name: "no-threads", Explain: "The table of threads is empty. dmtracedump refuses such a file."},
	{ID: "W109", Name: "no-methods", Explain: "The table of methods is empty. dmtracedump refuses such a file."},
	{ID: "W110", Name: "thread-line-malformed", Explain: "A line of the thread table is not \"number<TAB>name\", so it defines no thread."},
	{ID: "W111", Name: "method-line-malformed", Explain: "A line of the method table does not begin with a multiple of 4 and a tab, so it defines no method."},
	{ID: "W112", Name: "thread-name", Explain: "A thread name is empty or contains a tab. Perfetto refuses the file."},
	{ID: "W113", Name: "method-columns", Explain: "A method's line does not have 4 to 6 columns. With 2 or 3 columns, Traceview, perflib and androidx crash, and Perfetto refuses the file.", covers: trace.WarnTableLine},
	{ID: "W114", Name: "method-field-empty", Explain: "A method's class, name or signature is empty. Traceview crashes; perflib and androidx crash, too, unless only the class is empty; Perfetto uses the next field instead."},
	{ID: "W115", Name: "signature", Explain: "A method's signature does not begin with \"(\". Traceview, perflib and androidx crash; Perfetto loses the name."},
	{ID: "W116", Name: "not-utf-8", Explain: "A name is not valid UTF-8. androidx, the perflib of 2022 and the Firefox Profiler refuse the file.", text: func(s string) bool { return !utf8.ValidString(s) }},
	{ID: "W117", Name: "control-character", Explain: "A name contains a NUL or another control character. dmtracedump ends thread names at a NUL, Perfetto method names.", text: func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
	}},
	{ID: "W118", Name: "thread-id-twice", Explain: "Two threads have the same id in records: the kernel reused it, or the ids differ in bits that a record cannot hold. Readers give all events to the first or to the last of the threads.", covers: trace.WarnSharedThread},
	{ID: "W119", Name: "method-id-twice", Explain: "A method id is defined twice.", covers: trace.WarnMethodTwice},
	{ID: "W120", Name: "thread-unlisted", Explain: "Records refer to a thread that the file does not define. androidx and the Firefox Profiler refuse the file."},
	{ID: "W121", Name: "summary-missing", Explain: "A streaming file ends without its summary, because the app died. The events are complete, but options such as the clock are unknown. Perfetto and Android Studio refuse the file; convert the file to a classic file.", covers: trace.WarnNoSummary},
	{ID: "W122", Name: "records-exceed", Explain: "The file has more records than num-method-calls states. Despite its name, num-method-calls counts records, not calls."},
	{ID: "W123", Name: "elapsed-too-short", Explain: "elapsed-time-usec is less than the last event's time. ART measures elapsed-time-usec after all tracing has stopped."},
	{ID: "W124", Name: "number-malformed", Explain: "The value of a numeric option is not a number. The perflib of 2022 requires elapsed-time-usec.", covers: trace.WarnOption},
	{ID: "W125", Name: "thread-id-large", Explain: "A thread id is 32768 or more. Traceview, perflib and androidx read it as negative; dmtracedump loses the thread or crashes. Kernels that allow more than 32768 processes assign such ids."},
	{ID: "W126", Name: "time-large", Explain: "A time is 2^31 us (35 minutes 47 seconds) or more. Traceview and androidx read it as negative."},
	{ID: "W127", Name: "time-wrapped", Explain: "Times wrapped: they passed 2^32 us (71 minutes 35 seconds) and restarted at 0. dmtracedump, Traceview and Perfetto show wrong times, and the Firefox Profiler fills the gap with samples."},
	{ID: "W128", Name: "stack-deep", Explain: "More than 3000 frames are open at once. perflib overflows its own stack below 4000 frames; dmtracedump fails above 10000; Perfetto drops frames beyond 512."},
	{ID: "W129", Name: "method-id-large", Explain: "A method id has bit 31 set. The Firefox Profiler cannot resolve such a method."},
	{ID: "W130", Name: "oddity", Explain: "The reader found something unusual; see the message."},
	{ID: "W131", Name: "empty-block", Explain: "A file in format V2 has a block without records. If the buffer is full when tracing stops, ART 16 writes such a block of 12 bytes for every thread that still holds events. ART then writes past the end of the buffer (TraceWriter::FlushEntriesFormatV2), which may crash the app. Later events are missing. Record with a larger buffer, or in streaming mode."},
	{ID: "W132", Name: "otlp-entry-twice", Explain: "A table of the dictionary of OpenTelemetry profiles has an entry twice: a string or a mapping. The specification advises against it, because the file is larger than necessary."},
	{ID: "W133", Name: "otlp-entry-unused", Explain: "Nothing in OpenTelemetry profiles refers to an entry of the dictionary. The specification advises against it; a collector may remove the entry."},

	{ID: "N201", Name: "exit-without-enter", Explain: "A method exits that was never entered: the call began before the trace. Readers differ: dmtracedump counts the call from time 0, perflib inserts a call that encloses all earlier events, and Traceview, androidx and the Firefox Profiler ignore the exit. artifice convert --portable adds the missing entry at the thread's first event."},
	{ID: "N202", Name: "open-at-end", Explain: "Frames are open when the trace ends, as always when tracing stops while a program runs. Readers end such frames at different times."},
	{ID: "N203", Name: "method-unlisted", Explain: "Records refer to a method that the file does not define. ART up to 13 lists proxy methods under another id than in records."},
	{ID: "N204", Name: "overflow", Explain: "The buffer was full (data-file-overflow=true), so later events are missing. Record with a larger buffer, in streaming mode, or by sampling."},
	{ID: "N205", Name: "method-id-0", Explain: "A method with id 0 takes the place of (toplevel) in Traceview."},
	{ID: "N206", Name: "no-events", Explain: "The trace has no events."},
	{ID: "N207", Name: "thread-id-again", Explain: "A streaming file announces a thread id a second time: the id now belongs to another thread."},
	{ID: "N208", Name: "thread-id-reused", Explain: "A thread's CPU clock begins again at 0 while no method is open: the kernel gave the id to a new thread, and the file has one name for both. ART's instrumented mode writes such files if threads end and others start."},
}
