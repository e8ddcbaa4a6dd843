package command

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"artifice/bench"
	"artifice/format"
	"artifice/format/dmtrace"
	"artifice/internal/cli"
	"artifice/tracer"
)

// Topic is a help topic: "artifice help NAME" prints its text.
type Topic struct {
	Name, About string
	text        func(width int) string // wrapped at width columns
}

// Topics are all help topics.
var Topics = []Topic{
	{"measures", "Measures of bench and score, and their CSV and JSON keys", measuresTopic},
	{"columns", "Columns of report, diff and plan", columnsTopic},
	{"intervals", "Confidence intervals, tests, minimum detectable change, aliasing", intervalsTopic},
	{"formats", "Formats that artifice reads and writes", formatsTopic},
	{"tracers", "Emulated tracers (record --mode, bench --modes)", tracersTopic},
}

// TopicNames returns the names of all topics.
func TopicNames() (names []string) {
	for _, t := range Topics {
		names = append(names, t.Name)
	}
	return names
}

// TopicText returns the text of a topic; nil: there is no such topic.
func TopicText(name string) func(width int) string {
	if i := slices.IndexFunc(Topics, func(t Topic) bool { return t.Name == name }); i >= 0 {
		return Topics[i].text
	}
	return nil
}

// TopicWidth returns the width of topics and lists on w: the width of the terminal, at most 100
// columns.
func TopicWidth(w io.Writer) int {
	if width := cli.TerminalWidth(w); width > 0 {
		return max(40, min(100, width))
	}
	return 100
}

// HelpColumns is the width of preformatted lines in the help of commands.
const HelpColumns = 78

