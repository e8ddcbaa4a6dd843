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
	Offset int64  // byte in the decompressed file; -1 when the place is not one byte
	Text   string // what was found there
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
	Name     string           // of the file
	Format   string           // variant; "text" for the text format, "otlp" or "otlp-json"; empty when it is not known
	Events   int64            // read; of OpenTelemetry profiles, samples
	Findings []Finding        // by place, at most PerRule of each rule
	Counts   map[string]int64 // by Rule.ID, all there were
	facts    facts            // what readers of other tools depend on
	Origin   Origin           // sampled or instrumented
	clean    bool             // the file was read to its proper end

	head       []byte          // of a file that begins like no known format
	scanErrors int64           // errors found by the scan, which explain why reading ends
	sharedIDs  map[uint16]bool // thread ids of records that two threads have
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
	format := r.Format
	if format == "" {
		format = "unknown format"
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
		panic(err) // a misspelt id in this package: any test of it finds that
	}
	r.Findings = append(r.Findings, Finding{Rule: rule, Offset: offset, Text: fmt.Sprintf(format, args...)})
}

// sort sorts findings by position, then by id. Findings without a position are last.
func (r *Report) sort() {
	place := func(f Finding) uint64 { return uint64(f.Offset) } // -1 is the largest
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Rule.ID, b.Rule.ID))
	})
}

// facts are the properties of a file that the readers of other tools treat
// differently.
type facts struct {
	Version      int // in the header, without the streaming bit; 0 when there is none
	Streaming    bool
	V2           bool
	Clock        trace.Clock
	RecordSize   int    // of the header; 0 where it states none
	DataBytes    int64  // of a classic file from its data section's magic on; 0 where there is no such section
	Other        string // the format of a file that is no method trace, by its name in package format
	Gzip         bool
	MaxTID       uint32
	MaxTime      int64 // us, of either clock
	MaxFirst     int64 // us, of the first time of each record: CPU where the trace has it
	MaxDepth     int64
	LongNames    int64 // methods with more than 2047 bytes of name, class and signature
	NoMember     bool  // a method's name or signature is empty
	NoClass      bool  // a method's line has only an id
	Packages     packages
	NULThread    bool   // a thread's name has a NUL
	NULMethod    bool   // a method's has one
	Chunk        bool   // the file is in a chunk for DDMS
	GlobalClock  bool   // version 1 with clock=global, which only artifice reads
	ShortHeader  bool   // version 1 with a header of 16 bytes
	NoRecordSize bool   // a streaming file's header states that records have no bytes
	BrokenPart   string // in which part the file cannot be read on
	BlankMethods int64  // empty lines in the table of methods
	CutBehind    bool   // the last record has its fields, but not all bytes of the record size
	NewCPUClocks int64  // CPU time went back because another thread has got the id
	StartsAt0    int64  // threads with their first event at wall time 0
}

// Origin is how a trace was recorded: as stated by its format, otherwise judged by its events.
type Origin struct {
	Technique trace.Technique
	Sure      Confidence
	Evidence  string       // in a sentence
	Period    stats.Period // of a sampled trace; zero when it is unknown
}

// Confidence is how certain a judgement is.
type Confidence string

// The degrees of confidence.
const (
	certain Confidence = "certain" // the format states it, or the other technique cannot have written it
	likely  Confidence = "likely"  // there are 20 groups of equal stamps and 19 in 20 state this
	unclear Confidence = "unclear" // too few events, or the evidence disagrees
)

// origin judges by the source's statement or by the groups of equal timestamps. An instrumented
// trace with a sufficiently coarse clock can look like any sampled one, so only "instrumented" can
// be certain.
func origin(g *stats.Groups, info *trace.Info) Origin {
	o := Origin{Sure: unclear}
	o.Technique, o.Evidence = g.TechniqueOf(info)
	single := 0.0
	if g.Total > 0 {
		single = float64(g.Single) / float64(g.Total)
	}
	notSampled := g.Unwinds+g.ExitAfterEnter > 0
	switch {
	case info.Technique != trace.UnknownTechnique:
		o.Sure = certain
	case g.Total == 0:
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
