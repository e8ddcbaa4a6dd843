package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"artifice/cmd/internal/command"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/report"
	"artifice/report/estimate"
)

// graphCut is the default of --cut for graphs, in percent. It is larger than that of trees, because
// a picture has less room.
const graphCut = 5

// checkGraph checks the flags of a graph before anything is read.
func (f *reportFlags) checkGraph(cmd *cobra.Command) error {
	for _, flag := range []string{"callers", "callees", "tree", "sort", "top", "csv", "json"} {
		if cmd.Flags().Changed(flag) {
			return command.Usagef("--%s does not apply to --graph", flag)
		}
	}
	if f.by == "thread" {
		return command.Usagef("--by thread does not apply to --graph: threads do not call each other")
	}
	switch filepath.Ext(f.graph) {
	case ".dot":
	case ".svg", ".png":
		if err := checkGraphviz(f.graph); err != nil {
			return err
		}
	default:
		return command.Usagef("-g %s: must end in .svg, .png or .dot", f.graph)
	}
	return command.CheckWritable(f.graph, false)
}

// checkGraphviz reports an error if Graphviz, which draws graphs, is not installed.
func checkGraphviz(name string) error {
	if _, err := exec.LookPath("dot"); err != nil {
		return fmt.Errorf("-g %s: needs the program dot, which is not installed: install Graphviz, or write a .dot file", name)
	}
	return nil
}

// drawGraph writes the call graph of a view.
func (f *reportFlags) drawGraph(ctx context.Context, std command.Stdio, v *report.View) error {
	t, by, err := f.table(v.Profile)
	if err != nil {
		return err
	}
	cut := f.cut
	if !f.dumps.Cmd.Flags().Changed("cut") {
		cut = graphCut
	}
	d := &dotGraph{Graph: v.Graph(by, t.kind.Clock(), cut/100), table: t}
	if len(d.Nodes) == 0 {
		return fmt.Errorf("no %s has %g %% of the time or more: nothing to draw; use --cut with a smaller share", f.by, cut)
	}
	err = command.Save(std, f.graph, func(file *cli.File) error {
		kind := filepath.Ext(f.graph)[1:]
		if kind == "dot" {
			return d.write(file)
		}
		var text bytes.Buffer
		if err := d.write(&text); err != nil {
			return err
		}
		return render(ctx, file, kind, &text)
	})
	if err != nil {
		return err
	}
	if d.Cut > 0 {
		std.Remark("artifice: drew %d of %s, those with at least %g %% of the time; --cut changes the share\n", len(d.Nodes), words.Count(len(d.Nodes)+d.Cut, "node"), cut)
	}
	return nil
}

// render runs Graphviz on a graph in the DOT language.
func render(ctx context.Context, out io.Writer, kind string, text io.Reader) error {
	var complaints bytes.Buffer
	dot := exec.CommandContext(ctx, "dot", "-T"+kind)
	dot.Stdin, dot.Stdout, dot.Stderr = text, out, &complaints
	err := dot.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if first, _, _ := strings.Cut(complaints.String(), "\n"); err != nil && first != "" {
		return fmt.Errorf("dot: %w: %s", err, first)
	}
	if err != nil {
		return fmt.Errorf("dot: %w", err)
	}
	return nil
}

// dotGraph writes a graph in the DOT language.
type dotGraph struct {
	*report.Graph
	table *reportTable
}

