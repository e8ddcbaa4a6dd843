package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"artifice/cmd/internal/command"
	"artifice/format/check"
	"artifice/internal/cli"
	"artifice/internal/inputs"
)

// checkFlags are the flags of check.
type checkFlags struct {
	format  string
	readers string
	explain string
	most    int
	form    cli.Form
	tools   []check.Tool
}

// checkCommand is artifice check.
var checkCommand = command.Command{Name: "check", Add: newCheck, Groups: []command.FlagGroup{
	{Title: "Flags", Flags: []string{"for", "explain", "most", "format", "json", "csv"}},
	{Title: "Advanced", Flags: []string{"limit"}},
}}

func newCheck(std command.Stdio) *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Validate traces against the rules of their format",
		Long: `Check that traces follow their file format, that calls nest, and that times do not decrease.
A finding states the ID of the violated rule and, if known, the offset in the file; --explain
describes the rule. After an error (E), the exit status is 1. A warning (W) reports content that
some readers misread or reject. A note (N) reports content that is normal in real traces. For
OpenTelemetry profiles (OTLP), the rules are those of OpenTelemetry's validator, profcheck.

  $ artifice check s.trace
  s.trace: N205 method-id-0 at offset 155: method id 0 is app.Main.main
  s.trace: valid, format art, 4 events

--for also prints how other tools read the file: ` + toolNames() + `.`,
		Example: `  artifice check app.trace
  artifice check --for perfetto,firefox app.trace
  artifice check --explain N201                     or: --explain all`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && f.explain == "" {
				return command.Usagef("check needs at least one FILE, got none")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.explain != "" {
				return f.explainRules(std.Out)
			}
			return f.run(cmd.Context(), std, args)
		},
	}
	cmd.Flags().StringVar(&f.readers, "for", "", "also print how these `TOOLS` (comma-separated, or all) read the file")
	cmd.Flags().StringVar(&f.explain, "explain", "", "describe the rule with this `ID` or name; all: every rule")
	cmd.Flags().IntVar(&f.most, "most", 3, "print at most `N` findings per rule, maximum "+fmt.Sprint(check.PerRule))
	cmd.Flags().StringVar(&f.format, "format", "", "read the files as this `FORMAT`; default: detected by content")
	f.form.AddFlags(cmd.Flags())
	return cmd
}

func toolNames() string {
	names := make([]string, len(check.Tools))
	for i, t := range check.Tools {
		names[i] = string(t)
	}
	return strings.Join(names, ", ")
}

func (f *checkFlags) run(ctx context.Context, std command.Stdio, names []string) error {
	if f.readers != "" {
		tools, err := check.ParseTools(f.readers)
		if err != nil {
			return command.AsUsage(err)
		}
		f.tools = tools
	}
	l := &cli.Table{Columns: check.Columns}
	all := []checkedFile{}
	var failed *check.Rule // the first rule that a file violates
	for _, name := range names {
		r, err := f.check(ctx, std, name)
		if err != nil {
			return command.ErrorOf(name, err)
		}
		if failed == nil {
			failed = r.Broken()
		}
		switch {
		case f.form.JSON:
			all = append(all, f.describe(r))
		case f.form.CSV:
			l.Rows = append(l.Rows, r.Rows()...)
		default:
			f.print(std.Out, r)
		}
	}
	if f.form.JSON || f.form.CSV {
		l.JSON = all
		if err := f.form.Print(std.Out, l); err != nil {
			return err
		}
	}
	if failed != nil {
		if !f.form.JSON && !f.form.CSV {
			fmt.Fprintf(std.Out, "To explain %s: artifice check --explain %s\n", failed.ID, failed.ID)
		}
		return command.ErrFound
	}
	return nil
}

// check checks one file. It copies standard input and pipes to a temporary file, because a check
// reads its input twice.
func (f *checkFlags) check(ctx context.Context, std command.Stdio, name string) (*check.Report, error) {
	bar := cli.NewByteBar(std.Err, name)
	defer bar.Hide()
	cfg := check.Config{Format: f.format, Limits: command.LimitsOf(ctx), Progress: bar.Updates(), Stop: ctx.Err}
	in := std.In
	if name == "-" {
		cfg.Name = "standard input"
	} else {
		info, err := os.Stat(name)
		if err != nil || info.Mode().IsRegular() || info.IsDir() {
			return check.File(name, cfg)
		}
		pipe, err := inputs.Open(name)
		if err != nil {
			return nil, err
		}
		defer pipe.Close()
		in, cfg.Name = pipe, name
	}
	copied, remove, err := cli.CopyToTemp(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cfg.Name, err)
	}
	defer remove()
	return check.File(copied, cfg)
}

