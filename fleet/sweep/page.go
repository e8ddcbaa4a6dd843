package sweep

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"
	"sync"
	"time"

	"artifice/bench"
	"artifice/internal/cli"
	"artifice/internal/words"
)

//go:embed page.html
var pageText string

var pageTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageText)) })

// Page is the content of the HTML page. The same content gives the same bytes.
type Page struct {
	By          []string
	Groups      []Group
	Files, Left int // in the list, and the number of skipped ones
	Version     string
}

// WriteHTML writes a page that needs no other file.
func (p *Page) WriteHTML(w io.Writer) error {
	type group struct {
		Head   string
		Advice []Advice
		Table  *cli.Table
		Plots  []template.HTML
	}
	data := struct {
		Page   *Page
		Goal   string
		Files  string
		Groups []group
	}{Page: p, Files: words.Count(p.Files, "file")}
	for i := range p.Groups {
		g := &p.Groups[i]
		data.Goal = g.Goal.String()
		one := group{Head: g.Head(p.By), Advice: g.Advice, Table: g.Table()}
		for _, a := range g.Advice {
			one.Plots = append(one.Plots, g.plot(a))
		}
		data.Groups = append(data.Groups, one)
	}
	return pageTemplate().Execute(w, data)
}

// Sizes of the plots, in their own units.
const (
	plotWidth, plotHeight = 560, 250
	left, right           = 44, 24
	top, bottom           = 26, 34
)

// plot draws the distribution of the goal's measure over the traces by interval: the median, and
// the range of the middle 80 % of the traces, with the goal and the advised interval.
func (g *Group) plot(a Advice) template.HTML {
	x := func(d time.Duration) float64 {
		from, to := math.Log(float64(a.Shortest)), math.Log(float64(a.Longest))
		if from == to {
			return left + (plotWidth-left-right)/2
		}
		return left + (math.Log(float64(d))-from)/(to-from)*(plotWidth-left-right)
	}
	y := func(share float64) float64 { return top + (1-share)*(plotHeight-top-bottom) }
	var median, upper, lower []string
	var b strings.Builder
	title := fmt.Sprintf("%s, device %s: %s", a.Mode, a.Device, g.Goal.Measure.Header())
	fmt.Fprintf(&b, `<svg viewBox="0 0 %d %d" role="img" aria-label="%s"><text x="%d" y="15" class="title">%s</text>`, plotWidth, plotHeight, template.HTMLEscapeString(title), left, template.HTMLEscapeString(title))
	for _, share := range []float64{0, 0.25, 0.5, 0.75, 1} {
		fmt.Fprintf(&b, `<path class="grid" d="M%d %.1fH%d"/><text x="%d" y="%.1f" text-anchor="end">%.0f %%</text>`, left, y(share), plotWidth-right, left-6, y(share)+4, 100*share)
	}
	for i := range g.Lines {
		l := &g.Lines[i]
		s := l.Spreads[g.Goal.Measure]
		if l.Mode != a.Mode || l.Device != a.Device || s.Traces == 0 {
			continue
		}
		at := func(v float64) string { return fmt.Sprintf("%.1f %.1f", x(l.Interval), y(v)) }
		median, upper, lower = append(median, at(s.Median[0])), append(upper, at(s.P90[0])), append([]string{at(s.P10[0])}, lower...)
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle">%s</text>`, x(l.Interval), plotHeight-bottom+16, l.Interval)
	}
	if len(median) > 0 {
		fmt.Fprintf(&b, `<path class="band" d="M%sZ"/><path class="median" d="M%s"/>`, strings.Join(append(upper, lower...), "L"), strings.Join(median, "L"))
	}
	wanted := g.Goal.Wanted
	if m := g.Goal.Measure; m == bench.HottestInOrder || m == bench.NamedSeen {
		wanted = bench.Sure // the measure is the share of recordings that reach the goal
	}
	fmt.Fprintf(&b, `<path class="wanted" d="M%d %.1fH%d"/>`, left, y(wanted), plotWidth-right)
	if limit := a.Limit[0]; limit > 0 && limit != bench.Beyond {
		fmt.Fprintf(&b, `<path class="advised" d="M%.1f %dV%d"/>`, x(limit), top, plotHeight-bottom)
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}