func (d *dotGraph) write(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprint(&b, "digraph calls {\n", "node [shape=box, style=filled, fontname=\"sans-serif\", fontsize=11]\nedge [fontname=\"sans-serif\", fontsize=10]\n")
	for i := range d.Nodes {
		r := &d.Nodes[i]
		own := d.share(r.Figures().Exclusive.On(d.table.kind.Clock()).Value)
		fmt.Fprintf(&b, "n%d [label=%s, fillcolor=\"0.07 %.3f 1.0\", tooltip=%s]\n", i, dotString(d.label(r)), min(1, 2*own), dotString(r.Name()))
	}
	for _, e := range d.Edges {
		time := e.Inclusive.On(d.table.kind.Clock()).Value
		share := d.share(time)
		tip := fmt.Sprintf("%s calls %s: %s of %s%s", d.Nodes[e.From].Name(), d.Nodes[e.To].Name(), d.table.amount(time), d.table.amount(d.Total), d.table.calls(e.Calls))
		fmt.Fprintf(&b, "n%d -> n%d [label=%s, weight=%d, penwidth=%.2f, tooltip=%s]\n",
			e.From, e.To, dotString(" "+d.table.amount(time)), 1+int(100*share), 1+5*share, dotString(tip))
	}
	fmt.Fprintln(&b, "}")
	_, err := w.Write(b.Bytes())
	return err
}

func (d *dotGraph) share(t time.Duration) float64 {
	return min(1, max(0, float64(t)/float64(max(1, d.Total))))
}

// label returns the text of a node: its name, times and calls.
func (d *dotGraph) label(r *report.Row) string {
	lines := []string{r.Name()}
	if d.table.what == "method" {
		lines = nameLines(r.Name())
	}
	for i := range lines {
		lines[i] = shortened(lines[i], longLine)
	}
	f := r.Figures()
	lines = append(lines, d.timeLine("self", &f.Exclusive), d.timeLine("total", &f.Inclusive))
	if !d.table.p.Quantity.IsSet() {
		lines = append(lines, callsWords(f.Calls))
	}
	return strings.Join(lines, "\n")
}

func (d *dotGraph) timeLine(name string, s *estimate.Share) string {
	value := s.On(d.table.kind.Clock()).Value
	line := fmt.Sprintf("%s %s, %.1f %%", name, d.table.amount(value), 100*d.share(value))
	if d.table.p.Sampled() && value > 0 {
		line += fmt.Sprintf(" (%s)", d.table.interval(s.On(d.table.kind.Clock()), s))
	}
	return line
}

// calls returns the number of calls of an edge, after a comma; a sum of another quantity than time
// has none.
func (t *reportTable) calls(c estimate.Calls) string {
	if t.p.Quantity.IsSet() {
		return ""
	}
	return ", " + callsWords(c)
}

func callsWords(c estimate.Calls) string {
	if c.Reported == 1 {
		return callsText(c) + " call"
	}
	return callsText(c) + " calls"
}

// longSignature is the maximum number of characters of a signature in a node; its tooltip has all.
const longSignature = 40

// nameLines breaks a name after the class and before the signature.
func nameLines(name string) []string {
	name, signature, _ := strings.Cut(name, "(")
	lines := []string{name}
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		lines = []string{name[:i], name[i+1:]}
	}
	if runes := []rune("(" + signature); len(runes) > longSignature {
		lines = append(lines, string(runes[:longSignature-1])+"…")
	} else if signature != "" {
		lines = append(lines, string(runes))
	}
	return lines
}

// longLine and longText are the maximum numbers of characters of a line in a node and of a tooltip.
// Graphviz rejects texts longer than 16384 bytes.
const (
	longLine = 120
	longText = 2000
)

// shortened returns s with at most the given number of characters; it removes the middle.
func shortened(s string, most int) string {
	if len(s) <= most {
		return s
	}
	letters := []rune(s)
	if len(letters) <= most {
		return s
	}
	half := (most - 1) / 2
	return string(letters[:half]) + "…" + string(letters[len(letters)-half:])
}

// dotString returns a quoted string of the DOT language. It escapes backslashes, quotes and
// entities. "<init>" needs no escape, because no node is a record.
func dotString(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' || r == 0x7f {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(shortened(s, longText), "\uFFFD"))
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;", "\n", `\n`).Replace(s) + `"`
}

// callsText returns a number of calls: "3", or "≥ 3" for a lower bound.
func callsText(c estimate.Calls) string {
	if c.AtLeast {
		return "≥ " + words.Integer(c.Reported)
	}
	return words.Integer(c.Reported)
}