// TextLines returns rows as indented lines with aligned columns. The last column is wrapped at
// width columns.
func TextLines(rows [][]string, width int) string {
	var widths []int
	for _, row := range rows {
		for c, cell := range row {
			if c == len(widths) {
				widths = append(widths, 0)
			}
			widths[c] = max(widths[c], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		line, last := "  ", len(row)-1
		for c, cell := range row[:last] {
			line += cell + strings.Repeat(" ", widths[c]-utf8.RuneCountInString(cell)+2)
		}
		indent := strings.Repeat(" ", utf8.RuneCountInString(line))
		text := cli.Wrap(row[last], indent, width)
		b.WriteString(strings.TrimRight(line+strings.TrimPrefix(text, indent), " ") + "\n")
	}
	return b.String()
}

// EntryLines returns entries as indented lines of at most width columns.
func EntryLines(entries []Entry, width int) string {
	var rows [][]string
	for _, e := range entries {
		rows = append(rows, []string{e.Name, e.Description})
	}
	return TextLines(rows, width)
}

// layOut returns a topic's text: paragraphs, which it wraps at width columns, and indented lines
// "term  definition", in which it aligns the terms and wraps the definitions. Two blanks separate
// a term from its definition.
func layOut(text string, width int) string {
	var parts []string
	for _, p := range strings.Split(strings.TrimSpace(text), "\n\n") {
		var rows [][]string
		head, body, _ := strings.Cut("\n"+p, "\n  ")
		if head = strings.TrimSpace(head); body != "" {
			for _, line := range strings.Split(body, "\n  ") {
				term, definition, _ := strings.Cut(line, "  ")
				rows = append(rows, []string{term, strings.TrimSpace(definition)})
			}
		}
		part := TextLines(rows, width)
		if head != "" {
			part = cli.Wrap(head, "", width) + "\n" + part
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "\n")
}

// measuresTopic defines the measures of bench and score.
func measuresTopic(width int) string {
	return layOut(`Measures of bench and score, by CSV and JSON key, followed by the title in tables if it has other
words. Tables print shares in %; CSV and JSON have shares from 0 to 1, and times in the unit of the
key. bench prints the mean over several traces. A measure that does not apply is "-" in tables,
empty in CSV, and absent in JSON.`, width) + EntryLines(MeasureEntries(), width)
}

// separates reports whether r is no part of a word or number.
func separates(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// MeasureEntries returns the keys of the measures and their definitions. A title in tables that has
// other words than the key precedes the definition.
func MeasureEntries() (entries []Entry) {
	for _, m := range bench.Measures() {
		about := m.Description()
		other := func(word string) bool { return !strings.Contains(m.Key(), word) }
		if slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(m.Title()), separates), other) {
			about = m.Title() + ": " + about
		}
		entries = append(entries, Entry{m.Key(), about})
	}
	return entries
}

// columnsTopic defines the columns of report, diff and plan.
func columnsTopic(width int) string { return layOut(columnsText, width) }

const columnsText = `report
  self  time in the method itself, without the methods that it calls. By default CPU time, or without a CPU clock, wall time minus waiting; --clock wall includes waiting. Exclusive time in other tools
  total  self time and the time of everything that the method calls; of recursive calls, only the outermost counts. Inclusive time in other tools
  95 % CI  confidence interval of the time to its left; ≤: no sample met the method itself, and the value is an upper limit
  share  self time as a share of the thread's running time
  calls  calls in the trace; ≥: a sampled trace merges and misses calls
  CPU  the thread's CPU time. A sampled trace attributes the CPU time between two samples to the earlier stack, even if the earlier stack waits and the later one runs; report divides a thread's CPU time among the methods that samples show running. --clock cpu prints the trace's own attribution
  waiting  wall time less CPU time. Without a CPU clock, time in methods that wait (park, sleep, poll, read, call another process), recognized by their names

CSV and JSON have self and total by clock: self_running_ns, self_wall_ns, self_cpu_ns, total_running_ns
and so on, with _low and _high for the limits of intervals; self_samples and total_samples; and
cycle_samples, the number of samples after which an aliased app repeats. Folded stacks do not state
their unit: each count is taken as a sample of 10 ms, except in files of artifice convert, which state it.

diff
  old self, new self  mean self time per trace on each side; --sort total compares total time
  change  new minus old, per trace
  95 % CI  confidence interval of the change, corrected for the number of methods; it excludes 0 exactly when q ≤ 0.05
  q  false discovery rate: of all changes with this q or less, at most this share is expected to be chance
  p  with --method: significance of the test of this method alone; neither p nor the interval is corrected

plan
  interval  sampling interval; "every call" has no sampling error
  slowdown  length of the traced run over its length without tracing, on --device
  traces  number of traces of each build that detects the change with 80 % power; in parentheses the 95 % interval of this number, which is wide for few pilot traces
  smallest detectable  minimum detectable change with 3, 5 and 10 traces of each build
`

// intervalsTopic describes confidence intervals and tests.
func intervalsTopic(width int) string { return layOut(intervalsText, width) }

const intervalsText = `report, sampled traces. The interval contains the time that the method took in the recorded run, with
95 % confidence. It is computed from the trace alone. A method's time consists of runs of consecutive
samples; each end of a run is uncertain by up to one period, and a run or a gap of a single sample
counts as a Poisson event. The interval does not include tracing overhead: --subtract-overhead
removes it, bench measures it.
  coverage  In each built-in app, over all devices and sampling intervals, at least 95 % of the confidence intervals contain the true time. The minimum on one device at one sampling interval is 76 %, for an app that is aliased with the sampling interval.
  aliasing  If an app repeats after a whole number of samples, the errors of its repetitions are equal and do not cancel. Such traces are recognized, and their confidence intervals widened. Record with a different sampling interval.
  delays  If all CPU cores are busy, samples are late. Gaps between samples reveal this, and intervals are widened.
  CPU time  A thread that waits between two samples can have used CPU time in either stack; therefore --clock cpu prints bounds, not intervals.
  every call  A trace of every call has no sampling error and no interval. Its times include tracing overhead.

diff. With several traces on both sides, the variance between runs is measured: Student's t test with
pooled variances (default), Welch's, or Mann-Whitney (--test). With one trace on a
side, this variance is unknown: only the sampling error is used, and differences can be noise
between runs.
  q  p-values corrected for the number of methods (Benjamini-Hochberg, 1995)
  intervals  corrected with q (Benjamini-Yekutieli, 2005)
  --method  one method, chosen beforehand: p and the interval need no correction, and smaller changes are detected
  minimum detectable change  smallest change that this number of traces detects with 80 % power, at the variance of these traces

plan. The variance between traces has two parts. Between-run variance is measured from five or more
traces, stated (--level), or estimated from the bursts within one trace. Sampling variance is computed by
sampling the pilot trace at each interval. The power is that of the noncentral t distribution.

bench. A row is the mean over sampling phases that are spread evenly over one interval; ± is the
standard deviation over them (--wide).
  z  largest deviation of a measure from theory, in standard errors, corrected for choosing the largest; 95 % of rows are within 2. "exact": all phases agree with theory. "-": not comparable, such as tracers of every call or fewer than 30 samples
  goal  a tracer meets a goal if 95 % of single traces do; for workloads, the advice is verified with six more runs
  slowdown  a recorded source does not state what ended its waits. The range is from "all waits absorb delays" to "none does", or more where threads miss ticks of a clock

calibrate. Each figure has its 95 % confidence interval and the number of observations.
`

// formatsTopic lists all formats.
func formatsTopic(width int) string {
	return layOut(`r: artifice reads the format. w: record and convert write it (--format). Input is recognized by
content, output by the extension in parentheses. Any file can be compressed (.gz).`, width) + TextLines(FormatRows()[1:], width)
}

// FormatRows returns a table of all formats, with titles in its first row.
func FormatRows() [][]string {
	rows := [][]string{{"name", "access", "content (extensions)"}}
	for _, f := range format.All() {
		if f == &dmtrace.Format {
			continue // its variants are listed
		}
		about := f.About
		if len(f.Endings) > 0 {
			about += " (" + strings.Join(f.Endings, ", ") + ")"
		}
		rows = append(rows, []string{f.Name, access(f), about})
	}
	return rows
}

// access returns the supported access to a format: "rw", "r" or "w".
func access(f *format.Format) string {
	text := ""
	ofRuntime := func(v *format.Format) bool { return v.Name == f.Name } // dmtrace.Format reads these
	if f == &dmtrace.TextFormat || slices.ContainsFunc(dmtrace.Variants(), ofRuntime) {
		text = "r"
	}
	if f.Read != nil || f.Dumps != nil {
		text = "r"
	}
	if f.Write != nil || f.Dumps != nil && f.Dumps.Written() {
		text += "w"
	}
	return text
}

// tracersTopic lists the modes of record, and the modes and groups that only bench has.
func tracersTopic(width int) string {
	record, bench := TracerEntries()
	return fmt.Sprintf("Modes of record; bench compares them, except truth, instrument, dump and rediff\n%s\nModes and groups of bench only\n%s",
		EntryLines(record, width), EntryLines(bench, width))
}

// TracerEntries returns the modes of record, and the modes and groups that only bench has.
func TracerEntries() (record, bench []Entry) {
	record = Tracers()
	for _, e := range Modes() {
		if _, err := tracer.ByName(e.Name); err != nil {
			bench = append(bench, e)
		}
	}
	return record, bench
}
