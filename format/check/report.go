package check

import (
	"cmp"
	"fmt"
	"slices"

	"artifice/internal/words"
	"artifice/trace"
	"artifice/trace/stats"
)

// Finding is one violation of a rule.
type Finding struct {
	Rule   *Rule
	Offset int64  // byte in the decompressed file; -1 if the finding has no single position
	Text   string // what was found at the position
}

// String returns "E012 record-size-too-small at offset 230: …".
func (f *Finding) String() string {
	if f.Offset < 0 {
		return fmt.Sprintf("%s: %s", f.Rule, f.Text)
	}
	return fmt.Sprintf("%s at offset %d: %s", f.Rule, f.Offset, f.Text)
}

// PerRule is the maximum number of findings of one rule that a report keeps; further ones are
// counted only.
const PerRule = 10

// Report is the result of the check of one file.
type Report struct {
	Name string // of the file
	// variant; "text" for the text format, "otlp" or "otlp-json"; empty if unknown
	Format   string
	Events   int64            // number of events read; for OpenTelemetry profiles, of samples
	Findings []Finding        // by position, at most PerRule for each rule
	Counts   map[string]int64 // number of findings by Rule.ID, including those that are not kept
	facts    facts            // properties that readers of other tools depend on
	Origin   Origin           // sampled or instrumented
	clean    bool             // the file was read to its proper end

	head       []byte          // beginning of a file in no known format
	scanErrors int64           // errors found by the scan, which explain why reading fails
	sharedIDs  map[uint16]bool // thread ids of records that two threads share
	pending    []pendingBreach
	announced  announcedThreads
}

// Errors returns the number of findings that are errors.
func (r *Report) Errors() int64 {
	var n int64
	for id, count := range r.Counts {
		if id[0] == 'E' {
			n += count
		}
	}
	return n
}

// Broken returns the rule of the first finding that is an error, or nil.
func (r *Report) Broken() *Rule {
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Rule.ID[0] == 'E' {
			return f.Rule
		}
	}
	return nil
}

// Columns are the column names of [Report.Rows].
var Columns = []string{"file", "id", "level", "rule", "offset", "finding"}

// Rows returns one table row per finding. The offset is empty if the finding has no single
// position.
func (r *Report) Rows() (rows [][]string) {
	for i := range r.Findings {
		f := &r.Findings[i]
		offset := ""
		if f.Offset >= 0 {
			offset = fmt.Sprint(f.Offset)
		}
		rows = append(rows, []string{r.Name, f.Rule.ID, f.Rule.Level().String(), f.Rule.Name, offset, f.Text})
	}
	return rows
}

// Conclusion returns a one-line description of the file.
func (r *Report) Conclusion() string {
	format := "unknown format"
	if r.Format != "" {
		format = "format " + r.Format
	}
	verdict := "valid"
	if n := r.Errors(); n > 0 {
		verdict = words.Count(n, "error")
	}
	events := "event"
	if isProfiles(r.Format) {
		events = "sample"
	}
	text := fmt.Sprintf("%s, %s, %s", verdict, format, words.Count(r.Events, events))
	o := &r.Origin
	if o.Technique != trace.UnknownTechnique {
		text += fmt.Sprintf(", %s (%s)", o.Technique, o.Sure)
	}
	if o.Period.Median > 0 {
		text += fmt.Sprintf(", period %s", words.Duration(o.Period.Median))
	}
	return text
}

// Has reports whether the file violates a rule.
func (r *Report) Has(id string) bool { return r.Counts[id] > 0 }

// add adds a finding of the rule with that id, which must exist.
func (r *Report) add(id string, offset int64, format string, args ...any) {
	r.Counts[id]++
	if r.Counts[id] > PerRule {
		return
	}
	rule, err := RuleByID(id)
	if err != nil {
		panic(err) // a misspelt id in this package: every test of it finds that
	}
	r.Findings = append(r.Findings, Finding{Rule: rule, Offset: offset, Text: fmt.Sprintf(format, args...)})
}

// sort sorts findings by position, then by id. Findings without a position are last.
func (r *Report) sort() {
	place := func(f Finding) uint64 { return uint64(f.Offset) } // -1 becomes the largest
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Rule.ID, b.Rule.ID))
	})
}

// facts are the properties of a file that the readers of other tools treat
// differently.
type facts struct {
	Version    int // in the header, without the streaming bit; 0 if the file has no header
	Streaming  bool
	V2         bool
	Clock      trace.Clock
	RecordSize int // in the header; 0 if the header does not state it
	// of a classic file, from the magic of its data section on; 0 without a data section
	DataBytes int64
	Other     string // name in package format of the format of a file that is not a method trace
	Gzip      bool
	MaxTID    uint32
	MaxTime   int64 // in µs, on either clock
	// in µs: maximum of the first time in a record, which is CPU time if the trace has it
	MaxFirst     int64
	MaxDepth     int64
	LongNames    int64 // methods with more than 2047 bytes of name, class and signature
	NoMember     bool  // a method's name or signature is empty
	NoClass      bool  // a method's line has only an id
	Packages     packages
	NULThread    bool   // a thread's name contains a NUL
	NULMethod    bool   // a method's name contains a NUL
	Chunk        bool   // the file is in a chunk for DDMS
	GlobalClock  bool   // version 1 with clock=global, which only artifice reads
	ShortHeader  bool   // version 1 with a header of 16 bytes
	NoRecordSize bool   // the header of a streaming file states a record size of 0
	BrokenPart   string // the part of the file in which reading fails
	BlankMethods int64  // empty lines in the table of methods
	CutBehind    bool   // the last record has all its fields, but not all bytes of the record size
	NewCPUClocks int64  // CPU times that went back because another thread got the id
	StartsAt0    int64  // threads with their first event at wall time 0
}

// Origin is how a trace was recorded: as stated by its format, otherwise as judged by its events.
type Origin struct {
	Technique trace.Technique
	Sure      Confidence
	Evidence  string       // one sentence
	Period    stats.Period // of a sampled trace; zero if unknown
}

// Confidence is how certain a judgement is.
type Confidence string

// The degrees of confidence.
const (
	// the format states it, or the other technique cannot have written the trace
	certain Confidence = "certain"
	// there are 20 groups of equal timestamps, and 19 of 20 support the judgement
	likely  Confidence = "likely"
	unclear Confidence = "unclear" // too few events, or the evidence disagrees
)

// origin judges by the source's statement or by the groups of equal timestamps. An instrumented
// trace with a sufficiently coarse clock can look like any sampled trace. Therefore only
// "instrumented" can be certain.
func origin(g *stats.Groups, info *trace.Info) Origin {
	o := Origin{Sure: unclear}
	o.Technique, o.Evidence = g.TechniqueOf(info)
	single := float64(g.Single) / float64(g.Total) // NaN without timestamps, which are too few
	notSampled := g.Unwinds+g.ExitAfterEnter > 0
	switch {
	case info.Technique != trace.UnknownTechnique:
		o.Sure = certain
	case notSampled && o.Technique == trace.Instrumented:
		o.Sure = certain
	case g.Total < 20:
	case o.Technique == trace.Instrumented && single >= 0.95, o.Technique == trace.Sampled && single <= 0.05:
		o.Sure = likely
	}
	if p, ok := g.Period(); ok && o.Technique == trace.Sampled {
		o.Period = p
	}
	return o
}
