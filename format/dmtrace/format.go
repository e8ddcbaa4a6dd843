package dmtrace

import (
	"cmp"
	"io"
	"strings"

	"artifice/format/internal/kind"
	"artifice/format/text"
	"artifice/internal/dmformat"
	"artifice/internal/encode"
	"artifice/trace"
)

// Format reads the method traces of Android's runtimes in all their variants, ART's
// profiles of long-running methods, and artifice's own text format. The content
// determines the variant.
var Format = kind.Format{
	Name:  "method-trace",
	About: "method traces of Android's runtimes, and ART's profiles of long-running methods",
	Sniff: sniff,
	Head:  sniffLen,
	Read:  read,
}

// longRuns is the common prefix of the names of the variants of profiles of long-running methods.
const longRuns = "art-longrun"

func read(src kind.Source, cfg *kind.Config) (*kind.Opened, error) {
	o := kind.Option[ReadOptions](cfg.Options)
	o.Format, o.Limits, o.Progress, o.Stop = cfg.Variant, cfg.Limits, cfg.Progress, cfg.Stop
	var file *File
	var err error
	if src.R != nil {
		file, err = New(src.R, src.Name, o)
	} else {
		file, err = Open(src.Name, o)
	}
	if err != nil {
		return nil, err
	}
	return &kind.Opened{
		Recording: &file.Recording,
		File:      file,
		OwnZero:   file.Source != nil && strings.HasPrefix(file.Source.Format, longRuns), // the file does not state its start
	}, nil
}

// Variants returns the variants of method traces as formats to write. [Format] reads all of
// them.
func Variants() []*kind.Format {
	var all []*kind.Format
	add := func(name, about string) {
		all = append(all, &kind.Format{Name: name, About: about, Holds: kind.Binary,
			Write: func(w io.Writer, rec *trace.Recording, options ...any) (encode.Writer, error) {
				o := kind.Option[Options](options)
				o.Format, o.Portable = name, o.Portable && name == dmformat.ART
				o.TempDir = cmp.Or(o.TempDir, kind.Option[kind.WriteOptions](options).TempDir)
				return NewWriter(w, rec, o)
			}})
	}
	for _, v := range dmformat.Variants {
		add(v.Name, v.Description)
	}
	for _, gen := range dmformat.LongRuns {
		add(gen.Name, gen.Description)
	}
	return all
}

// TextFormat writes artifice's text format, one event per line. [Format] reads it.
var TextFormat = kind.Format{
	Name: "text", About: "text: one event per line", Endings: []string{".txt", ".text"},
	Write: func(w io.Writer, rec *trace.Recording, _ ...any) (encode.Writer, error) {
		return textWriter{text.NewWriter(w, rec)}, nil
	},
}

// textWriter writes the text format, which loses nothing.
type textWriter struct{ *text.Writer }

// Notes implements [encode.Writer].
func (textWriter) Notes() []string { return nil }
