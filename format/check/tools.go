package check

import (
	"fmt"
	"slices"
	"strings"
)

// Tool is a program that reads method traces.
type Tool string

// The tools with known behaviour. The behaviour is known from their sources and from experiments.
const (
	Perfetto    Tool = "perfetto"    // ui.perfetto.dev and trace_processor
	Firefox     Tool = "firefox"     // profiler.firefox.com
	Studio      Tool = "studio"      // Android Studio: perflib as of 2022
	Traceview   Tool = "traceview"   // of the Android SDK, until 2019
	Dmtracedump Tool = "dmtracedump" // as Debian packages it
	Androidx    Tool = "androidx"    // androidx.benchmark
)

// Tools lists all tools.
var Tools = []Tool{Perfetto, Firefox, Studio, Traceview, Dmtracedump, Androidx}

// ParseTools parses names separated by commas; "all" means every tool.
func ParseTools(list string) ([]Tool, error) {
	if list == "all" {
		return Tools, nil
	}
	var tools []Tool
	for name := range strings.SplitSeq(list, ",") {
		tool, err := parseTool(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		tools = append(tools, tool)
	}
	return tools, nil
}

func parseTool(name string) (Tool, error) {
	for _, t := range Tools {
		if string(t) == name {
			return t, nil
		}
	}
	return "", fmt.Errorf("unknown reader %q; use \"all\", or a list of %s", name, joinTools(", "))
}

func joinTools(sep string) string {
	names := make([]string, len(Tools))
	for i, t := range Tools {
		names[i] = string(t)
	}
	return strings.Join(names, sep)
}

// Outcome is the result of reading a file with a tool.
type Outcome uint8

const (
	Accepts  Outcome = iota // shows what the file contains
	Misreads                // shows something different
	Refuses                 // ends with an error, crashes, or never ends
	Unknown                 // the file breaks the format in an untested way, or has another format
)

// String returns the outcome as a word.
func (o Outcome) String() string {
	return [...]string{"accepts", "misreads", "refuses", "unknown"}[o]
}

// Verdict is the behaviour of a tool for a file, with reasons.
type Verdict struct {
	Tool    Tool
	Outcome Outcome
	// how it misreads the file, or why it refuses it; with Accepts, peculiarities of the display
	Reasons []string
}

// effect is the consequence of one property of a file for a tool. If the outcome is Accepts, its
// text is a remark.
type effect struct {
	outcome Outcome
	text    string
}

// behaviour is a property of files and its effect on each tool. Tools that are not listed are not
// affected.
type behaviour struct {
	when condition
	on   map[Tool]effect
}

// Verdict returns the behaviour of a tool for the file. If the tool refuses the file, the verdict
// omits what it would misread.
func (r *Report) Verdict(tool Tool) Verdict {
	v := Verdict{Tool: tool}
	if isProfiles(r.Format) {
		return Verdict{Tool: tool, Outcome: Unknown, Reasons: []string{"only method traces were tried"}}
	}
	for _, b := range behaviours() {
		e, ok := b.on[tool]
		if !ok || !b.when.holds(r) {
			continue
		}
		if e.outcome > v.Outcome {
			v.Outcome, v.Reasons = e.outcome, nil
		}
		if e.outcome == v.Outcome {
			v.Reasons = append(v.Reasons, e.text)
		}
	}
	if v.Outcome != Refuses && slices.ContainsFunc(untried[tool], r.Has) {
		return Verdict{Tool: tool, Outcome: Unknown, Reasons: []string{"the file violates the format; see the errors"}}
	}
	return v
}

// untried lists, for each tool, the errors for which its behaviour is unknown unless it refuses the
// file. dmtracedump and the Firefox Profiler's importer were tested with all other errors;
// Perfetto's behaviour is from its source.
var untried = map[Tool][]string{
	Perfetto:  {"E029"},
	Firefox:   {"E029"},
	Studio:    {"E012", "E016", "E019", "E020", "E021", "E029"},
	Traceview: {"E012", "E016", "E019", "E029", "E031", "E032", "N208"},
	Androidx:  {"E012", "E016", "E019", "E029", "E031", "E032", "N208"},
}
