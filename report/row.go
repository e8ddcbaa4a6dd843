package report

import (
	"cmp"
	"hash/maphash"
	"slices"

	"artifice/estimate"
	"artifice/trace"
)

// Row is a line of a report.
type Row struct {
	Depth int32 // in a tree: how many callers are above

	// A row for each method of a trace, of which there can be millions, has neither name nor
	// figures: both come from the view, when they are asked for.
	summed    *summed // nil: a method's
	view      *View
	method    int32 // of the view's profile
	signature bool  // it is in the method's name, as it alone tells it from another
}

// summed is the name and the figures of a row that is no method's.
type summed struct {
	name    string
	figures estimate.Figures
}

// Name returns the name of the method, class, package or thread.
func (r *Row) Name() string {
	if r.summed != nil {
		return r.summed.name
	}
	m := r.of()
	if r.signature {
		return m.String()
	}
	return m.FullName()
}

// Figures returns what the line tells.
func (r *Row) Figures() estimate.Figures {
	if r.summed != nil {
		return r.summed.figures
	}
	return r.view.Profile.Method(int(r.method)).Figures
}

// CompareName returns -1, 0 or 1 as the name of r comes before, is or comes after that of
// other, in the order of their bytes. It puts no name together.
func (r *Row) CompareName(other *Row) int {
	a, b := r.nameParts(), other.nameParts()
	return compareParts(a[:], b[:])
}

// of returns the method of a method's row.
func (r *Row) of() *trace.Method {
	return r.view.symbols.Method(r.view.Profile.MethodID(int(r.method)))
}

// nameParts returns strings that make up the name.
func (r *Row) nameParts() (parts [4]string) {
	if r.summed != nil {
		parts[0] = r.summed.name
		return parts
	}
	m := r.of()
	if m.Unlisted || m.Name == "" || m.Class == "" {
		parts[0] = m.FullName()
	} else {
		parts[0], parts[1], parts[2] = m.Class, ".", m.Name
	}
	if r.signature {
		parts[3] = m.Signature
	}
	return parts
}

// compareParts compares two strings that are in parts.
func compareParts(a, b []string) int {
	for {
		for len(a) > 0 && a[0] == "" {
			a = a[1:]
		}
		for len(b) > 0 && b[0] == "" {
			b = b[1:]
		}
		if len(a) == 0 || len(b) == 0 {
			return cmp.Compare(len(a), len(b))
		}
		n := min(len(a[0]), len(b[0]))
		if c := cmp.Compare(a[0][:n], b[0][:n]); c != 0 {
			return c
		}
		a[0], b[0] = a[0][n:], b[0][n:]
	}
}

// methods returns a row for each method. The signature is in the name where that alone
// tells two methods of the trace apart.
func (v *View) methods() []Row {
	rows := make([]Row, v.Profile.Len())
	for i := range rows {
		rows[i] = Row{view: v, method: int32(i)}
	}
	same := sameNames(rows)
	for i := range rows {
		rows[i].signature = len(same) > 0 && same[rows[i].Name()] > 1
	}
	return rows
}

// sameNames returns how many rows have a name, for those that several have, and some others.
// It counts names of the same hash only, as a map of all would be as large as the rows.
func sameNames(rows []Row) map[string]int {
	var h maphash.Hash
	hashOf := func(r *Row) uint64 {
		h.Reset()
		for _, part := range r.nameParts() {
			h.WriteString(part)
		}
		return h.Sum64()
	}
	hashes := make([]uint64, len(rows))
	for i := range rows {
		hashes[i] = hashOf(&rows[i])
	}
	slices.Sort(hashes)
	twice := map[uint64]bool{}
	for i := range hashes {
		if i > 0 && hashes[i] == hashes[i-1] {
			twice[hashes[i]] = true
		}
	}
	same := map[string]int{}
	for i := range rows {
		if len(twice) > 0 && twice[hashOf(&rows[i])] {
			same[rows[i].Name()]++
		}
	}
	return same
}
