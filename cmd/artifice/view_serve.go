package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"artifice/calltree"
	"artifice/estimate"
	"artifice/filter"
	"artifice/format/registry"
	"artifice/input"
	"artifice/report"
	"artifice/trace"
	"artifice/view"
	"artifice/writer"
)

// serve serves a page until the program is interrupted, which is how it is meant to
// end.
func (f *viewFlags) serve(cmd *cobra.Command, std stdio, page *view.Page, files []file) error {
	cfg := view.ServerConfig{Port: f.port, Changed: func() error { return anyChanged(files) }}
	if f.beside == "" && f.sample == 0 && len(files) == 1 {
		cfg.Range = func(_ context.Context, w io.Writer, part view.RangeQuery) error {
			return f.rangeReport(cmd, std, w, page.Recordings[0], part)
		}
	}
	s, err := view.Listen(page, cfg)
	if err != nil {
		return explainPort(err)
	}
	if err := f.tellAddress(std, s.URL()); err != nil {
		return err
	}
	return s.Serve(cmd.Context())
}

// pprofAlone are the flags that --pprof goes with, apart from those of reading.
var pprofAlone = []string{"pprof", "port", "no-browser", "until", "quiet", "limit"}

// servePprof serves the profile of a source in the web interface of google/pprof.
func (f *viewFlags) servePprof(cmd *cobra.Command, std stdio, name string) (err error) {
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if !slices.Contains(pprofAlone, flag.Name) && !slices.ContainsFunc(readGroups, func(g flagGroup) bool { return slices.Contains(g.flags, flag.Name) }) {
			err = usagef("--%s does not apply to --pprof", flag.Name)
		}
	})
	if err != nil {
		return err
	}
	until, err := calltree.ParseEndPolicy(f.until)
	if err != nil {
		return usagef("--until: %v", err)
	}
	profile, err := f.profile(cmd, std, name, until)
	if err != nil {
		return err
	}
	s, err := view.ListenPprof(profile, f.port, func(text string) { fmt.Fprintf(std.err, "artifice: pprof: %s\n", text) })
	if err != nil {
		return explainPort(err)
	}
	if err := f.tellAddress(std, s.URL()); err != nil {
		return err
	}
	return s.Serve(cmd.Context())
}

// profile returns a source as a profile for pprof.
func (f *viewFlags) profile(cmd *cobra.Command, std stdio, name string, until calltree.EndPolicy) (io.Reader, error) {
	src, err := f.dumps.open(cmd, std, name)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	var profile bytes.Buffer
	w, err := registry.ByName("pprof").Write(&profile, src.Recording, writer.Options{Until: until})
	if err != nil {
		return nil, err
	}
	if _, err := trace.Copy(w, src.Events); err != nil {
		return nil, err
	}
	return &profile, w.Close()
}

// explainPort says what to do about a port that is taken.
func explainPort(err error) error {
	if errors.As(err, new(*view.PortTakenError)) {
		return fmt.Errorf("%w: choose another with --port, or leave it out for a free one", err)
	}
	return err
}

// tellAddress prints the address of a page that is about to be served, and opens a
// browser.
func (f *viewFlags) tellAddress(std stdio, url string) error {
	fmt.Fprintln(std.out, url)
	if out, ok := std.out.(buffered); ok {
		if err := out.Flush(); err != nil {
			return err
		}
	}
	if !f.noBrowser {
		if err := openBrowser(url); err != nil {
			fmt.Fprintf(std.err, "artifice: no browser was opened (%v): open the address above in one\n", err)
		}
	}
	std.remark("the page is served until Ctrl-C\n")
	return nil
}

// openBrowser opens an address in the user's browser, as far as can be told.
func openBrowser(url string) error {
	name, args := "xdg-open", []string{url}
	switch browser := os.Getenv("BROWSER"); {
	case browser != "":
		name = browser
	case runtime.GOOS == "darwin":
		name = "open"
	case runtime.GOOS == "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	case os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "":
		return errors.New("there is no display")
	}
	browser := exec.Command(name, args...)
	if err := browser.Start(); err != nil {
		return err
	}
	go browser.Wait() // it may stay as long as its window
	return nil
}

// file is a file as it was when it was read.
type file struct {
	name string
	info os.FileInfo
}

// filesOf returns the files among names; others are workloads, standard input or
// nothing.
func filesOf(names ...string) (files []file) {
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && !input.IsWorkload(name) {
			files = append(files, file{name, info})
		}
	}
	return files
}

// anyChanged returns an error when a file is not any more what it was.
func anyChanged(files []file) error {
	for _, f := range files {
		now, err := os.Stat(f.name)
		if err != nil || !os.SameFile(now, f.info) || now.Size() != f.info.Size() || !now.ModTime().Equal(f.info.ModTime()) {
			return fmt.Errorf("%s has changed since this page was made: start artifice view again", f.name)
		}
	}
	return nil
}

// rangeReport writes what a part of a recording that was read tells of its methods, as
// the JSON of artifice report.
func (f *viewFlags) rangeReport(cmd *cobra.Command, std stdio, w io.Writer, whole *view.Recording, asked view.RangeQuery) error {
	until, err := calltree.ParseEndPolicy(f.until)
	if err != nil {
		return err
	}
	std.err = io.Discard // what it says was said when the page was made
	src, err := f.dumps.open(cmd, std, whole.Name)
	if err != nil {
		return err
	}
	defer src.Close()
	src.Info.Technique = whole.Profile.Technique // a short part would not tell
	part := filter.Part{From: asked.From, To: asked.To}
	rec, err := part.Apply(src.Recording)
	if err != nil {
		return err
	}
	choice := report.ThreadChoice{Names: asked.Threads, Recording: rec}
	if len(asked.Threads) == 0 {
		choice.Names = []string{report.AllThreads}
	}
	p, err := estimate.Read(rec, estimate.Config{Until: until, MethodsOnly: true, Threads: choice.Choose})
	if err != nil || choice.Err != nil {
		return cmp.Or(err, choice.Err)
	}
	v := report.New(p, rec.Symbols, report.Filter{})
	v.Style = report.DescriptorNames
	rows := v.Rows(report.ByMethod)
	report.BySelf.Sort(rows, report.KindOf(p.Clock, p.OfCPU))
	list := report.List{Profile: p, What: "method", Rows: rows}
	return list.Table().WriteJSON(w)
}
