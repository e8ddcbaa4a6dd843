package check

import (
	"slices"
	"sync"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// has returns a property: one of the rules is broken.
func has(ids ...string) func(*Report) bool {
	return func(r *Report) bool {
		for _, id := range ids {
			if r.Has(id) {
				return true
			}
		}
		return false
	}
}

// everyTool returns the same effect for all tools.
func everyTool(e effect) map[Tool]effect {
	on := make(map[Tool]effect)
	for _, t := range Tools {
		on[t] = e
	}
	return on
}

// allBut returns the same effect for all tools that on does not name, with what
// on says for those it does.
func allBut(e effect, on map[Tool]effect) map[Tool]effect {
	all := everyTool(e)
	for t, own := range on {
		all[t] = own
	}
	return all
}

// evenAt32 returns a property: one of the rules is broken, if any are given, and the bytes
// after the first 32 of the data section, for which Perfetto takes the header, are whole
// records, or not.
func evenAt32(even bool, ids ...string) func(*Report) bool {
	return func(r *Report) bool {
		f := r.Facts
		size := int64(f.RecordSize)
		if f.Version == 1 || f.Version == 2 {
			size = int64(dmformat.LayoutFor(uint16(f.Version), trace.Wall).Size)
		}
		if f.DataBytes < dmformat.HeaderSize || size == 0 || len(ids) > 0 && !has(ids...)(r) {
			return false
		}
		return even == ((f.DataBytes-dmformat.HeaderSize)%size == 0)
	}
}

// behaviours are what six readers do that the others do not, as their sources
// say; a part was also tried (see the tests of this package). They are made
// when a verdict is asked for.
var behaviours = sync.OnceValue(func() []behaviour {
	return slices.Concat(formatBehaviours(), tableBehaviours(), eventBehaviours())
})

// formatBehaviours come with the variant, the header and the key section's
// shape.
func formatBehaviours() []behaviour {
	return []behaviour{
		{has("E003", "E005", "E006", "E007"),
			everyTool(refuses("not a complete trace file"))},
		{has("E002"), allBut(refuses("not a complete trace file"), map[Tool]effect{
			Perfetto: misreads("shows an empty trace")})},
		{func(r *Report) bool { return r.Has("E001") && r.Facts.Other != "chrome" },
			everyTool(refuses("not a complete trace file"))},
		{func(r *Report) bool { return r.Has("E001") && r.Facts.Other == "chrome" }, allBut(refuses("not a complete trace file"), map[Tool]effect{
			Perfetto: misreads("reads it as Chrome's JSON")})},
		{has("E004"), allBut(refuses("CR LF line ends shift the data section"), map[Tool]effect{
			Dmtracedump: misreads("takes the CR as part of each line, and the records are damaged")})},
		{has("E008"), allBut(refuses("the version is unknown"), map[Tool]effect{
			Dmtracedump: remark("ignores the version in the text")})},
		{func(r *Report) bool { return r.Facts.Gzip }, map[Tool]effect{
			Dmtracedump: refuses("does not decompress"),
			Traceview:   refuses("does not decompress"),
			Studio:      refuses("does not decompress"),
			Androidx:    refuses("does not decompress")}},
		{func(r *Report) bool { return r.Format == "text" },
			everyTool(refuses("artifice's text format is not a trace file; convert it first"))},
		{func(r *Report) bool { return dmformat.IsLongRun(r.Format) },
			everyTool(refuses("a profile of long-running methods has no header to recognise it by"))},
		{func(r *Report) bool { return r.Facts.Streaming && !r.Facts.V2 }, map[Tool]effect{
			Dmtracedump: refuses("cannot read streaming files"),
			Traceview:   refuses("cannot read streaming files"),
			Androidx:    refuses("cannot read streaming files"),
			Studio:      remark("the perflib before 2022 cannot read streaming files")}},
		{func(r *Report) bool { return r.Facts.V2 }, allBut(refuses("does not know format V2"), map[Tool]effect{
			Perfetto: remark("reads only the V2 of 2026")})},
		{func(r *Report) bool { return r.Format == dmformat.ARTV2of15 }, map[Tool]effect{
			Perfetto: refuses("decodes only the V2 of 2026 and fails on that of Android 15")}},
		{func(r *Report) bool { return r.Format == dmformat.ARTV2of16 }, map[Tool]effect{
			Perfetto: misreads("loads the V2 of Android 16 silently, with wrong names and times")}},
		{func(r *Report) bool {
			return r.Format == dmformat.ARTV2of17 && r.Has("E022") && r.Facts.BrokenPart == trace.InBlock
		}, map[Tool]effect{
			Perfetto: {Unknown, "skips the rest of a block, or loses its place"}}},
		{func(r *Report) bool { return r.Facts.V2 && r.Has("E022") && r.Facts.BrokenPart == "" }, map[Tool]effect{
			Perfetto: refuses("unknown packet")}},
		{func(r *Report) bool { return r.Facts.V2 && r.Has("W120") }, map[Tool]effect{
			Perfetto: refuses("records refer to an unlisted thread")}},
		{has("E020", "E022"), map[Tool]effect{
			Perfetto: remark("ignores the version in the summary")}},
		{func(r *Report) bool { return r.Has("E020") && r.Facts.BrokenPart == "" }, map[Tool]effect{
			Perfetto: refuses("unknown item"),
			Studio:   refuses("unknown item")}},
		{has("E020"), map[Tool]effect{
			Firefox: refuses("unknown item, or a different version in the summary")}},
		{has("E021", "E023"), map[Tool]effect{
			Perfetto: refuses("the trace is incomplete; it crashes where a summary says that it has gigabytes")}},
		{func(r *Report) bool { return r.Has("E021") && r.Facts.BrokenPart == "" }, map[Tool]effect{
			Studio:  refuses("the file ends within an item"),
			Firefox: refuses("the file ends within an item")}},
		{func(r *Report) bool {
			return r.Has("E029") && r.Facts.Streaming && !r.Facts.V2 && !r.Facts.NoRecordSize
		}, map[Tool]effect{
			Perfetto: refuses("the version is impossible"),
			Firefox:  refuses("the version is impossible")}},
		{func(r *Report) bool { return r.Facts.NoRecordSize }, map[Tool]effect{
			Studio:   refuses("crashes on zero-length records"),
			Perfetto: refuses("hangs on zero-length records"),
			Firefox:  refuses("crashes on zero-length records")}},
		{has("W121"), map[Tool]effect{
			Perfetto: refuses("the trace is incomplete without its summary"),
			Studio:   refuses("crashes without a summary")}},
		{has("E009"), map[Tool]effect{
			Perfetto:  remark("reads the sections in any order"),
			Studio:    remark("reads the sections in any order"),
			Traceview: remark("reads the sections in any order"),
			Androidx:  remark("reads the sections in any order")}},
		{func(r *Report) bool { return r.Has("E012") && r.Facts.RecordSize == 0 }, map[Tool]effect{
			Perfetto: refuses("hangs on zero-length records, and crashes when its memory is full"),
			Firefox:  refuses("hangs on zero-length records")}},
		{func(r *Report) bool { return r.Has("E012") && r.Facts.RecordSize > 0 }, map[Tool]effect{
			Firefox: refuses("reads shifted records")}},
		{evenAt32(false), map[Tool]effect{
			Perfetto: refuses("the last record is cut, counted from a header of 32 bytes")}},
		{evenAt32(true, "W107"), map[Tool]effect{
			Perfetto: misreads("assumes a header of 32 bytes, and takes the first record from there")}},
		{evenAt32(true, "E012", "E019"), map[Tool]effect{
			Perfetto: misreads("reads the wall time from the next record")}},
		{has("E016"), map[Tool]effect{
			Perfetto: remark("assumes a header of 32 bytes"),
			Firefox:  refuses("reads shifted records")}},
		{has("E019"), map[Tool]effect{
			Firefox: refuses("reads shifted records")}},
		{has("E013"), allBut(refuses("magic number mismatch"), map[Tool]effect{
			Dmtracedump: remark("ignores the magic and reads what follows")})},
		{has("E014"), allBut(refuses("the two versions differ"), map[Tool]effect{
			Dmtracedump: misreads("goes by the header's version alone")})},
		{has("E011"), allBut(refuses("there is no data section"), map[Tool]effect{
			Dmtracedump: misreads("reports an empty trace where the data section is missing")})},
		{has("E015"), allBut(refuses("the header is cut"), map[Tool]effect{
			Dmtracedump: misreads("reports an empty trace where the data section is missing"),
			Perfetto:    remark("assumes a header of 32 bytes")})},
		{func(r *Report) bool { return r.Has("E015") && r.Facts.DataBytes < dmformat.HeaderSize }, map[Tool]effect{
			Perfetto: refuses("the header is cut")}},
		{has("E012", "E016", "E019"), map[Tool]effect{
			Dmtracedump: misreads("goes on and reads shifted records")}},
		{has("E018"), everyTool(remark("does not count records"))},
		{has("E017"), map[Tool]effect{
			Dmtracedump: remark("warns of the cut record"),
			Traceview:   remark("ignores the cut record")}},
		{func(r *Report) bool { return r.Has("E017") && r.Facts.RecordSize != 0xffff }, map[Tool]effect{
			Studio:   refuses("the last record is cut"),
			Androidx: refuses("the last record is cut")}},
		{func(r *Report) bool { return r.Has("E017") && r.Facts.RecordSize == 0xffff }, map[Tool]effect{
			Dmtracedump: misreads("shows one right event, and garbage"),
			Studio:      remark("takes a record size of 65535 for none"),
			Androidx:    remark("takes a record size of 65535 for none")}},
		{func(r *Report) bool { return r.Has("E017") && !r.Facts.CutBehind }, map[Tool]effect{
			Firefox: refuses("the last record is cut")}},
		{func(r *Report) bool { return r.Facts.CutBehind }, map[Tool]effect{
			Firefox: misreads("takes the fields of the last record, which is cut behind them")}},
		{func(r *Report) bool { return r.Format == dmformat.Dalvik1 }, map[Tool]effect{
			Perfetto: misreads("takes two bytes for the thread id of a version 1 file")}},
		{has("W101"), map[Tool]effect{
			Perfetto: refuses("an option is not key=value")}},
		{has("W102"), map[Tool]effect{
			Perfetto: refuses("crashes on an empty line"),
			Firefox:  refuses("an empty line in the key section")}},
		{func(r *Report) bool { return r.Facts.BlankMethods > 0 }, map[Tool]effect{
			Dmtracedump: refuses("an empty line among the methods"),
			Traceview:   refuses("an empty line among the methods")}},
		{has("W106"), map[Tool]effect{
			Dmtracedump: refuses("a section that it does not know"),
			Perfetto:    refuses("a section that it does not know"),
			Firefox:     refuses("a section that it does not know")}},
		{has("W105"), map[Tool]effect{
			Dmtracedump: refuses("needs the sections in the order version, threads, methods"),
			Firefox:     refuses("needs the sections in the order version, threads, methods")}},
		{has("W108", "W109"), map[Tool]effect{
			Dmtracedump: refuses("a table is empty")}},
	}
}

// clockIs returns a property: the trace has this clock, and says so.
func clockIs(c trace.Clock) func(*Report) bool {
	return func(r *Report) bool {
		return r.Format != "" && r.Format != "text" && r.Facts.Clock == c && !r.Has("W103") && !r.Has("W104")
	}
}

// tableBehaviours come with options, threads and methods.
func tableBehaviours() []behaviour {
	return []behaviour{
		{func(r *Report) bool { return clockIs(trace.ThreadCPU)(r) && !r.Facts.V2 }, map[Tool]effect{
			Perfetto: refuses("cannot read traces of the thread CPU clock")}},
		{func(r *Report) bool { return clockIs(trace.ThreadCPU)(r) && r.Facts.V2 }, map[Tool]effect{
			Perfetto: misreads("shows thread CPU time as wall time")}},
		{clockIs(trace.Dual), map[Tool]effect{
			Dmtracedump: remark("shows CPU time only")}},
		{has("W103"), map[Tool]effect{
			Androidx:  refuses("the option clock is missing"),
			Studio:    refuses("the option clock is missing"),
			Traceview: remark("assumes thread CPU time"),
			Firefox:   remark("assumes thread CPU time"),
			Perfetto:  remark("assumes wall time")}},
		{has("W104"), map[Tool]effect{
			Androidx:  refuses("the option clock is unknown"),
			Studio:    refuses("the option clock is unknown"),
			Perfetto:  refuses("the option clock is unknown"),
			Traceview: remark("assumes thread CPU time"),
			Firefox:   remark("assumes thread CPU time")}},
		{has("W124"), map[Tool]effect{
			Studio: refuses("an option's value is not a number")}},
		{has("W112"), map[Tool]effect{
			Perfetto: refuses("a thread name is empty or contains a tab")}},
		{has("W113"), map[Tool]effect{
			Dmtracedump: misreads("turns a method line without four columns into one odd name"),
			Traceview:   refuses("crashes on a method line without four columns"),
			Studio:      refuses("crashes on a method line without four columns"),
			Androidx:    refuses("crashes on a method line without four columns"),
			Perfetto:    misreads("loses the name of a method whose line has not four columns")}},
		{has("W114"), map[Tool]effect{
			Dmtracedump: misreads("shows a method with an empty field under another name"),
			Traceview:   refuses("crashes on a method with an empty field"),
			Perfetto:    misreads("uses the next field in place of an empty one")}},
		{func(r *Report) bool { return r.Has("W114") && r.Facts.NoMember }, map[Tool]effect{
			Studio:   refuses("crashes on a method with an empty field"),
			Androidx: refuses("crashes on a method with an empty field")}},
		{func(r *Report) bool { return r.Facts.LongNames > 0 }, map[Tool]effect{
			Perfetto: misreads("truncates a method's class, name and signature to 2047 bytes")}},
		{func(r *Report) bool { return r.Facts.NULMethod }, map[Tool]effect{
			Perfetto: misreads("ends a method's name at a NUL")}},
		{func(r *Report) bool { return r.Facts.NULThread && !r.Facts.Streaming }, map[Tool]effect{
			Dmtracedump: misreads("ends a thread's name at a NUL")}},
		{has("W115"), map[Tool]effect{
			Traceview: refuses("crashes on a signature without ("),
			Studio:    refuses("crashes on a signature without ("),
			Androidx:  refuses("crashes on a signature without ("),
			Perfetto:  misreads("loses the name of a method whose signature lacks (")}},
		{has("W116"), map[Tool]effect{
			Androidx: refuses("a name that is not UTF-8 shifts the data section: magic number mismatch"),
			Studio:   refuses("a name that is not UTF-8 shifts the data section: magic number mismatch"),
			Firefox:  refuses("a name is not UTF-8")}},
		{has("W118"), map[Tool]effect{
			Perfetto:  misreads("assigns all events of a thread id to the first thread that has it"),
			Firefox:   misreads("assigns all events of a thread id to the first thread that has it"),
			Androidx:  misreads("assigns all events of a thread id to the first thread that has it"),
			Studio:    misreads("assigns all events of a thread id to the last thread that has it"),
			Traceview: misreads("assigns all events of a thread id to the last thread that has it")}},
		{has("W121"), map[Tool]effect{
			Firefox: misreads("without a summary, takes the first time of each record, CPU if there are two, as wall time")}},
		{has("W120"), map[Tool]effect{
			Androidx:  refuses("records refer to an unlisted thread"),
			Firefox:   refuses("records refer to an unlisted thread"),
			Studio:    remark("names an unlisted thread by its id"),
			Traceview: remark("names an unlisted thread by its id")}},
		{has("W125"), map[Tool]effect{
			Dmtracedump: misreads("loses threads with ids from 32768 on, or crashes"),
			Traceview:   misreads("reads thread ids from 32768 on as negative"),
			Studio:      misreads("reads thread ids from 32768 on as negative"),
			Androidx:    refuses("reads thread ids from 32768 on as negative and does not find the thread")}},
		{has("W129"), map[Tool]effect{
			Firefox: misreads("cannot resolve a method id with bit 31 set")}},
		{has("N205"), map[Tool]effect{
			Traceview: misreads("shows the method with id 0 in place of (toplevel)")}},
		{has("N203"), map[Tool]effect{
			Dmtracedump: remark("lumps all unlisted methods together as (unknown)"),
			Traceview:   remark("calls an unlisted method (0x…)"),
			Studio:      remark("calls unlisted methods unknown.unknown"),
			Androidx:    remark("shows unlisted methods without a name"),
			Perfetto:    remark("shows unlisted methods without a name"),
			Firefox:     remark("calls an unlisted method <unknown method ID 0x…>")}},
	}
}

// eventBehaviours come with the records.
func eventBehaviours() []behaviour {
	return []behaviour{
		{has("E030"), map[Tool]effect{
			Dmtracedump: misreads("treats action 3 as an exit"),
			Perfetto:    misreads("treats action 3 as an enter"),
			Traceview:   refuses("action 3"),
			Studio:      refuses("action 3"),
			Androidx:    refuses("action 3"),
			Firefox:     refuses("action 3")}},
		{func(r *Report) bool { return r.Has("E033") && !r.Has("E030") }, map[Tool]effect{
			Dmtracedump: refuses("an exit does not match the stack"),
			Traceview:   refuses("an exit does not match the current method"),
			Studio:      refuses("an exit does not match the stack"),
			Androidx:    misreads("closes the innermost call at an exit of another method"),
			Perfetto:    misreads("closes the innermost call at an exit of another method"),
			Firefox:     misreads("closes the innermost call at an exit of another method")}},
		{has("N201"), map[Tool]effect{
			Dmtracedump: misreads("counts an exit without an enter as a call from time 0, so inclusive times exceed the trace"),
			Traceview:   remark("ignores exits without an enter"),
			Studio:      remark("puts a call around everything before an exit without an enter"),
			Androidx:    remark("drops exits without an enter"),
			Perfetto:    remark("ignores exits without an enter"),
			Firefox:     remark("ignores exits without an enter")}},
		{has("N202"), map[Tool]effect{
			Dmtracedump: remark("lets open frames end at their thread's last event"),
			Traceview:   remark("lets open frames end at their thread's last event"),
			Studio:      remark("lets open frames end right after their last callee"),
			Androidx:    remark("lets open frames end at the last event of the trace"),
			Perfetto:    remark("leaves open frames without an end"),
			Firefox:     remark("shows open frames up to the last sample")}},
		{has("N206"), map[Tool]effect{
			Firefox: refuses("shows no profile unless a thread has events")}},
		{has("W126", "W127"), map[Tool]effect{
			Traceview: misreads("reads times from 2^31 us on as negative"),
			Androidx:  misreads("reads times from 2^31 us on as negative")}},
		{has("W127"), map[Tool]effect{
			Perfetto: misreads("does not notice that times wrapped, and leaves calls open"),
			Firefox:  misreads("fills the time from a wrap back to the start with 43 million samples, or crashes when its memory is full")}},
		{has("E031"), map[Tool]effect{
			Perfetto: misreads("sorts events by time, even those of one thread"),
			Firefox:  remark("does not notice a step back in time")}},
		{has("E031", "E032", "N208"), map[Tool]effect{
			Studio: misreads("turns a step back in time into one of 2^32 us forward")}},
		{func(r *Report) bool { return r.Facts.MaxFirst >= 1<<32 }, map[Tool]effect{
			Dmtracedump: misreads("does not notice that times wrapped")}},
		{func(r *Report) bool {
			return r.Has("E032") || r.Has("N208") || r.Facts.NewCPUClocks > 0 || r.Has("E031") && r.Facts.Clock == trace.Wall
		}, map[Tool]effect{
			Dmtracedump: misreads("turns a step back in time into one of 2^64 us forward")}},
		{func(r *Report) bool { return r.Facts.MaxDepth > 512 }, map[Tool]effect{
			Perfetto: misreads("keeps 512 open calls per thread and loses deeper ones with their times")}},
		{has("W128"), map[Tool]effect{
			Studio: remark("may overflow its own stack: 3001 frames load, 4000 do not")}},
		{func(r *Report) bool { return r.Facts.MaxDepth >= 4000 }, map[Tool]effect{
			Studio: refuses("overflows its own stack on deep stacks")}},
		{func(r *Report) bool { return r.Facts.MaxDepth > 10000 }, map[Tool]effect{
			Dmtracedump: refuses("gives up at more than 10000 frames")}},
		{func(r *Report) bool { return r.Origin.Technique == trace.Instrumented && r.Facts.Clock.HasWall() }, map[Tool]effect{
			Firefox: remark("shows samples, mostly 0.1 ms apart: shorter calls vanish")}},
		{func(r *Report) bool { return r.Facts.MaxTime >= 1e9 && r.Facts.Clock.HasWall() && !r.Has("W127") }, map[Tool]effect{
			Firefox: remark("fills pauses with samples, as a rule 0.1 ms apart: half an hour is 18 million")}},
		{func(r *Report) bool { return r.Facts.StartsAt0 > 0 && r.Facts.Clock.HasWall() }, map[Tool]effect{
			Firefox: remark("loses the stack of a thread that begins at time 0 until its next timestamp")}},
	}
}
