package report

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"artifice/bench"
)

// threeSteps is a sweep that can be drawn by hand: over 1, 10 and 100 ms everything goes
// from 0.9 over 0.6 to 0.3, ± 0.1, and the slowdown from 1.9 over 1.6 to 1.3. Theory
// is 0.05 above.
func threeSteps() *bench.Result {
	r := &bench.Result{Phases: 1}
	for i, v := range []float64{0.9, 0.6, 0.3} {
		row := bench.Row{Mode: bench.ARTSampling.Name, Device: "A", Interval: time.Duration(math.Pow10(i)) * time.Millisecond, Cells: 2}
		for m := range row.Mean {
			row.Mean[m], row.Low[m], row.High[m], row.Law[m] = v, v-0.1, v+0.1, v+0.05
		}
		row.Mean[bench.Slowdown], row.Mean[bench.Floor] = 1+v, v+0.05
		r.Rows = append(r.Rows, row)
	}
	return r
}

type point struct{ x, y float64 }

// numbers are those of a text, two by two.
func numbers(text string) (list []point) {
	var all []float64
	for _, s := range regexp.MustCompile(`-?[0-9.]+`).FindAllString(text, -1) {
		v, _ := strconv.ParseFloat(s, 64)
		all = append(all, v)
	}
	for i := 0; i+1 < len(all); i += 2 {
		list = append(list, point{all[i], all[i+1]})
	}
	return list
}

// lines returns the corners of the lines of an SVG that have so many; y goes up.
func lines(svg string, corners int) (list [][]point) {
	for _, m := range regexp.MustCompile(`<path d="M([-0-9.,L]+)" style="fill:none`).FindAllStringSubmatch(svg, -1) {
		if p := numbers(m[1]); len(p) == corners {
			list = append(list, p)
		}
	}
	return list
}

// mark is the middle of a circle.
type mark struct {
	at   point
	fill color.Color
}

func marksOf(svg string) (list []mark) {
	for _, m := range regexp.MustCompile(`<path d="M([-0-9.]+,[-0-9.]+)A3,3 [^"]*" style="fill:#([0-9A-F]{6})`).FindAllStringSubmatch(svg, -1) {
		p, v := numbers(m[1])[0], uint64(0)
		v, _ = strconv.ParseUint(m[2], 16, 32)
		list = append(list, mark{point{p.x - 3, p.y}, rgb(uint32(v))})
	}
	return list
}

// figure draws one of the figures of a result.
func figure(t *testing.T, r *bench.Result, name string) (svg string, img image.Image) {
	t.Helper()
	for _, f := range Figures(r) {
		if f.Name != name {
			continue
		}
		var text, picture bytes.Buffer
		if err := f.WriteSVG(&text, Light); err != nil {
			t.Fatal(err)
		}
		if err := f.WritePNG(&picture, Light); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&picture)
		if err != nil {
			t.Fatal(err)
		}
		return text.String(), img
	}
	t.Fatalf("no figure %s", name)
	return "", nil
}

// near tells whether two lengths are equal but for the SVG's five digits.
func near(a, b float64) bool { return math.Abs(a-b) < 0.02 }

// evenSteps checks that three points lie on a line, the middle one in the middle,
// and returns the step.
func evenSteps(t *testing.T, what string, p []point) point {
	t.Helper()
	step := point{p[1].x - p[0].x, p[1].y - p[0].y}
	if !near(p[2].x-p[1].x, step.x) || !near(p[2].y-p[1].y, step.y) {
		t.Errorf("%s: uneven steps: %v", what, p)
	}
	return step
}

