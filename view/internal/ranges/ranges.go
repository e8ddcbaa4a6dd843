// Package ranges answers the viewer's queries about parts of a sampled recording: the times of
// methods in a range of time or on some threads, with the intervals of package estimate. The server
// of the page answers them. In a page that is a file, the command artifice-ranges in the page
// answers them from the recording contained in the page.
package ranges

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	tracetext "artifice/format/text"
	"artifice/internal/decode"
	"artifice/report"
	"artifice/report/estimate"
	"artifice/trace"
	"artifice/trace/calltree"
	"artifice/trace/filter"
)

// Query is a part of a recording.
type Query struct {
	Recording int           // its index on the page
	From, To  time.Duration // since the start of the trace; if both are 0: the whole trace
	Threads   []string      // tids as decimal text; empty: all threads
}

// Parse parses a query in the form from=NS&to=NS&recording=INDEX&thread=TID. from and to may both
// be absent. recording is 0 if absent. thread may be absent or repeated.
func Parse(text string) (q Query, err error) {
	var ends [2]bool // from and to, if present
	for field := range strings.SplitSeq(text, "&") {
		key, value, _ := strings.Cut(field, "=")
		n, bad := strconv.ParseInt(value, 10, 64)
		if bad != nil || n < 0 {
			return q, fmt.Errorf("%s=%q: must be a number of at least 0", key, value)
		}
		switch key {
		case "from":
			q.From, ends[0] = time.Duration(n), true
		case "to":
			q.To, ends[1] = time.Duration(n), true
		case "recording":
			q.Recording = int(n)
		case "thread":
			q.Threads = append(q.Threads, value)
		default:
			return q, fmt.Errorf("%s=%q: must be one of from, to, recording and thread", key, value)
		}
	}
	if ends[0] != ends[1] {
		return q, errors.New("want from=NS&to=NS")
	}
	if ends[0] && q.To <= q.From {
		err = fmt.Errorf("the range from %s to %s is empty", q.From, q.To)
	}
	return q, err
}

// Write writes the report of a part of rec, as artifice report --json does. technique is that of
// the whole recording, which a short part would not determine. It returns an error for an empty
// range, and if rec has no such thread.
func (q *Query) Write(w io.Writer, rec *trace.Recording, technique trace.Technique, until calltree.EndPolicy) error {
	rec.Info.Technique = technique
	part, err := filter.Part{From: q.From, To: q.To}.Apply(rec)
	if err != nil {
		return err
	}
	choice := report.ThreadChoice{Names: q.Threads, Recording: part}
	if len(q.Threads) == 0 {
		choice.Names = []string{report.AllThreads}
	}
	p, err := estimate.Read(part, estimate.Config{Until: until, MethodsOnly: true, Threads: &choice})
	if err = cmp.Or(err, choice.Err); err != nil {
		return err
	}
	v := report.New(p, part.Symbols, report.Filter{})
	v.Style = report.DescriptorNames
	rows := v.Rows(report.ByMethod)
	report.BySelf.Sort(rows, report.KindOf(p.Clock, p.OfCPU))
	list := report.List{Profile: p, What: "method", Rows: rows}
	return list.Table().WriteJSON(w)
}

// Pack writes a recording in the form contained in a page: in the text format, compressed by gzip.
func Pack(w io.Writer, rec *trace.Recording) error {
	packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	text := tracetext.NewWriter(packed, rec)
	if _, err := trace.Copy(text, rec.Events); err != nil {
		return err
	}
	return cmp.Or(text.Close(), packed.Close())
}

// Unpack returns the recording written by [Pack].
func Unpack(r io.Reader) (*trace.Recording, error) {
	text, err := decode.Gunzip(bufio.NewReader(r), 0)
	if err != nil {
		return nil, err
	}
	return tracetext.NewReader(text, "the page's recording")
}
