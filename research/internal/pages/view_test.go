package pages

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"artifice/internal/testdata"
	"artifice/research/internal/browser"
)

// deepCalls returns a text trace of nested calls. Each makes the next call after 1 µs and returns 1
// µs after it.
func deepCalls(depth int) string {
	var b strings.Builder
	b.WriteString("# artifice text trace\ninfo\tclock\twall\nthread\t1\tmain\n")
	for i := range depth {
		fmt.Fprintf(&b, "method\t0x%x\ta.b%d.C\tm%d\t()V\t\t0\n", 4*i, i%7, i)
	}
	for i := range depth {
		fmt.Fprintf(&b, "%d - 1 enter a.b%d.C.m%d()V\n", 1000*i, i%7, i)
	}
	for i := depth - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "%d - 1 exit a.b%d.C.m%d()V\n", 1000*(2*depth-1-i), i%7, i)
	}
	return b.String()
}

// colored counts the pixels of a canvas that differ from its first one, which shows no call.
const colored = `
const colored = (selector) => tab.$eval(selector, c => {
	const p = new Uint32Array(c.getContext("2d").getImageData(0, 0, c.width, c.height).data.buffer), ground = pixelOf(colours.ground);
	return p.reduce((n, v) => n + (v !== ground), 0);
});
`

// testDeep: calls nested 5,000 deep are drawn at every depth, in the timeline and in the flame
// graph, and the flame graph's text has all of them. Each takes 1 µs at its start and 1 µs at its
// end, the innermost one 1 µs.
func testDeep(t *testing.T, b *browser.Browser) {
	const depth = 5000
	var got struct {
		Rows                       int
		Timeline, Flame, Downwards int
		Lines                      int
		Last, Widened, Narrowed    string
	}
	b.Run(t, pageOf(t, deepCalls(depth)), browser.Desk, settled+colored+`
const at = async (share) => { await tab.evaluate(s => { timeline.scroller.scrollTop = s * timeline.space.clientHeight; const f = document.querySelector("#panel .scroll"); if (f) f.scrollTop = s * f.scrollHeight; }, share); await frame(); await frame(); };
await click("#tab-flame");
const seen = {Rows: await tab.evaluate(() => timeline.rows[0].tracks[0].thread.depth)};
await at(.9); seen.Timeline = await colored("#tracks"); seen.Flame = await colored("#panel canvas");
const lines = await tab.evaluate(() => panel.text().trim().split("\n")); seen.Lines = lines.length; seen.Last = lines.at(-1).replace(/.*;/, "");
const canvas = await (await tab.$("#panel canvas")).boundingBox();
await tab.mouse.click(canvas.x + 10, canvas.y + 30); await frame(); seen.Widened = await text("#panel .flamefacts");
await at(.95); seen.Downwards = await colored("#panel canvas");
await tab.keyboard.press("Backspace"); await frame(); seen.Narrowed = await text("#panel .flamefacts");
return seen;`, &got)
	if got.Rows != depth || got.Lines != depth || got.Last != "a.b1.C.m4999 1000" {
		t.Errorf("%d rows, %d lines of text, the last %q; want %d and a.b1.C.m4999 1000", got.Rows, got.Lines, got.Last, depth)
	}
	for name, pixels := range map[string]int{"timeline": got.Timeline, "flame graph": got.Flame, "widened flame graph": got.Downwards} {
		if pixels < 20000 {
			t.Errorf("%s: %d pixels are drawn", name, pixels)
		}
	}
	var a, z int
	if _, err := fmt.Sscanf(got.Widened[strings.LastIndex(got.Widened[:strings.Index(got.Widened, ":")], "m"):], "m%d:", &a); err != nil {
		t.Fatalf("%q: %v", got.Widened, err)
	}
	if _, err := fmt.Sscanf(got.Narrowed[strings.LastIndex(got.Narrowed[:strings.Index(got.Narrowed, ":")], "m"):], "m%d:", &z); err != nil || z != a-1 || a < 4000 {
		t.Errorf("widened %q, and taken back %q", got.Widened, got.Narrowed)
	}
}

