package decode

import "io"

// Progress tells how many bytes of one file or several were read.
type Progress struct {
	Tell  func(done, total int64) // nil tells nobody
	Total int64                   // of all files; -1 when it is not known
	done  int64
}

// Watch returns r so that what is read of it is told.
func (p *Progress) Watch(r io.Reader) io.Reader {
	if p.Tell == nil {
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
	w.p.Tell(w.p.done, w.p.Total)
	return n, err
}
