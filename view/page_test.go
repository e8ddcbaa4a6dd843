package view_test

import (
	"encoding/base64"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"artifice/internal/browser"
	"artifice/internal/testdata"
)

var picture = flag.String("picture", "", "write the README's picture to this `FILE`")

// TestPage looks at pages in a browser.
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
	for _, p := range testdata.Some(t, []page{{"use", testUse}, {"late", testLateFrames}, {"names", testNames}, {"beside", testCompare}, {"frames", measureFrames}, {"numbers", testNumbers}, {"ranges", testRanges}, {"bounds", testBounds}}, 1) {
		t.Run(p.name, func(t *testing.T) { p.test(t, b) })
	}
}

// TestTypes checks the types in the page's modules with TypeScript's compiler, and that every name
// they use is declared or imported.
func TestTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("installs TypeScript")
	}
	testdata.Seldom(t, 8)
	tsc := filepath.Join(browser.NpmInstall(t, "typescript", "5.9.3"), "bin", "tsc")
	var scripts []string
	for _, folder := range []string{"page", "page/lab"} {
		list, err := filepath.Glob(folder + "/*.js")
		if err != nil || len(list) == 0 {
			t.Fatal("no scripts in", folder, err)
		}
		scripts = append(scripts, list...)
	}
	args := append([]string{tsc, "--checkJs", "--allowJs", "--strict", "--noEmit", "--target", "es2023", "--module", "es2022", "--moduleResolution", "bundler", "--lib", "es2023,dom,dom.iterable"}, scripts...)
	if out, err := exec.Command("node", args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestLint holds the page's modules against ESLint's recommended rules. In the folder page,
// "npx eslint@9.39.1" does the same.
func TestLint(t *testing.T) {
	if testing.Short() {
		t.Skip("installs ESLint")
	}
	testdata.Seldom(t, 8)
	cmd := exec.Command("node", filepath.Join(browser.NpmInstall(t, "eslint", "9.39.1"), "bin", "eslint.js"), "--max-warnings", "0", "--report-unused-disable-directives")
	cmd.Dir = "page"
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// drawPicture makes the picture in the README: the truth of 40 ms of a cold start
// beside what a sampler with an interval of 5 ms shows of it.
func drawPicture(t *testing.T, b *browser.Browser) {
	if *picture == "" {
		t.Skip("only with -picture FILE")
	}
	dir, run := program(t)
	run(t, "view", "cold-start", "--sample", "5ms", "--device", "A", "-o", "page.html", "--quiet")
	var image string
	b.Run(t, "file://"+filepath.Join(dir, "page.html"), browser.View{Width: 1100, Height: 860, Scale: 1}, ready+`
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
