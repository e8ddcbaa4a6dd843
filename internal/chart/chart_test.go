package chart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestTicks checks that ticks are enough round numbers on the axis.
func TestTicks(t *testing.T) {
	for _, c := range []struct {
		a    Axis
		want string
	}{
		{Axis{Low: 0, High: 1, Format: Percent}, "0 % 20 % 40 % 60 % 80 % 100 %"},
		{Axis{Low: 0.88, High: 0.998, Format: Percent}, "88 % 90 % 92 % 94 % 96 % 98 %"},
		{Axis{Low: -9.2, High: 3.1, Format: Plain}, "-8 -6 -4 -2 0 2"},
		{Axis{Low: 0, High: 0.004, Format: Plain}, "0 0.001 0.002 0.003 0.004"},
		{Axis{Low: 0.0004, High: 0.6, Log: true, Format: Percent}, "0.1 % 1 % 10 %"},
		{Axis{Low: 0.3, High: 12, Log: true, Format: Plain}, "0.5 1 2 5 10"},
		{Axis{Low: 3, High: 3, Format: Plain}, "3"},
	} {
		var labels []string
		for _, m := range c.a.marks() {
			labels = append(labels, m.Label)
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%g to %g: %s, want %s", c.a.Low, c.a.High, got, c.want)
		}
	}
}

// TestLongTick checks that a label at the right end that would exceed the picture is moved into it.
// The assumed width of a character is 0.6 times its size.
func TestLongTick(t *testing.T) {
	c := &Chart{X: Axis{Ticks: []Tick{{0, "0"}, {1, "1,000,000"}}}, Y: Axis{Format: Plain}}
	c.Add(Item{Kind: Curve, Points: []Point{{0, 0}, {1, 1}}})
	var b bytes.Buffer
	if err := c.WriteElement(&b, ""); err != nil {
		t.Fatal(err)
	}
	const want = 340 - 9*0.6*12/2 - 2 // the picture's width, less half of 9 characters of size 12 and the extra width of a %
	if text := fmt.Sprintf(`<text x="%g" y="222" text-anchor="middle">1,000,000<`, want); !strings.Contains(b.String(), text) {
		t.Errorf("the last label is not at %g: %s", want, b.String())
	}
}

// TestWriteFile checks that a chart with names that need escaping is valid XML, and that powers of
// ten are equally spaced on a logarithmic axis. A file contains the title and the colours, an
// element does not.
func TestWriteFile(t *testing.T) {
	const evil = "<&\x01\xff>"
	line := []Point{{1, 1}, {10, 10}, {100, 100}}
	c := &Chart{X: Axis{Title: evil, Log: true, Format: Plain}, Y: Axis{Title: evil, Log: true, Format: Plain}}
	c.Add(Item{Kind: Curve, Points: line, Ink: 1}, Item{Kind: Label, Points: line[1:2], Text: evil})
	for _, p := range line {
		c.Add(Item{Kind: Mark, Points: []Point{p}, Text: evil})
	}
	c.Legend(Item{Kind: Curve, Ink: 1, Shape: NoShape, Text: evil})
	var file, element bytes.Buffer
	if err := c.WriteFile(&file, evil); err != nil {
		t.Fatal(err)
	}
	if err := c.WriteElement(&element, evil); err != nil {
		t.Fatal(err)
	}
	marks := marksOf(t, file.String())
	if len(marks) != 3 || !slices.Equal(marks, marksOf(t, element.String())) {
		t.Fatalf("marks at %v, want the same 3 in file and element", marks)
	}
	for _, part := range []string{"\n<title>&lt;&amp;", "<style>", "prefers-color-scheme:dark"} {
		if !strings.Contains(file.String(), part) || strings.Contains(element.String(), part) {
			t.Errorf("%q: want it in the file only", part)
		}
	}
	var at [3]Point
	for i, m := range marks {
		if _, err := fmt.Sscanf(m, "translate(%g %g)", &at[i].X, &at[i].Y); err != nil {
			t.Fatalf("%s: %v", m, err)
		}
	}
	const rounding = 0.03 // coordinates have two decimals
	if dx, dy := at[1].X-at[0].X, at[1].Y-at[0].Y; dx < 100 || dy > -50 ||
		math.Abs(at[2].X-at[1].X-dx) > rounding || math.Abs(at[2].Y-at[1].Y-dy) > rounding {
		t.Errorf("1, 10 and 100 are at %v, want equal distances", at)
	}
}

// marksOf returns the positions of the marks in an SVG, and fails if it is not XML.
func marksOf(t *testing.T, svg string) (marks []string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return marks
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok && slices.ContainsFunc(e.Attr, func(a xml.Attr) bool { return a.Name.Local == "data-mark" }) {
			for _, a := range e.Attr {
				if a.Name.Local == "transform" {
					marks = append(marks, a.Value)
				}
			}
		}
	}
}

// TestEscape checks that encoding/xml reads text escaped by this package like text that it has
// escaped itself.
func TestEscape(t *testing.T) {
	for _, text := range []string{"a<b>&'\"", "\x00\x1b[m\t\n", "ab\xff\xfec", "\ufffe\uffff\ufffd", "µ \U0001F600"} {
		var want, got string
		var theirs strings.Builder
		if err := xml.EscapeText(&theirs, []byte(text)); err != nil {
			t.Fatal(err)
		}
		for _, part := range []struct {
			into *string
			xml  string
		}{{&want, theirs.String()}, {&got, escape(text)}} {
			if err := xml.Unmarshal([]byte("<t>"+part.xml+"</t>"), part.into); err != nil {
				t.Errorf("%q becomes %q: %v", text, part.xml, err)
			}
		}
		if got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}

// TestParagraphs checks that heading and notes are wrapped into the picture, and that the frame
// begins below the heading. The assumed width of a character is 0.6 times its size, so 45
// characters of size 12 fit into 324.
func TestParagraphs(t *testing.T) {
	long := "Recommended: 28 traces of each build, sampled every 5 ms." // 57 characters
	c := &Chart{Heading: []string{"Zipf: power", long}, Notes: []string{"Method: a test"}, X: Axis{Format: Plain}, Y: Axis{Format: Plain}}
	c.Add(Item{Kind: Curve, Points: []Point{{0, 0}, {1, 1}}})
	var b bytes.Buffer
	if err := c.WriteElement(&b, ""); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<text x="8" y="20" text-anchor="start" class="ink"`, ` font-weight="bold">Zipf: power</text>`, // 8 + 12
		`y="35"`, `>Recommended: 28 traces of each build, sampled</text>`, `y="50"`, `>every 5 ms.</text>`, // 15 more a line
		`V261H332`,              // the frame ends 200 below its top, at 8 + 3·15 + 8
		`viewBox="0 0 340 322"`, // 261 + 48 − 8 without a legend; a note of 13, and 8
		`>Method: a test</text>`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in %s", want, b.String())
		}
	}
}
