package writer

import (
	"fmt"
	"time"

	"artifice/trace"
)

// SampleCount is how many samples were written one by one.
type SampleCount struct {
	N    int64
	sums int64 // of these, those of sums
	Most int   // of these
}

// mostTaken bounds the samples that were taken one by one, whose file is as large as the
// output.
const mostTaken = 1 << 24

func NewSampleCount(o *Options) SampleCount { return SampleCount{Most: o.Limits.OrDefault().Samples} }

// Each calls write with the time of each sample that a snapshot stands for: that of the
// first is known, the others are spread evenly up to its end. It fails when there are
// more than there may be: a few bytes of sums can stand for any number.
func (c *SampleCount) Each(s *trace.Snapshot, write func(at time.Duration) error) error {
	c.N += s.Count
	n, most := &c.N, max(c.Most, mostTaken)
	if s.Sum {
		c.sums += s.Count
		n, most = &c.sums, c.Most
	}
	if *n > int64(most) || *n < 0 {
		return fmt.Errorf("more than %d samples, for each of which the format has a record; write a profile (.pb.gz) or folded stacks, or raise the limit with --limit samples=N", most)
	}
	step, rest := (s.Until-s.Wall)/time.Duration(s.Count), (s.Until-s.Wall)%time.Duration(s.Count)
	for i := range time.Duration(s.Count) {
		if err := write(s.Wall + i*step + i*rest/time.Duration(s.Count)); err != nil {
			return err
		}
	}
	return nil
}