// testFirstView: a page begins with the time in which main has calls, 0 to 33 s of 53 s with 2 % of
// room, and 0 shows everything. A drag in the overview chooses what the timeline shows.
func testFirstView(t *testing.T, b *browser.Browser) {
	const two = "# artifice text trace\ninfo\tclock\twall\nthread\t1\tmain\nthread\t2\tworker\nmethod\t0x0\ta.A\tf\t()V\t\t0\nmethod\t0x4\ta.A\tg\t()V\t\t0\n" +
		"0 - 1 enter a.A.f()V\n1000000 - 2 enter a.A.g()V\n33000000000 - 1 exit a.A.f()V\n53000000000 - 2 exit a.A.g()V\n"
	var got map[string]any
	b.Run(t, pageOf(t, two), browser.Desk, settled+`
const seconds = async () => (await view()).map(ms => Math.round(ms / 10) / 100), seen = {first: await seconds(), hash: await tab.evaluate(() => location.hash)};
await press("0"); seen.all = await seconds();
const box = await (await tab.$("#minimap")).boundingBox(), at = (s) => [box.x + box.width * s / 53, box.y + box.height / 2];
const drag = async (a, b) => { await tab.mouse.move(...at(a)); await tab.mouse.down(); await tab.mouse.move(...at(b), {steps: 4}); await tab.mouse.up(); await frame(); };
await drag(10, 20); seen.chosen = (await seconds()).map(Math.round);
await drag(15, 25); seen.moved = (await seconds()).map(Math.round);
await tab.mouse.click(...at(5)); await frame(); seen.clicked = (await seconds()).map(Math.round);
return seen;`, &got)
	want := map[string]any{"first": []any{0.0, 33.66}, "hash": "", "all": []any{0.0, 53.0}, "chosen": []any{10.0, 20.0}, "moved": []any{20.0, 30.0}, "clicked": []any{0.0, 10.0}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +page)\n%s", diff)
	}
	p := build(t) // main's last event is at 32.85 of 53.03 s, and its frames remain open
	p.Run(t, "view", testdata.Path(t, "traces", "sampled-streaming.trace"), "-o", "page.html", "--quiet")
	var open []float64
	b.Run(t, "file://"+p.File("page.html"), browser.Desk, settled+`return (await view()).map(ms => ms / 1000);`, &open)
	if len(open) != 2 || open[0] != 0 || open[1] < 32.85 || open[1] > 33.6 {
		t.Errorf("the initial view of a trace with open frames is %v s, want main's events", open)
	}
}

// testColors: a method has the same color in two files with different methods around it, those of
// one package share a hue, and every color has a contrast of 4.5 to the names on it, by the formula
// of WCAG 2.1. Of 2,000 calls that last half of the time, none wider than a pixel, each pixel has
// half the color. The hues differ in every kind of color vision.
func testColors(t *testing.T, b *browser.Browser) {
	page := func(methods ...string) string {
		var defs, events strings.Builder
		for i, m := range methods {
			cut := strings.LastIndex(m, ".")
			fmt.Fprintf(&defs, "method\t0x%x\t%s\t%s\t()V\t\t0\n", 4*i, m[:cut], m[cut+1:])
			fmt.Fprintf(&events, "%d - 1 enter %s()V\n%d - 1 exit %s()V\n", 1000*i, m, 1000*i+900, m)
		}
		return pageOf(t, "# artifice text trace\ninfo\tclock\twall\nthread\t1\tmain\n"+defs.String()+events.String())
	}
	const script = ready + `return tab.evaluate(() => Object.fromEntries(book.methods.map((m, i) => [m, colours.boxes[book.colour[i]]])));`
	var one, two map[string]string
	b.Run(t, page("x.y.A.first", "x.y.B.second", "p.q.C.third"), browser.Desk, script, &one)
	b.Run(t, page("k.l.D.zero", "p.q.C.third", "x.y.B.second", "x.y.B.fourth", "x.y.A.first"), browser.Desk, script, &two)
	for m, color := range one {
		if two[m] != color {
			t.Errorf("%s is %s in one file and %s in another", m, color, two[m])
		}
	}
	for _, m := range []string{"x.y.B.second", "x.y.B.fourth"} {
		if h, want := hue(t, two[m]), hue(t, two["x.y.A.first"]); math.Abs(h-want) > 3 {
			t.Errorf("%s has a hue of %.0f°, a method of the same package %.0f°", m, h, want)
		}
	}
	for _, dark := range []bool{false, true} {
		view := browser.Desk
		view.Dark = dark
		var palette struct {
			Boxes []string
			Ink   string
		}
		b.Run(t, page("a.A.f"), view, ready+`return tab.evaluate(() => ({Boxes: colours.boxes, Ink: colours.ink}));`, &palette)
		for _, c := range palette.Boxes {
			if ratio := contrast(t, c, palette.Ink); ratio < 4.5 {
				t.Errorf("dark %v: names on %s have a contrast of %.2f", dark, c, ratio)
			}
		}
		for i := 0; i < len(palette.Boxes); i += 4 { // the first of four shades of each hue
			for j := 0; j < i; j += 4 {
				for vision, m := range visions {
					a, b := palette.Boxes[i], palette.Boxes[j]
					if d := distance(seenAs(t, a, m), seenAs(t, b, m)); d < 8 {
						t.Errorf("dark %v, %s: the distance of %s and %s is %.1f, want 8", dark, vision, a, b, d)
					}
				}
			}
		}
	}
	var halves strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&halves, "%d - 1 enter a.A.f()V\n%d - 1 exit a.A.f()V\n", 2000*i, 2000*i+1000)
	}
	var mixed struct {
		Pixels      [][3]float64
		Box, Ground string
	}
	b.Run(t, pageOf(t, "# artifice text trace\ninfo\tclock\twall\nthread\t1\tmain\nmethod\t0x0\ta.A\tf\t()V\t\t0\n"+halves.String()), browser.View{Width: 600, Height: 500, Scale: 1}, ready+`
return tab.evaluate(() => {
	const c = timeline.canvas.getContext("2d"), Pixels = [];
	for (let x = 100; x < 500; x += 7) Pixels.push([...c.getImageData(x, 24 + 8, 1, 1).data].slice(0, 3));
	return {Pixels, Box: colours.boxes[book.colour[0]], Ground: colours.ground};
});`, &mixed)
	box, ground := parts(t, mixed.Box), parts(t, mixed.Ground)
	for _, p := range mixed.Pixels {
		for i, v := range p {
			if want := 255 * (box[i] + ground[i]) / 2; math.Abs(v-want) > .25*255*math.Abs(box[i]-ground[i])+3 {
				t.Fatalf("pixels %v, want about %v: the mean of %s and %s", mixed.Pixels, want, mixed.Box, mixed.Ground)
			}
		}
	}
}

