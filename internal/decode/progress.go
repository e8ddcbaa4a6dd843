package decode

import "io"

// Progress counts and reports the bytes read from one or several files.
type Progress struct {
	Report func(done, total int64) // nil: progress is not reported
	Total  int64                   // of all files; -1: unknown
	done   int64
}

// Watch returns a reader of r that counts the bytes read.
func (p *Progress) Watch(r io.Reader) io.Reader {
	if p.Report == nil {
		return r
	}
	return &watched{r, p}
}

type watched struct {
	r io.Reader
	p *Progress
}

// Read implements io.Reader.
func (w *watched) Read(b []byte) (int, error) {
	n, err := w.r.Read(b)
	w.p.done += int64(n)
	w.p.Report(w.p.done, w.p.Total)
	return n, err
}
