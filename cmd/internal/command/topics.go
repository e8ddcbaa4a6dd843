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
	return layOut(`Measures of bench and score, by CSV and JSON key. If tables name a measure
differently, its definition begins with the name in tables. Tables print shares in %; CSV and JSON have
shares from 0 to 1, and times in the unit at the end of the key (_s: seconds). bench prints the
mean over several traces. A measure that does not apply is "-" in tables, empty in CSV, and absent
in JSON.`, width) + EntryLines(MeasureEntries(), width)
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
  self  time in the method itself, without the methods that it calls (exclusive time). Self time is CPU time or, if the trace has no CPU clock, wall time minus waiting; --clock wall includes waiting
  total  self time plus the time of everything that the method calls (inclusive time); of recursive calls, only the outermost counts
  95 % CI  95 % confidence interval of the time in the column to its left; ≤: no sample has the method as its innermost frame, so only an upper limit is known
  share  self time, divided by the sum of the self times of all methods
  calls  number of calls in the trace; ≥: a sampled trace misses some calls and merges others, so the true number can be higher
  CPU  the thread's CPU time. A sampled trace attributes the CPU time between two samples to the earlier stack, even if that stack waits and the later one runs. By default, report divides a thread's CPU time among the methods that samples show running; --clock cpu keeps the trace's attribution
  waiting  wall time minus CPU time. Without a CPU clock, time in methods that wait (park, sleep, poll, read, call another process), recognized by their names

CSV and JSON have the keys self_running_ns, self_wall_ns, self_cpu_ns, total_running_ns and so on,
one for each clock of --clock. The suffixes _low and _high mark the limits of confidence intervals.
self_samples and total_samples are numbers of samples. If a method is aliased with the sampling
interval, cycle_samples is the number of samples after which the method repeats. If folded stacks do
not state their unit, report takes each count as a sample of 10 ms. artifice convert states the unit.

diff
  old self, new self  mean self time in the OLD and in the NEW traces; --sort total compares total times
  change  new self minus old self
  95 % CI  confidence interval of the change, corrected for the number of methods; it excludes 0 exactly when q ≤ 0.05
  q  false discovery rate: maximum expected share of false positives among all changes with this q or less
  p  with --method: p-value of the test of METHOD; neither p nor the interval is corrected for other methods

plan
  interval  sampling interval, or "every call" for a trace of every call, which has no sampling error
  slowdown  wall time of the traced run, divided by that of the untraced run, on --device
  traces  number of traces of each build with which diff detects the change with 80 % power; in parentheses its 95 % confidence interval, which is wide if plan has few traces
  smallest detectable  minimum change that diff detects (with 80 % power) with 3, 5 and 10 traces of each build
`

// intervalsTopic describes confidence intervals and tests.
func intervalsTopic(width int) string { return layOut(intervalsText, width) }

const intervalsText = `report prints 95 % confidence intervals for sampled traces, computed from the
trace alone. A confidence interval estimates the time that the method took in the recorded run,
including tracing overhead: --subtract-overhead subtracts the overhead, bench measures it. If
consecutive samples contain a method, the begin and the end of the method's activity are each
uncertain by up to one sampling period. A sample that contains a method, between two samples that do
not contain the method (or the reverse), counts as a Poisson event.
  coverage  For each built-in app, at least 93 % of the confidence intervals contain the true time, over all devices and sampling intervals. The lowest coverage for one app, device and sampling interval is 79 %.
  aliasing  If an app repeats itself after a whole number of sampling periods, samples are taken at the same points of each repetition, and errors do not cancel. report recognizes such traces and widens their intervals. Another sampling interval avoids aliasing.
  delays  If all CPU cores are busy, samples are taken late. report recognizes late samples from the gaps between samples, and widens the intervals.
  CPU time  If a thread both runs and waits between two samples, the trace does not record which of the two stacks used the CPU, so --clock cpu prints bounds, not confidence intervals.
  every call  A trace of every call has no sampling error, so it has no confidence intervals, but its times include tracing overhead.

With several OLD and several NEW traces, diff measures the variance between runs, and uses Student's
t test with pooled variances, Welch's test or the Mann-Whitney test (--test). With one OLD or one NEW
trace, diff can estimate only the sampling error, so a significant difference can be mere variation
between runs.
  q  p-value, corrected for the number of methods (false discovery rate, Benjamini-Hochberg 1995)
  intervals  confidence intervals, corrected for the number of methods (Benjamini-Yekutieli 2005)
  --method  tests one method, chosen beforehand: the p-value and the interval of one method need no correction, so diff detects smaller changes
  minimum detectable change  smallest change that would be detected with 80 % power, given the number and the variance of the traces; printed for the method with the most self time, and for the method with the median self time ("median method")

plan adds the variance between runs and the sampling variance. plan measures the variance between
runs in five or more traces. With fewer traces, --level states the variance between runs, or plan
estimates it from bursts of calls within one trace. plan computes the sampling variance by emulated
sampling of the trace at each interval, and the power from the noncentral t distribution.

For each row, bench emulates several traces, whose first samples are spread evenly over one sampling
interval (phases). A row is the mean over its traces; with --wide, ± is the standard deviation.
  z  test of bench itself: z score of the measure that deviates most from its closed form, corrected for the number of measures; 95 % of rows are within ±2. "exact" means no deviation; "-" means no closed form, or fewer than 30 samples
  goal  a tracer meets a goal if 95 % of its traces do. If the source is a workload, bench also tests the recommended tracer on six other runs of the app
  slowdown  a range for recorded traces, because a trace does not record what ended the waits of threads. The minimum slowdown assumes that every wait becomes shorter by the delay that tracing causes. The maximum slowdown assumes that no wait becomes shorter, or that delayed threads miss the next tick of a clock (such as vsync), whichever is slower

For each figure, calibrate prints the 95 % confidence interval and the number of observations.
`

// formatsTopic lists all formats.
func formatsTopic(width int) string {
	return layOut(`r: artifice reads the format. w: record and convert write the format (--format NAME, or the
extension in parentheses). Input is recognized by its content. Any file can be compressed (.gz).`, width) + TextLines(FormatRows()[1:], width)
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
	return fmt.Sprintf("Modes of artifice record (bench compares all except truth, instrument, dump and rediff)\n%s\nModes and groups that only bench has\n%s",
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
