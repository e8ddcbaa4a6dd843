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

	"artifice/cmd/artifice/command"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/report"
	"artifice/report/estimate"
)

// graphCut is the share, in percent, that a node or edge of a graph needs to be
// drawn, unless --cut says otherwise: less than in a tree, as a picture has less room.
const graphCut = 5

// checkGraph refuses what cannot be drawn before anything is read.
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

// checkGraphviz tells what to do where the program that draws the graph called name is not
// there.
func checkGraphviz(name string) error {
	if _, err := exec.LookPath("dot"); err != nil {
		return fmt.Errorf("-g %s: the program dot is not installed: install Graphviz, or write a .dot file with artifice report -g", name)
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
		return fmt.Errorf("no %s has %g %% of the time: nothing to draw; --cut takes a smaller share", f.by, cut)
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
		std.Remark("artifice: %d of %d are drawn, with %g %% of the time or more; --cut takes another share\n", len(d.Nodes), len(d.Nodes)+d.Cut, cut)
	}
	return nil
}

// render runs Graphviz on a text in its language.
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

// dotGraph is a graph in Graphviz's language.
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
		tip := fmt.Sprintf("%s calls %s: %s of %s, %s", d.Nodes[e.From].Name(), d.Nodes[e.To].Name(), words.Digits(time), words.Digits(d.Total), callsWords(e.Calls))
		fmt.Fprintf(&b, "n%d -> n%d [label=%s, weight=%d, penwidth=%.2f, tooltip=%s]\n",
			e.From, e.To, dotString(" "+words.Digits(time)), 1+int(100*share), 1+5*share, dotString(tip))
	}
	fmt.Fprintln(&b, "}")
	_, err := w.Write(b.Bytes())
	return err
}

func (d *dotGraph) share(t time.Duration) float64 {
	return min(1, max(0, float64(t)/float64(max(1, d.Total))))
}

// label is what stands in a node: its name, its times and its calls.
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
	return strings.Join(append(lines, callsWords(f.Calls)), "\n")
}

func (d *dotGraph) timeLine(name string, s *estimate.Share) string {
	value := s.On(d.table.kind.Clock()).Value
	line := fmt.Sprintf("%s %s, %.1f %%", name, words.Digits(value), 100*d.share(value))
	if d.table.p.Sampled() && value > 0 {
		line += fmt.Sprintf(" (%s)", d.table.interval(s.On(d.table.kind.Clock()), s))
	}
	return line
}

func callsWords(c estimate.Calls) string {
	if c.Reported == 1 {
		return callsText(c) + " call"
	}
	return callsText(c) + " calls"
}

// longSignature is how much of a signature a node shows; the rest is in its tooltip.
const longSignature = 40

// nameLines breaks a name between the class and the method, and before the signature.
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

// longLine is how much of a line a node shows, longText how much there is of a tooltip:
// Graphviz reads no text of more than 16384 bytes.
const (
	longLine = 120
	longText = 2000
)

// shortened returns a text with at most so many letters: of a longer one its two ends.
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

// dotString is a text in quotes as Graphviz reads it. What it has a meaning for stands
// for itself: backslashes, quotes and entities. "<init>" needs nothing more, as no
// node is a record.
func dotString(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' || r == 0x7f {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(shortened(s, longText), "\uFFFD"))
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;", "\n", `\n`).Replace(s) + `"`
}

// callsText is a number of calls, or a lower bound.
func callsText(c estimate.Calls) string {
	if c.AtLeast {
		return fmt.Sprintf("≥%d", c.Reported)
	}
	return fmt.Sprint(c.Reported)
}