// parts returns red, green and blue of #rrggbb, from 0 to 1.
func parts(t *testing.T, color string) (p [3]float64) {
	t.Helper()
	var r, g, b int
	if _, err := fmt.Sscanf(color, "#%02x%02x%02x", &r, &g, &b); err != nil {
		t.Fatalf("%q: %v", color, err)
	}
	return [3]float64{float64(r) / 255, float64(g) / 255, float64(b) / 255}
}

// hue returns the angle of a color in HSV, in degrees.
func hue(t *testing.T, color string) float64 {
	t.Helper()
	p := parts(t, color)
	most, least := max(p[0], p[1], p[2]), min(p[0], p[1], p[2])
	switch d := most - least; most {
	case p[0]:
		return math.Mod(60*(p[1]-p[2])/d+360, 360)
	case p[1]:
		return 60*(p[2]-p[0])/d + 120
	default:
		return 60*(p[0]-p[1])/d + 240
	}
}

// visions are kinds of color vision: the matrices of Machado, Oliveira and Fernandes, A
// Physiologically-based Model for Simulation of Color Vision Deficiency (2009), at full severity,
// for linear RGB.
var visions = map[string][3][3]float64{
	"normal vision": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":    {{.152286, 1.052583, -.204868}, {.114503, .786281, .099216}, {-.003882, -.048116, 1.051998}},
	"deuteranopia":  {{.367322, .860646, -.227968}, {.280085, .672501, .047413}, {-.011820, .042940, .968881}},
	"tritanopia":    {{1.255528, -.076749, -.178779}, {-.078411, .930809, .147602}, {.004733, .691367, .303900}},
}

// linear returns linear red, green and blue of #rrggbb.
func linear(t *testing.T, color string) (l [3]float64) {
	t.Helper()
	for i, v := range parts(t, color) {
		if l[i] = v / 12.92; v > .04045 {
			l[i] = math.Pow((v+.055)/1.055, 2.4)
		}
	}
	return l
}

// seenAs returns a color in CIELAB (D65) as it appears in a kind of color vision.
func seenAs(t *testing.T, color string, vision [3][3]float64) [3]float64 {
	t.Helper()
	times := func(m [3][3]float64, v [3]float64) (p [3]float64) {
		for i, row := range m {
			p[i] = row[0]*v[0] + row[1]*v[1] + row[2]*v[2]
		}
		return p
	}
	rgb := times(vision, linear(t, color))
	for i := range rgb {
		rgb[i] = max(0, min(1, rgb[i]))
	}
	var f [3]float64
	for i, v := range times([3][3]float64{{.4124, .3576, .1805}, {.2126, .7152, .0722}, {.0193, .1192, .9505}}, rgb) {
		if v /= [3]float64{.9505, 1, 1.089}[i]; v > 216./24389 {
			f[i] = math.Cbrt(v)
		} else {
			f[i] = (24389./27*v + 16) / 116
		}
	}
	return [3]float64{116*f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])}
}

// distance returns the color difference of CIE 1976; about 2.3 is just noticeable.
func distance(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

// contrast returns the contrast ratio of two colors of WCAG 2.1.
func contrast(t *testing.T, one, other string) float64 {
	t.Helper()
	light := func(color string) float64 {
		l := linear(t, color)
		return .2126*l[0] + .7152*l[1] + .0722*l[2]
	}
	a, b := light(one), light(other)
	return (max(a, b) + .05) / (min(a, b) + .05)
}
