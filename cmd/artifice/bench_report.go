package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"artifice/bench"
	draw "artifice/bench/report"
)

// reportModes are the ways of tracing that a report compares unless the user
// chooses.
var reportModes = []bench.Mode{bench.ARTSampling, bench.PoissonSampling, bench.InstrumentedDual, bench.InstrumentedWall}

// checkOutput refuses an output that no report can be written to.
func checkOutput(name string) error {
	if name == "" || isFolder(name) || strings.HasSuffix(name, ".html") || strings.HasSuffix(name, ".htm") {
		return nil
	}
	return usagef("-o %s: want a page, report.html, or a folder for plots, plots/", name)
}

// writeReport writes a page, or plots into a folder.
func writeReport(std stdio, out, source string, r *bench.Result) error {
	if isFolder(out) {
		return writePlots(std, out, r)
	}
	err := writeFile(std, out, func(w io.Writer) error {
		return draw.WriteHTML(w, draw.Page{Source: filepath.Base(source), Result: r})
	})
	if err == nil {
		fmt.Fprintf(std.err, "wrote %s\n", out)
	}
	return err
}

// writePlots writes every figure as SVG and PNG, light and dark.
func writePlots(std stdio, dir string, r *bench.Result) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	figures := draw.Figures(r)
	for _, f := range figures {
		for palette, suffix := range map[draw.Palette]string{draw.Light: "", draw.Dark: "-dark"} {
			base := filepath.Join(dir, f.Name+suffix)
			if err := writeFile(std, base+".svg", func(w io.Writer) error { return f.WriteSVG(w, palette) }); err != nil {
				return err
			}
			if err := writeFile(std, base+".png", func(w io.Writer) error { return f.WritePNG(w, palette) }); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(std.err, "wrote %s to %s\n", plural(int64(len(figures)), "plot"), dir)
	return nil
}

// writeFile writes a file that appears when it is complete.
func writeFile(std stdio, name string, write func(io.Writer) error) error {
	f, err := createAtomic(std, name)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := write(f); err != nil {
		return err
	}
	return f.Commit()
}
