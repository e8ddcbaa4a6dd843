package plan

// Name says what the row is of: an interval, or every call.
func (r *Row) Name() string {
	if r.Interval == 0 {
		return "every call"
	}
	return r.Interval.String()
}

// rows returns all rows, that of every call first.
func (p *Plan) rows() (all []*Row) {
	if p.EveryCall != nil {
		all = append(all, p.EveryCall)
	}
	for i := range p.Rows {
		all = append(all, &p.Rows[i])
	}
	return all
}

// Within returns the rows within the budget, that of every call first.
func (p *Plan) Within() (all []*Row) {
	for _, row := range p.rows() {
		if row.Fits {
			all = append(all, row)
		}
	}
	return all
}

// Smallest returns the smallest change that MostTraces traces a side find, and by which row within the budget; nil: none.
func (p *Plan) Smallest() (change float64, by *Row) {
	for _, row := range p.Within() {
		if c := row.model.smallest(MostTraces); c == c && (by == nil || c < change) {
			change, by = c, row
		}
	}
	return change, by
}
