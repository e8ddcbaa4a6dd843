package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/pprof/profile"

	"artifice/format"
	"artifice/internal/cli"
	"artifice/internal/dmformat"
	"artifice/trace"
)

// Choose returns the format selected by the flags: by its name, or by the name of the Output.
func (f *OutputFlags) Choose(rec *trace.Recording) (*format.Format, error) {
	if f.Format != "" {
		return f.named(f.Format)
	}
	if isPage(f.Name) {
		return format.ByName("ftrace"), nil
	}
	source, vm := rec.Source, rec.Info.VM
	if f.Trace.Portable {
		source, vm = nil, ""
	}
	kind := format.ForFile(f.Name, source, vm)
	if kind == nil {
		return nil, Usagef("cannot determine the format of %q: use the extension .trace, .pb.gz, .perfetto-trace, .folded or .txt, or --format", f.Name)
	}
	return kind, nil
}

// isPage reports whether the name of an output selects a page like those of systrace.
func isPage(name string) bool {
	ending := filepath.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz"))
	return ending == ".html" || ending == ".htm"
}

// named returns the format with a name.
func (f *OutputFlags) named(want string) (*format.Format, error) {
	if kind := format.ToWrite(want); kind != nil {
		return kind, nil
	}
	if kind := format.ByName(want); kind != nil && kind.Dumps != nil && kind.Dumps.Written() {
		return nil, Usagef("%s is a format for stack dumps; record --mode dump writes it", want)
	} else if kind != nil {
		return nil, Usagef("format %s can only be read; see artifice list", want)
	}
	var known []string
	for _, kind := range format.Written() {
		known = append(known, kind.Name)
	}
	return nil, Usagef("unknown format %q%s; see artifice list", want, DidYouMean(want, known))
}

// output is a file being written: it appears only when Commit succeeds.
type output struct {
	format.Writer
	File *cli.File
	std  Stdio
	kind *format.Format
	rec  *trace.Recording
}

// Create starts the output selected by the flags, for the trace rec.
func (f *OutputFlags) Create(std Stdio, rec *trace.Recording) (*output, error) {
	options, err := f.options(rec)
	if err != nil {
		return nil, err
	}
	kind, err := f.Choose(rec)
	if err != nil {
		return nil, err
	}
	if f.Trace.Portable && kind.Name != dmformat.ART {
		return nil, Usagef("--portable writes format art, not %s", kind.Name)
	}
	if v, err := dmformat.ByName(kind.Name); f.Trace.Chunk && (err != nil || v.Streaming || v.V2 != 0 || f.Trace.Portable) {
		return nil, Usagef("--ddms requires the format art or dalvik1 to dalvik3, as a runtime sends it to DDMS, not %s or --portable", kind.Name)
	}
	if err := f.checkFormat(kind); err != nil {
		return nil, err
	}
	if err := f.checkTerminal(std, kind); err != nil {
		return nil, err
	}
	file, err := f.CreateFile(std)
	if err != nil {
		return nil, err
	}
	w, err := f.writer(file, kind, rec, options)
	if err != nil {
		return nil, file.Fail(err)
	}
	return &output{w, file, std, kind, rec}, nil
}

// checkTerminal returns an error for a binary format that would be written to a terminal.
func (f *OutputFlags) checkTerminal(std Stdio, kind *format.Format) error {
	if f.Name == "-" && kind.Holds.Has(format.Binary) && cli.IsTerminal(std.Out) {
		return Usagef("%s is binary and is not written to a terminal; use -o FILE", kind.Name)
	}
	return nil
}

// writer returns the writer of a format, or of systrace's page.
func (f *OutputFlags) writer(file *cli.File, kind *format.Format, rec *trace.Recording, o outputOptions) (format.Writer, error) {
	if kind.Name == "ftrace" && isPage(f.Name) {
		return newPageWriter(file, f.Name, rec, o)
	}
	return kind.Create(file, rec, o.all()...)
}

// Check returns an error if the output cannot be written. It is called before the source is read.
// If folders is set, the output may be a folder.
func (f *OutputFlags) Check(folders bool) error {
	if f.force && !(folders && IsFolder(f.Name)) {
		return cli.CheckReplace(f.Name)
	}
	err := CheckWritable(f.Name, folders)
	if errors.As(err, new(*cli.InputError)) {
		return Usagef("%w, or use --force to replace it", err)
	}
	return err
}

// CheckWritable returns an error if the output called name cannot be written. It is called before
// the source is read. If folders is set, the output may be a folder.
func CheckWritable(name string, folders bool) error {
	if folders && IsFolder(name) {
		return cli.CheckFolder(name)
	}
	return cli.CheckOutput(name)
}

// Create starts the output called name; "-" is standard output.
func Create(std Stdio, name string) (*cli.File, error) { return create(std, name, cli.Create) }

func create(std Stdio, name string, by func(string, io.Writer) (*cli.File, error)) (*cli.File, error) {
	file, err := by(name, std.Out)
	if text := file.Warning(); text != "" {
		fmt.Fprintf(std.Err, "artifice: warning: %s\n", text)
	}
	return file, err
}

// CreateFile starts the file of the output.
func (f *OutputFlags) CreateFile(std Stdio) (*cli.File, error) {
	if f.force {
		return create(std, f.Name, cli.Replace)
	}
	return Create(std, f.Name)
}

// Save writes the output called name; "-" is standard output. A file appears when it is complete.
func Save(std Stdio, name string, write func(*cli.File) error) error {
	file, err := Create(std, name)
	if err != nil {
		return err
	}
	return file.Complete(write)
}

// Write writes all of rec's events to the output and returns their number. At the end it calls
// check. If check returns an error, no output appears.
func (f *OutputFlags) Write(std Stdio, rec *trace.Recording, check func() error) (events int64, err error) {
	out, err := f.Create(std, rec)
	if err != nil {
		return 0, err
	}
	defer out.File.Abort()
	if events, err = trace.Copy(out.Writer, rec.Events); err != nil {
		return events, err
	}
	if err = check(); err != nil {
		return events, err
	}
	return events, out.Commit()
}

// Commit completes the output, renames it to its final name, and prints its writer's notes.
func (o *output) Commit() error {
	if err := o.Close(); err != nil {
		return o.File.Fail(err)
	}
	if err := o.File.Commit(); err != nil {
		return err
	}
	notes := o.Notes()
	if text := o.kind.ClockNote(&o.rec.Info); text != "" {
		notes = append(notes, text)
	}
	o.std.remarkNotes(o.File, notes)
	return nil
}

// remarkNotes prints the differences between a written file and its source.
func (std Stdio) remarkNotes(file *cli.File, notes []string) {
	for _, note := range notes {
		std.Remark("artifice: %s: %s\n", file.Name(), note)
	}
}

// WriteProfile writes the whole profile p in a format that has WriteProfile.
func (f *OutputFlags) WriteProfile(std Stdio, kind *format.Format, p *profile.Profile) error {
	if err := f.checkTerminal(std, kind); err != nil {
		return err
	}
	file, err := f.CreateFile(std)
	if err != nil {
		return err
	}
	defer file.Abort()
	notes, err := kind.WriteProfile(file, p)
	if err != nil {
		return file.Fail(err)
	}
	if err := file.Commit(); err != nil {
		return err
	}
	std.remarkNotes(file, notes)
	return nil
}

// IsFolder reports whether an output name denotes a folder, existing or to be created.
func IsFolder(name string) bool {
	info, err := os.Stat(name)
	return strings.HasSuffix(name, string(filepath.Separator)) || err == nil && info.IsDir()
}