// print prints a report as text.
func (f *checkFlags) print(out io.Writer, r *check.Report) {
	line := func(format string, args ...any) {
		fmt.Fprintln(out, cli.Quote(r.Name+": "+fmt.Sprintf(format, args...)))
	}
	shown := map[string]int64{}
	for i := range r.Findings {
		finding := &r.Findings[i]
		id := finding.Rule.ID
		if shown[id]++; shown[id] > int64(f.most) {
			continue
		}
		line("%s", finding)
	}
	for i := range check.Rules {
		rule := &check.Rules[i]
		if more := r.Counts[rule.ID] - min(shown[rule.ID], int64(f.most)); more > 0 {
			line("%d more of %s", more, rule)
		}
	}
	for _, tool := range f.tools {
		v := r.Verdict(tool)
		line("%s %s%s", tool, v.Outcome, reasons(v.Reasons))
	}
	line("%s", r.Conclusion())
}

func reasons(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return ": " + strings.Join(texts, "; ")
}

// explainRules prints the explanation of a rule, or of all rules.
func (f *checkFlags) explainRules(out io.Writer) error {
	rules := check.Rules
	if f.explain != "all" {
		rule, err := check.RuleByID(f.explain)
		if err != nil {
			return command.AsUsage(err)
		}
		rules = []check.Rule{*rule}
	}
	l := &cli.Table{Columns: []string{"id", "level", "name", "meaning"}}
	for i := range rules {
		r := &rules[i]
		l.Add(r.ID, r.Level().String(), r.Name, r.Explain)
	}
	if f.form.JSON || f.form.CSV {
		return f.form.Print(out, l)
	}
	for i := range rules {
		r := &rules[i]
		if _, err := fmt.Fprintf(out, "%s (%s)\n%s\n", r, r.Level(), cli.Wrap(r.Explain, "    ", 80)); err != nil {
			return err
		}
	}
	return nil
}

// checkedFile is the JSON object for one file.
type checkedFile struct {
	File     string           `json:"file"`
	Valid    bool             `json:"valid"`
	Format   string           `json:"format,omitempty"`
	Events   int64            `json:"events"`
	Findings []jsonFinding    `json:"findings"`
	Counts   map[string]int64 `json:"counts"`
	Origin   jsonOrigin       `json:"origin"`
	Readers  []jsonVerdict    `json:"readers,omitempty"`
}

type jsonFinding struct {
	ID      string `json:"id"`
	Level   string `json:"level"`
	Rule    string `json:"rule"`
	Offset  *int64 `json:"offset,omitempty"` // bytes; absent if the finding has no single position
	Finding string `json:"finding"`
}

type jsonOrigin struct {
	Technique string `json:"technique"`
	Sure      string `json:"sure"`
	Evidence  string `json:"evidence"`
	PeriodNS  int64  `json:"period_ns,omitempty"`
}

type jsonVerdict struct {
	Reader  string   `json:"reader"`
	Outcome string   `json:"outcome"`
	Reasons []string `json:"reasons"`
}

func (f *checkFlags) describe(r *check.Report) checkedFile {
	file := checkedFile{
		File: r.Name, Valid: r.Errors() == 0, Format: r.Format, Events: r.Events, Counts: r.Counts,
		Findings: []jsonFinding{},
		Origin: jsonOrigin{r.Origin.Technique.String(), string(r.Origin.Sure), r.Origin.Evidence,
			int64(r.Origin.Period.Median)},
	}
	for i := range r.Findings {
		finding := &r.Findings[i]
		j := jsonFinding{ID: finding.Rule.ID, Level: finding.Rule.Level().String(), Rule: finding.Rule.Name, Finding: finding.Text}
		if finding.Offset >= 0 {
			j.Offset = &finding.Offset
		}
		file.Findings = append(file.Findings, j)
	}
	for _, tool := range f.tools {
		v := r.Verdict(tool)
		file.Readers = append(file.Readers, jsonVerdict{string(tool), v.Outcome.String(), append([]string{}, v.Reasons...)})
	}
	return file
}
