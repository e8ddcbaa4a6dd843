package workload

import (
	"math"
	"slices"
	"time"

	"artifice/internal/yamlfile"
	"artifice/workload/internal/machine"
)

// Limits and defaults for a program's cores.
const (
	maxCores     = 64
	maxScheduled = 100 * time.Hour // maximum length of a truth on cores: sums stay within 64 bits
	defaultSlice = 4 * time.Millisecond
	defaultRamp  = 4 * time.Millisecond
	minSlice     = 10 * time.Microsecond
)

// readCores reads the cores that the threads share, and their time slice.
func (b *builder) readCores(f *yamlfile.Fields) {
	p := b.program
	for _, n := range f.List("cores") {
		c := n.Fields()
		count := c.Int("count", 1, 1, maxCores)
		one := machine.Core{Speed: int64(math.Round(1000 * c.Float("speed", 1, 0.001, 10))), Ramp: c.Duration("ramp", defaultRamp)}
		if ramp := c.Node("ramp"); ramp != nil && one.Ramp < minSlice {
			c.Fail(ramp.Errorf("at least %v", minSlice))
		}
		one.MHz = readClocks(c)
		f.Fail(c.Err())
		if len(p.code.Cores)+int(count) > maxCores {
			f.Fail(n.Errorf("more than %d cores", maxCores))
			return
		}
		p.code.Cores = append(p.code.Cores, slices.Repeat([]machine.Core{one}, int(count))...)
	}
	if n := f.Node("cores"); n != nil && n.Kind == yamlfile.List && len(n.Items) == 0 {
		f.Fail(n.Errorf("must have at least one core: omit the key if each thread has its own core"))
	}
	p.code.Slice = f.Duration("slice", defaultSlice)
	if n := f.Node("slice"); n != nil && (p.code.Slice < minSlice || len(p.code.Cores) == 0) {
		f.Fail(n.Errorf("the time slice of a thread on a core: must be at least %v, and needs the key cores", minSlice))
	}
}

// readClocks reads the clocks of a core, one or an ascending list.
func readClocks(c *yamlfile.Fields) (mhz []int64) {
	n := c.Node("mhz")
	if n == nil {
		return nil
	}
	items := n.Items
	if n.Kind == yamlfile.Scalar {
		items = []*yamlfile.Node{n}
	}
	for _, item := range items {
		v, err := item.Int(1, 100_000)
		c.Fail(err)
		if len(mhz) > 0 && v <= mhz[len(mhz)-1] {
			c.Fail(item.Errorf("the clock must be above the previous clock, %d MHz", mhz[len(mhz)-1]))
			return nil
		}
		mhz = append(mhz, v)
	}
	if len(mhz) == 0 {
		c.Fail(n.Errorf("expected a clock in MHz, or an ascending list of them"))
	}
	return mhz
}
