package pages

import (
	"encoding/base64"
	"flag"
	"os"
	"testing"

	"artifice/internal/testdata"
	"artifice/research/internal/browser"
)

var picture = flag.String("picture", "", "write the README's picture to this `FILE`")

// TestPage opens pages of the viewer in Chromium.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	b := browser.Install(t)
	t.Run("picture", func(t *testing.T) { drawPicture(t, b) })
	type page struct {
		name string
		test func(*testing.T, *browser.Browser)
	}
	for _, p := range testdata.Some(t, []page{{"use", testUse}, {"late", testLateFrames}, {"names", testNames}, {"compare", testCompare}, {"frames", measureFrames}, {"numbers", testNumbers}, {"ranges", testRanges}, {"bounds", testBounds}, {"link", testLink}, {"details", testDetails}, {"search", testSearch}, {"range", testRangeFields}, {"keys", testKeys}, {"screens", testScreens}, {"threads", testThreads}, {"difference", testDifference}, {"deep", testDeep}, {"first", testFirstView}, {"colors", testColors}, {"tasks", testTasks}}, 1) {
		t.Run(p.name, func(t *testing.T) { p.test(t, b) })
	}
}

// drawPicture draws the picture in the README: the truth of 40 ms of a cold start, and below it a
// sampled trace at 5 ms.
func drawPicture(t *testing.T, b *browser.Browser) {
	if *picture == "" {
		t.Skip("only with -picture FILE")
	}
	p := build(t)
	p.Run(t, "view", "cold-start", "--sample", "5ms", "--device", "A", "-o", "page.html", "--quiet")
	var image string
	b.Run(t, "file://"+p.File("page.html"), browser.View{Width: 1100, Height: 860, Scale: 1}, ready+`
await tab.evaluate(() => showWindow(80e6 / unitNS, 120e6 / unitNS)); await frame();
const row = await tab.evaluate(() => timeline.rows[0].height), top = (await (await tab.$("#tracks")).boundingBox()).y;
return await tab.screenshot({encoding: "base64", clip: {x: 0, y: 0, width: 1100, height: Math.floor(top + row)}});`, &image)
	data, err := base64.StdEncoding.DecodeString(image)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(*picture, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
