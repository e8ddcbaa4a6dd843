package main

import (
	"bytes"
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

	"artifice/cmd/internal/command"
	"artifice/format"
	"artifice/internal/pageprogram"
	"artifice/trace/calltree"
	"artifice/view"
	"artifice/writer"
)

// serve serves a page until the program is interrupted, which is its normal end.
func (f *viewFlags) serve(cmd *cobra.Command, std command.Stdio, page *view.Page, files []file) error {
	var parts view.PartSource
	if page.Dumps == nil && f.answersParts(cmd, files) {
		parts = &partReports{f, cmd, std, page.Recordings[0], files}
	}
	s, err := view.Listen(page, f.port, parts)
	if err != nil {
		return explainPort(err)
	}
	if err := f.printAddress(std, s.URL()); err != nil {
		return err
	}
	return s.Serve(cmd.Context())
}

// pprofAlone are the flags that combine with --pprof, besides those of [command.ReadFlags].
var pprofAlone = []string{"pprof", "port", "no-browser", "until", "quiet", "limit"}

// servePprof serves the profile of a source in the web interface of google/pprof.
func (f *viewFlags) servePprof(cmd *cobra.Command, std command.Stdio, name string) (err error) {
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if !slices.Contains(pprofAlone, flag.Name) && !command.IsReadFlag(flag.Name) {
			err = command.Usagef("--%s does not apply to --pprof", flag.Name)
		}
	})
	if err != nil {
		return err
	}
	until, err := calltree.ParseEndPolicy(f.until)
	if err != nil {
		return command.Usagef("--until: %v", err)
	}
	profile, err := f.profile(cmd, std, name, until)
	if err != nil {
		return err
	}
	s, err := listenPprof(profile, f.port, std.Err)
	if err != nil {
		return explainPort(err)
	}
	if err := f.printAddress(std, s.URL()); err != nil {
		return err
	}
	return s.Serve(cmd.Context())
}

// profile returns a source as a profile in pprof's format.
func (f *viewFlags) profile(cmd *cobra.Command, std command.Stdio, name string, until calltree.EndPolicy) (io.Reader, error) {
	src, err := f.dumps.Open(cmd, std, name)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	var profile bytes.Buffer
	_, err = writer.Write(&profile, "pprof", src.Recording, format.WriteOptions{Until: until})
	return &profile, err
}

// explainPort adds a remedy to the error of a port that is in use.
func explainPort(err error) error {
	if errors.As(err, new(*view.PortTakenError)) {
		return fmt.Errorf("%w: choose another port with --port, or omit --port for a free port", err)
	}
	return err
}

// printAddress prints the address of a page, and opens a browser.
func (f *viewFlags) printAddress(std command.Stdio, url string) error {
	fmt.Fprintln(std.Out, url)
	if err := std.Flush(); err != nil {
		return err
	}
	if !f.noBrowser {
		if err := openBrowser(url); err != nil {
			fmt.Fprintf(std.Err, "artifice: no browser was opened (%v): open the address above in one\n", err)
		}
	}
	std.Remark("the page is served until Ctrl-C\n")
	return nil
}

// openBrowser opens an address in the user's browser, if it can determine one.
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
	go browser.Wait() // some browsers run until their window closes
	return nil
}

// file identifies the version of a file that was read.
type file struct {
	name string
	info os.FileInfo
}

// filesOf returns the files among names. Other names are workloads, standard input or empty.
func filesOf(names ...string) (files []file) {
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && !format.IsWorkload(name) {
			files = append(files, file{name, info})
		}
	}
	return files
}

// anyChanged returns an error if a file changed since it was read.
func anyChanged(files []file) error {
	for _, f := range files {
		now, err := os.Stat(f.name)
		if err != nil || !os.SameFile(now, f.info) || now.Size() != f.info.Size() || !now.ModTime().Equal(f.info.ModTime()) {
			return fmt.Errorf("%s has changed since this page was made: start artifice view again", f.name)
		}
	}
	return nil
}

// partReports computes reports of a part of the page's recording. It implements [view.PartSource].
type partReports struct {
	flags *viewFlags
	cmd   *cobra.Command
	std   command.Stdio
	whole *view.Recording
	files []file // with the recording
}

// WritePart implements [view.PartSource]: it reads the recording again.
func (p *partReports) WritePart(_ context.Context, w io.Writer, part view.PartQuery) error {
	until, err := calltree.ParseEndPolicy(p.flags.until)
	if err != nil {
		return err
	}
	src, err := p.flags.again(p.cmd, p.std, p.whole)
	if err != nil {
		return err
	}
	defer src.Close()
	return part.Write(w, src.Recording, p.whole.Profile.Technique, until)
}

// Changed implements [view.PartSource].
func (p *partReports) Changed() error { return anyChanged(p.files) }

// again opens the source of the recording once more.
func (f *viewFlags) again(cmd *cobra.Command, std command.Stdio, r *view.Recording) (*command.Source, error) {
	std.Err = io.Discard // the warnings were printed when the page was made
	return f.dumps.Open(cmd, std, r.Name)
}

// addProgram embeds the program that computes reports of parts of a recording in a page that is
// written to a file. It also embeds the recording if it is sampled.
func (f *viewFlags) addProgram(cmd *cobra.Command, std command.Stdio, page *view.Page, files []file) error {
	if page.Dumps != nil || !f.answersParts(cmd, files) || !page.Recordings[0].Profile.Sampled() {
		return nil
	}
	until, err := calltree.ParseEndPolicy(f.until)
	if err != nil {
		return err
	}
	p, err := pageprogram.Get(cmd.Context(), pageprogram.Ranges)
	if err != nil {
		return err
	}
	write := func(w io.Writer) error {
		src, err := f.again(cmd, std, page.Recordings[0])
		if err != nil {
			return err
		}
		defer src.Close()
		return view.PackRecording(w, src.Recording)
	}
	page.Program = &view.PageProgram{Packed: p.Packed, Support: p.Support, Recording: write, Until: until}
	return nil
}

// answersParts reports whether the page can request reports of a part of its recording. The page
// must have one recording, of a file that can be read again, and must be served, or contain the
// program: with --ranges, or in releases without --ranges=false.
func (f *viewFlags) answersParts(cmd *cobra.Command, files []file) bool {
	switch {
	case f.observed != "" || f.diff != "" || f.sample != 0 || len(files) != 1:
		return false
	case f.out == "" || f.ranges:
		return true
	}
	return !cmd.Flags().Changed("ranges") && pageprogram.Embedded(pageprogram.Ranges) != nil
}
