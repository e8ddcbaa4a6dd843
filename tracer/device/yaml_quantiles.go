package device

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"artifice/internal/yamlfile"
	"artifice/sampler"
)

// distribution is a list of quantiles in YAML that takes the place of one or two
// numbers, which follow from it.
type distribution struct {
	section, key string
	value        func(*Device) *sampler.Quantiles
	summary      []string // keys of the mean and, if there are two, of the standard deviation
	meaning      string
}

var distributions = []distribution{
	{"sampling", "overshoot-quantiles", func(d *Device) *sampler.Quantiles { return &d.Sampling.Overshoots },
		[]string{"overshoot", "overshoot-spread"}, "how much longer than asked a sleep takes"},
	{"sampling", "per-tick-quantiles", func(d *Device) *sampler.Quantiles { return &d.Sampling.PerTicks },
		[]string{"per-tick"}, "pause of the app for a sample, before the first thread"},
}

// distributionOf returns the distribution that a number follows from where there is
// one; nil: none can be given.
func distributionOf(f field) *distribution {
	for i := range distributions {
		if t := &distributions[i]; t.section == f.section && slices.Contains(t.summary, f.key) {
			return t
		}
	}
	return nil
}

// read reads the distribution into d, if there is one.
func (t *distribution) read(d *Device, values *yamlfile.Fields) {
	list := values.List(t.key)
	if list == nil {
		return
	}
	for _, key := range t.summary {
		if n := values.Node(key); n != nil {
			values.Fail(n.Errorf("%s follows from %s; give one of them", key, t.key))
		}
	}
	q, err := readQuantiles(values.Node(t.key), list)
	if err != nil {
		values.Fail(err)
		return
	}
	*t.value(d) = q
	t.summarise(d, q)
}

// readQuantiles reads the list that is the value of node.
func readQuantiles(node *yamlfile.Node, list []*yamlfile.Node) (sampler.Quantiles, error) {
	if len(list) < 2 {
		return nil, node.Errorf("a list of %d; a distribution needs two times or more", len(list))
	}
	var q sampler.Quantiles
	for i, n := range list {
		v, err := n.Duration()
		switch {
		case err != nil:
			return nil, err
		case v > maxCost:
			return nil, n.Errorf("more than %s", maxCost)
		case i > 0 && v < q[i-1]:
			return nil, n.Errorf("less than the quantile before it, %s", q[i-1])
		}
		q = append(q, v)
	}
	return q, nil
}

// summarise sets the numbers that follow from q.
func (t *distribution) summarise(d *Device, q sampler.Quantiles) {
	mean, deviation := q.Moments()
	for i, v := range []time.Duration{mean, deviation}[:len(t.summary)] {
		for _, f := range fields {
			if f.section == t.section && f.key == t.summary[i] {
				*f.value(d) = v
			}
		}
	}
}

// yaml is the distribution as YAML.
func (t *distribution) yaml(d *Device) string {
	q := *t.value(d)
	mean, deviation := q.Moments()
	var b strings.Builder
	fmt.Fprintf(&b, "  # %s: %d quantiles at equal steps from the least\n"+
		"  # to the greatest; mean %s, standard deviation %s\n  %s: [", t.meaning, len(q), mean, deviation, t.key)
	const perLine = 10
	for i, v := range q {
		switch {
		case i > 0 && i%perLine == 0:
			b.WriteString(",\n    ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(v.String())
	}
	b.WriteString("]\n")
	return b.String()
}