// TestPlaces: by interval, where the axis is a logarithm, 1, 10 and 100 ms are evenly
// apart, and so are 0.9, 0.6 and 0.3. Theory, 0.05 above, lies a sixth of a step
// above; bars of ± 0.1 are two thirds of a step long; lines of the grid, at every
// 20 %, are two thirds of a step apart, one of them through 60 %.
func TestPlaces(t *testing.T) {
	for _, name := range []string{"accuracy", "calls"} {
		svg, img := figure(t, threeSteps(), name)
		curves := lines(svg, 3)
		if len(curves) != 2 {
			t.Fatalf("%s: %d curves, want what was measured and theory", name, len(curves))
		}
		measured, theory := curves[0], curves[1]
		step := evenSteps(t, name, measured)
		if step.x <= 100 || step.y >= -30 { // of a figure 420 wide and about 260 high
			t.Errorf("%s: steps of %v", name, step)
		}
		evenSteps(t, name+", theory", theory)
		if !near(theory[0].x, measured[0].x) || !near(theory[0].y-measured[0].y, -step.y/6) {
			t.Errorf("%s: theory at %v beside %v, a step is %v", name, theory, measured, step)
		}
		bars, grid := 0, map[float64]bool{}
		for _, l := range lines(svg, 2) {
			length := l[1].y - l[0].y
			for _, p := range measured {
				if near(l[0].x, p.x) && near(l[0].y, p.y+step.y/3) && near(length, -step.y*2/3) {
					bars++
				}
			}
			if near(length, 0) && near(l[0].x, measured[0].x) && near(l[1].x, measured[2].x) {
				grid[l[0].y] = true
			}
		}
		if bars != 3 {
			t.Errorf("%s: %d of 3 bars are where they belong", name, bars)
		}
		sixty := measured[1].y
		for _, y := range []float64{sixty, sixty - step.y*2/3, sixty + step.y*2/3} {
			found := false
			for g := range grid {
				found = found || near(g, y)
			}
			if !found {
				t.Errorf("%s: no line of the grid at %v, there are %v", name, y, grid)
			}
		}
		checkMarks(t, name, svg, img, measured)
	}
}

// TestFrontierPlaces: slowdowns of 1.9, 1.6 and 1.3 are evenly apart, too, and all
// three are on the frontier.
func TestFrontierPlaces(t *testing.T) {
	svg, img := figure(t, threeSteps(), "frontier")
	curves := lines(svg, 3)
	if len(curves) != 2 {
		t.Fatalf("%d curves, want the series and the frontier", len(curves))
	}
	if step := evenSteps(t, "frontier", curves[0]); step.x >= -100 || step.y >= -30 {
		t.Errorf("steps of %v", step)
	}
	for i, p := range curves[1] {
		if q := curves[0][2-i]; !near(p.x, q.x) || !near(p.y, q.y) {
			t.Errorf("the frontier is at %v, the series at %v", curves[1], curves[0])
		}
	}
	checkMarks(t, "frontier", svg, img, curves[0])
}

// checkMarks checks that the SVG has a mark at each point, and the PNG the mark's
// colour.
func checkMarks(t *testing.T, name, svg string, img image.Image, points []point) {
	t.Helper()
	box := numbers(regexp.MustCompile(`viewBox="[^"]*"`).FindString(svg))[1]
	scale := float64(img.Bounds().Dx()) / box.x
	list := marksOf(svg)
	if len(list) != len(points) {
		t.Fatalf("%s: %d marks, want %d", name, len(list), len(points))
	}
	for i, m := range list {
		if !near(m.at.x, points[i].x) || !near(m.at.y, points[i].y) {
			t.Errorf("%s: a mark at %v, want %v", name, m.at, points[i])
		}
		// Below on the right of the middle, which a line may cover.
		x, y := int((m.at.x+1.4)*scale), int((box.y-m.at.y+1.4)*scale)
		if got := color.RGBAModel.Convert(img.At(x, y)); got != m.fill {
			t.Errorf("%s: pixel %d, %d is %v, want the mark's %v", name, x, y, got, m.fill)
		}
	}
}

// drawn checks that a picture has the colour of every mark of a figure.
func drawn(t *testing.T, name, svg string, img image.Image) {
	t.Helper()
	missing := map[color.Color]bool{}
	for _, m := range regexp.MustCompile(`style="fill:#([0-9A-Fa-f]{6})" />`).FindAllStringSubmatch(svg, -1) {
		v, _ := strconv.ParseUint(strings.ToLower(m[1]), 16, 32)
		missing[rgb(uint32(v))] = true
	}
	if len(missing) < 2 {
		t.Errorf("%s fills %d colours: ground alone", name, len(missing))
	}
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			delete(missing, color.RGBAModel.Convert(img.At(x, y)))
		}
	}
	if len(missing) > 0 {
		t.Errorf("%s: the picture lacks the colours %v", name, missing)
	}
}
