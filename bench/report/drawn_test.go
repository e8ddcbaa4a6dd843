package report

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"testing"

	"artifice/internal/testdata"
)

// These are the backgrounds of the light and the dark color scheme.
const white, black = "#ffffff", "#16181c"

// TestDrawnInBrowser: a browser draws a figure at its coordinates, in the preferred color scheme.
func TestDrawnInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	testdata.Seldom(t, 6)
	svg, p := figure(t, threeSteps(), "frontier")
	for _, scheme := range []string{"light", "dark"} {
		img := screenshot(t, "frontier.svg", svg, scheme, 840, 900)
		scale := float64(img.Bounds().Dx()) / p.box.x
		colours := map[string]string{white: black, "#0072b2": "#4ba3e3"}
		// The point is off the center of the mark, which a line may cover.
		for at, c := range map[point]string{{2, 2}: white, {p.marks[1].at.x + 1.4, p.marks[1].at.y + 1.4}: p.marks[1].colour} {
			want := c
			if scheme == "dark" {
				want = colours[c]
			}
			if got := hex(img.At(int(at.x*scale), int(at.y*scale))); got != want {
				t.Errorf("%s: the color at %v is %s, want %s", scheme, at, got, want)
			}
		}
	}
}

// screenshot renders a file in a window of w by h pixels.
func screenshot(t *testing.T, name, text, scheme string, w, h int) image.Image {
	t.Helper()
	args := []string{fmt.Sprintf("--window-size=%d,%d", w, h), "--hide-scrollbars", "--screenshot"}
	if scheme == "dark" {
		args = append(args, "--blink-settings=preferredColorScheme=0")
	}
	img, err := png.Decode(bytes.NewReader(browse(t, name, text, args...)))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// drawn checks that a picture contains the colors of every mark and of the background.
func drawn(t *testing.T, name string, p picture, img image.Image) {
	t.Helper()
	missing := map[string]bool{white: true}
	for _, m := range p.marks {
		missing[m.colour] = true
	}
	if len(missing) < 2 {
		t.Errorf("%s has no marks", name)
	}
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			delete(missing, hex(img.At(x, y)))
		}
	}
	if len(missing) > 0 {
		t.Errorf("%s: the picture does not contain the colors %v", name, missing)
	}
}
