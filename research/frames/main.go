// Command frames compares the frame rate of the viewer's page with speedscope's, on the same files
// in the same browser:
//
//	go run ./frames -events 300000,3000000
//
// It writes a recording of cold-start in speedscope's format and opens it in both. In each it turns
// the wheel over the middle of the timeline, with Ctrl to zoom and without to pan, one step after
// another. It prints the time until the page has drawn the file, and the median and 95th percentile
// of the intervals between frames (requestAnimationFrame). A screen has a frame every 16.7 ms. The
// browser has no GPU, which speedscope uses otherwise.
package main

import (
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"artifice/internal/testdata"
	"artifice/research/internal/browser"
	"artifice/research/internal/peers/speedscope"
)

// eventsPerSecond is the rate of events of cold-start on its device.
const eventsPerSecond = 132_700

// viewer is a page that shows a file.
type viewer struct {
	name   string
	url    func(file string) string
	opened string // expression: whether the page has drawn the file
	canvas string // selector of the timeline
}

func main() {
	sizes := flag.String("events", "300000,3000000", "numbers of events, separated by commas")
	flag.Parse()
	t := browser.NewHost("frames")
	defer t.Finish()
	b, dir := browser.Install(t), t.TempDir()
	program, err := testdata.Build(dir)
	if err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) {
		if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
			t.Fatalf("artifice %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	page := speedscope.Page(t)
	viewers := []viewer{
		{"artifice", func(file string) string {
			run("view", file, "-o", filepath.Join(dir, "page.html"), "--quiet")
			return "file://" + filepath.Join(dir, "page.html")
		}, `document.body.dataset.state === "ready"`, "#tracks"},
		{"speedscope", func(file string) string { return "file://" + page + "#" + speedscope.WriteScript(t, file) },
			`document.querySelector("canvas") && document.body.innerText.includes("Time Order") && !document.body.innerText.includes("Loading")`, "canvas"},
	}
	fmt.Println("   events  viewer      opened  zoom: median   95 %  pan: median   95 %")
	for size := range strings.SplitSeq(*sizes, ",") {
		events, err := strconv.ParseFloat(size, 64)
		if err != nil || events < 1000 {
			t.Fatalf("-events: %q is not a number of events of at least 1000", size)
		}
		file := filepath.Join(dir, size+".speedscope.json")
		run("record", "cold-start", "--mode", "truth", "--duration", fmt.Sprintf("%.3fs", events/eventsPerSecond), "-o", filepath.Join(dir, "app.trace"), "--quiet")
		run("convert", filepath.Join(dir, "app.trace"), "-o", file, "--quiet")
		for _, v := range viewers {
			m := measure(t, b, v, file)
			fmt.Printf("%9s  %-10s %6.1f s  %9.1f ms %6.1f  %8.1f ms %6.1f\n", size, v.name, m.Opened/1000, m.Zoom[0], m.Zoom[1], m.Pan[0], m.Pan[1])
		}
	}
}

// measures are those of a page, in milliseconds.
type measures struct {
	Opened    float64 // since the browser began to load the page
	Zoom, Pan [2]float64
}

// gestures waits until a page is open, turns the wheel, and returns the [measures].
const gestures = `
await tab.waitForFunction(opened, {timeout: 0, polling: 50});
const Opened = await tab.evaluate(() => performance.now());
await new Promise(d => setTimeout(d, 2000));
const box = await (await tab.$(canvas)).boundingBox();
await tab.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
const intervals = async (gesture) => {
	await tab.evaluate(() => {
		window.frameTimes = [];
		const frame = time => { window.frameTimes.push(time); window.frameLoop = requestAnimationFrame(frame); };
		window.frameLoop = requestAnimationFrame(frame);
	});
	for (let i = 0; i < 160; i++) await tab.mouse.wheel(gesture(i));
	const times = await tab.evaluate(() => { cancelAnimationFrame(window.frameLoop); return window.frameTimes; });
	const apart = times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b), at = share => apart[Math.min(apart.length - 1, Math.floor(share * apart.length))];
	return [at(.5), at(.95)];
};
await tab.keyboard.down("Control");
const Zoom = await intervals(i => ({deltaY: i < 80 ? -40 : 40}));
for (let i = 0; i < 30; i++) await tab.mouse.wheel({deltaY: -40});
await tab.keyboard.up("Control");
const Pan = await intervals(i => ({deltaX: i < 80 ? 40 : -40}));
return {Opened, Zoom, Pan};`

// measure opens a file in a viewer and measures it.
func measure(t *browser.Host, b *browser.Browser, v viewer, file string) (m measures) {
	b.Run(t, v.url(file), browser.Desk, fmt.Sprintf("const opened = %q, canvas = %q;", v.opened, v.canvas)+gestures, &m)
	return m
}
