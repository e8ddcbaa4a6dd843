package timeline

import "slices"

// repairRhea returns the begins and ends that RheaTrace 1.0.2 makes of a thread's
// marks, in the order in which it puts them out, which is that of equal times.
func repairRhea(marks []rheaMark) []rheaMark {
	r := rheaRepair{left: slices.Clone(marks)}
	for len(r.left) > 0 {
		m := r.pop()
		switch m.kind {
		case 'B':
			r.begin(m)
		case 'E', 'e':
			r.end(m)
		}
	}
	return r.out
}

// rheaRepair is the state of the repair: marks left, and ends whose begins are
// still to come, both with the next one last.
type rheaRepair struct {
	left, deep []rheaMark
	out        []rheaMark
}

func (r *rheaRepair) pop() rheaMark {
	last := len(r.left) - 1
	m := r.left[last]
	r.left = r.left[:last]
	return m
}

// top returns the kind and name of the next mark; 0 when there is none.
func (r *rheaRepair) top() (kind byte, name string) {
	if len(r.left) == 0 {
		return 0, ""
	}
	m := &r.left[len(r.left)-1]
	return m.kind, m.name
}

func (r *rheaRepair) pair(begin, end rheaMark, suffix string) {
	begin.name, end.name = begin.name+suffix, begin.name+suffix
	begin.kind, end.kind = 'B', 'E'
	r.out = append(r.out, begin, end)
}

const crashTag = ": CrashTag"

func (r *rheaRepair) end(m rheaMark) {
	kind, name := r.top()
	for kind == 'B' && name != m.name { // its end is missing: it has this one's
		r.pair(r.pop(), m, crashTag)
		kind, name = r.top()
	}
	for kind == 'T' && name == m.name {
		r.pop()
		kind, name = r.top()
	}
	last := len(r.deep) - 1
	switch {
	case last >= 0 && r.deep[last].name == m.name:
		r.deep = append(r.deep, m)
	case kind == 'T':
		r.deep = append(r.deep, m, r.pop())
	case kind == 'E' || kind == 'e':
		r.deep = append(r.deep, m, r.pop())
	case kind == 'B':
		r.pair(r.pop(), m, "")
	}
}

func (r *rheaRepair) begin(m rheaMark) {
	for i := len(r.deep) - 1; i >= 0; i-- {
		if r.deep[i].name == m.name {
			r.pair(m, r.deep[i], "")
			r.deep = slices.Delete(r.deep, i, i+1)
			return
		}
	}
	r.pair(m, m, crashTag)
}
