package expect

import "math"

// pair is a caller and a method.
type pair struct{ caller, method int32 }

// impossible counts the stacks with a pair of known methods that does not occur in the truth.
func (c *checker) impossible() (found Impossible) {
	if c.truth.lines == nil {
		return found // a list of shares may be incomplete
	}
	known := map[pair]bool{}
	for _, at := range c.ofTruth[1:] {
		known[pair{c.caller(at), c.all.methods[at]}] = true
	}
	times := map[pair]float64{}
	for i := range c.got {
		if c.got[i] <= 0 {
			continue
		}
		for at := int32(i); c.all.parents[at] > 0; at = c.all.parents[at] {
			p := pair{c.caller(at), c.all.methods[at]}
			if c.known[p.caller] && c.known[p.method] && !known[p] {
				found.Stacks++
				found.Share += c.got[i]
				times[p] += c.got[i]
				break
			}
		}
	}
	most := 0.
	for p, time := range times {
		text := c.all.names[p.caller] + " → " + c.all.names[p.method]
		if time > most || time == most && text < found.First {
			most, found.First = time, text
		}
	}
	return found
}

// caller returns the method of a context's caller; -1: none.
func (c *checker) caller(at int32) int32 {
	if at == 0 {
		return -1
	}
	return c.all.methods[c.all.parents[at]]
}

// depthLimit finds a number of frames that no sample exceeds. It finds none if the absence of
// deeper stacks may be due to chance, at the rate of the check.
func (c *checker) depthLimit() *DepthLimit {
	if c.want == nil {
		return nil
	}
	depth := c.all.depth()
	limit := int32(0)
	for i, share := range c.got {
		if share > 0 {
			limit = max(limit, depth[i])
		}
	}
	var deeper float64
	for i, share := range c.want {
		if depth[i] > limit {
			deeper += share
		}
	}
	n := c.profile.Samples
	if c.profile.Ticks > 0 {
		n = c.profile.Ticks
	}
	if deeper >= 1 || n*math.Log1p(-deeper) > math.Log(c.options.Rate) {
		return nil
	}
	return &DepthLimit{int(limit), deeper}
}
