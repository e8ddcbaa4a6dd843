package view

// column adds n numbers.
func (e *encoder) column(n int, value func(int) uint64) column {
	c := column{At: e.size(), Count: int64(n)}
	for i := range n {
		e.number(value(i))
	}
	c.Bytes = e.size() - c.At
	return c
}

// differences adds n numbers that do not fall, each as its difference to the one
// before.
func (e *encoder) differences(n int, value func(int) int64) column {
	last := int64(0)
	return e.column(n, func(i int) uint64 {
		now := value(i)
		step := now - last
		last = now
		return uint64(step)
	})
}

// signed adds n numbers, each as its signed difference to the one before.
func (e *encoder) signed(n int, value func(int) int64) column {
	last := int64(0)
	return e.column(n, func(i int) uint64 {
		now := value(i)
		step := now - last
		last = now
		return zigzag(step)
	})
}

// zigzag returns a signed number as a short unsigned one.
func zigzag(n int64) uint64 { return uint64(n<<1) ^ uint64(n>>63) }

func (e *encoder) spans(spans []span) *spanColumns {
	return &spanColumns{
		Start:    e.differences(len(spans), func(i int) int64 { return e.at(spans[i].Start) }),
		Duration: e.column(len(spans), func(i int) uint64 { return uint64(e.units(spans[i].Duration)) }),
	}
}

func (e *encoder) texts(list []string) (t textTable) {
	t.Lengths = e.column(len(list), func(i int) uint64 { return uint64(len(list[i])) })
	t.At = e.size()
	for _, s := range list {
		e.text(s)
	}
	t.Bytes = e.size() - t.At
	return t
}
