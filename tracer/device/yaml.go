package device

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"artifice/internal/yamlfile"
	"artifice/sampler"
)

// maxCost is the maximum of a time of a device.
const maxCost = time.Second

// field is one number of a device in YAML.
type field struct {
	section string // sampling, instrumented or tools
	key     string
	value   *time.Duration
	meaning string
}

// fields returns all numbers of d, in the order in which they are written.
func (d *Device) fields() []field {
	return []field{
		{"sampling", "overshoot", &d.Sampling.Overshoot, "delay of the end of a sleep"},
		{"sampling", "overshoot-spread", &d.Sampling.OvershootSpread, "standard deviation of the delay"},
		{"sampling", "per-tick", &d.Sampling.PerTick, "pause of the app for a sample, before the first thread"},
		{"sampling", "per-thread", &d.Sampling.PerThread, "pause for each thread"},
		{"sampling", "per-frame", &d.Sampling.PerFrame, "pause for each frame of a stack"},
		{"sampling", "resume", &d.Sampling.Resume, "further delay of a running thread until it is scheduled again"},
		{"sampling", "clock-overhead", &d.Sampling.ClockOverhead, "one read of both clocks, as stated by a file with both"},
		{"sampling", "granularity", &d.Sampling.Granularity, "step of the clocks"},
		{"instrumented", "cpu-read", &d.Instrumented.CPURead, "one read of the thread CPU clock"},
		{"instrumented", "wall-read", &d.Instrumented.WallRead, "one read of the wall clock"},
		{"instrumented", "hook", &d.Instrumented.Hook, "remaining cost of an event"},
		{"instrumented", "compiled", &d.Instrumented.Compiled, "total cost of an event in compiled code"},
		{"instrumented", "code", &d.Instrumented.Code, "added time per microsecond of managed code"},
		{"instrumented", "interpreted", &d.Instrumented.Interpreted, "the same for a release build, up to Android 13"},
		{"instrumented", "granularity", &d.Instrumented.Granularity, "step of the clocks"},
		{"tools", "perf-copy", &d.Tools.PerfCopy, "copy of a stack by the kernel for simpleperf or Perfetto: mean"},
		{"tools", "perf-copy-most", &d.Tools.PerfCopyMax, "the same, maximum"},
		{"tools", "perf-write", &d.Tools.PerfWrite, "simpleperf's time to write a sample that it unwinds later"},
		{"tools", "perf-unwind", &d.Tools.PerfUnwind, "simpleperf's time to unwind a sample at once"},
		{"tools", "marker", &d.Tools.Marker, "begin or end of a section of android.os.Trace"},
		{"tools", "rhea-marker", &d.Tools.RheaMarker, "the same with RheaTrace 1"},
		{"tools", "exit-record", &d.Tools.ExitRecord, "entry or exit of a call with btrace 2"},
		{"tools", "beat", &d.Tools.Beat, "entry or exit of a call with Matrix"},
		{"tools", "nanoscope", &d.Tools.Nanoscope, "entry or exit of a call with nanoscope"},
	}
}

// share is a number of a device in YAML that is a fraction, from 0 to 1.
type share struct {
	key     string
	value   *float64
	meaning string
}

// shares returns the shares of the section tools.
func (t *Tools) shares() []share {
	return []share{
		{"unwind-unknown", &t.Unwind.Unknown, "share of simpleperf's and Perfetto's samples without a stack"},
		{"unwind-truncated", &t.Unwind.Truncated, "share of their samples with a truncated stack"},
		{"unwind-error", &t.Unwind.Error, "share of their samples with a stack that ends in an error"},
	}
}

// maxUnwound is the maximum number of frames that a failing walk finds.
const maxUnwound = 1000

// ReadYAML reads a device. Its numbers are times in Go's notation, 0 if absent:
//
//	name: mine
//	description: my phone
//	sampling:
//	  overshoot: 250us
//	  per-thread: 16us
//	instrumented:
//	  cpu-read: 3.3us
//	tools:
//	  perf-copy: 23us
//	  unwind-error: 0.1 # a share
//	origins:
//	  - {numbers: "overshoot", source: "a guess", kind: assumed}
//
// The kind of an origin is measured, published, assumed, unknown or, for an ideal device, defined;
// the default is assumed.
//
// A device without tools has the published values of the built-in ones, with their origins.
//
// no-core is a share, from 0 to 1, and requires no-core-most.
//
// overshoot-quantiles, a distribution, replaces overshoot and overshoot-spread. It is a list of at
// least two times: the minimum, the quantiles at equal steps of probability, and the maximum.
// per-tick-quantiles does the same for per-tick.
//
// Errors name file, line and column, and quote the offending text.
func ReadYAML(r io.Reader, name string) (Device, error) {
	root, err := yamlfile.Read(r, name)
	if err != nil {
		return Device{}, err
	}
	top := root.Fields()
	top.Require("name")
	d := Device{Name: top.String("name"), Description: top.String("description")}
	for _, section := range []string{"sampling", "instrumented", "tools"} {
		if n := top.Node(section); n != nil {
			top.Fail(d.readSection(n, section))
		}
	}
	for _, n := range top.List("origins") {
		f := n.Fields()
		o := Origin{Numbers: f.String("numbers"), Source: f.String("source"), Kind: Assumed}
		if kind := f.Node("kind"); kind != nil {
			var err error
			if o.Kind, err = parseKind(f.String("kind")); err != nil {
				f.Fail(kind.Errorf("%s", err))
			}
		}
		d.Origins = append(d.Origins, o)
		top.Fail(f.Err())
	}
	if top.Node("tools") == nil {
		d = d.withPublishedTools()
	}
	return d, top.Err()
}

func (d *Device) readSection(n *yamlfile.Node, section string) error {
	values := n.Fields()
	for _, f := range d.fields() {
		if f.section != section {
			continue
		}
		*f.value = values.Duration(f.key, 0)
		if *f.value > maxCost {
			values.Fail(values.Node(f.key).Errorf("more than %s", maxCost))
		}
	}
	for _, t := range d.distributions() {
		if t.section == section {
			t.read(d, values)
		}
	}
	switch section {
	case "tools":
		d.Tools.Unwind.read(values, &d.Tools)
	case "sampling":
		d.readNoCore(values)
	}
	return values.Err()
}

// Keys of [sampler.Cost].NoCore and NoCoreMax, which are read and written both or not at all.
const noCore, noCoreMax = "no-core", "no-core-most"

// readNoCore reads the share of sleeps that end while no core is free.
func (d *Device) readNoCore(values *yamlfile.Fields) {
	s := &d.Sampling
	s.NoCore, s.NoCoreMax = values.Float(noCore, 0, 0, 1), values.Duration(noCoreMax, 0)
	switch share, most := values.Node(noCore), values.Node(noCoreMax); {
	case s.NoCoreMax > maxCost:
		values.Fail(most.Errorf("more than %s", maxCost))
	case s.NoCore > 0 && s.NoCoreMax == 0:
		values.Fail(share.Errorf("also state no-core-most, the longest wait of a sampler for a core"))
	case s.NoCore == 0 && s.NoCoreMax > 0:
		values.Fail(most.Errorf("also state no-core, the share of sleeps that end without a free core"))
	}
}

// read reads the shares of failing walks.
func (u *Unwind) read(values *yamlfile.Fields, t *Tools) {
	all := 0.0
	for _, s := range t.shares() {
		*s.value = values.Float(s.key, 0, 0, 1)
		if all += *s.value; all > 1 {
			values.Fail(values.Node(s.key).Errorf("the shares of failed walks sum to more than 1"))
		}
	}
	u.Frames = int(values.Int("unwind-frames", int64(published.Unwind.Frames), 0, maxUnwound))
}

// WriteYAML writes d in the format of [ReadYAML], with a comment on each number.
func (d Device) WriteYAML(w io.Writer) error {
	text := fmt.Sprintf("name: %q\ndescription: %q\n", d.Name, d.Description)
	section := ""
	for _, f := range d.fields() {
		if f.section != section {
			section = f.section
			text += section + ":\n"
		}
		if s := &d.Sampling; f.key == "per-tick" && s.NoCore > 0 {
			text += fmt.Sprintf("  %-18s %-9v # share of sleeps after which no core is free until a thread of the app waits\n", noCore+":", s.NoCore)
			text += fmt.Sprintf("  %-18s %-9s # longest wait of the sampler in that case\n", noCoreMax+":", s.NoCoreMax)
		}
		if t := d.distributionOf(f); t != nil && len(*t.value) > 0 {
			if f.key == t.summary[0] {
				text += t.yaml()
			}
			continue
		}
		text += fmt.Sprintf("  %-18s %-9s # %s\n", f.key+":", *f.value, f.meaning)
	}
	for _, s := range d.Tools.shares() {
		text += fmt.Sprintf("  %-18s %-9v # %s\n", s.key+":", *s.value, s.meaning)
	}
	text += fmt.Sprintf("  %-18s %-9d # %s\n", "unwind-frames:", d.Tools.Unwind.Frames, "number of innermost frames in truncated and failed stacks")
	if len(d.Origins) > 0 {
		text += "origins:\n"
	}
	for _, o := range d.Origins {
		text += fmt.Sprintf("  - {numbers: %q, source: %q, kind: %s}\n", o.Numbers, o.Source, o.Kind)
	}
	_, err := io.WriteString(w, text)
	return err
}

// distribution is a list of quantiles in YAML. It replaces one or two numbers, which are computed
// from it.
type distribution struct {
	section, key string
	value        *sampler.Quantiles
	summary      []string // keys of the mean and, if there are two, of the standard deviation
	meaning      string
}

// distributions returns the distributions of d.
func (d *Device) distributions() []distribution {
	return []distribution{
		{"sampling", "overshoot-quantiles", &d.Sampling.Overshoots,
			[]string{"overshoot", "overshoot-spread"}, "delay of the end of a sleep"},
		{"sampling", "per-tick-quantiles", &d.Sampling.PerTicks,
			[]string{"per-tick"}, "pause of the app for a sample, before the first thread"},
	}
}

// distributionOf returns the distribution from which a number is computed, or nil if there is none.
func (d *Device) distributionOf(f field) *distribution {
	for _, t := range d.distributions() {
		if t.section == f.section && slices.Contains(t.summary, f.key) {
			return &t
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
			values.Fail(n.Errorf("%s follows from %s; state only one of the two", key, t.key))
		}
	}
	q, err := readQuantiles(values.Node(t.key), list)
	if err != nil {
		values.Fail(err)
		return
	}
	*t.value = q
	t.summarise(d, q)
}

// readQuantiles reads the list that is the value of node.
func readQuantiles(node *yamlfile.Node, list []*yamlfile.Node) (sampler.Quantiles, error) {
	if len(list) < 2 {
		return nil, node.Errorf("a distribution needs a list of at least 2 durations, but the list has %d", len(list))
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
			return nil, n.Errorf("less than the previous quantile, %s", q[i-1])
		}
		q = append(q, v)
	}
	return q, nil
}

// summarise sets the numbers that are computed from q.
func (t *distribution) summarise(d *Device, q sampler.Quantiles) {
	mean, deviation := q.Moments()
	for i, v := range []time.Duration{mean, deviation}[:len(t.summary)] {
		for _, f := range d.fields() {
			if f.section == t.section && f.key == t.summary[i] {
				*f.value = v
			}
		}
	}
}

// yaml returns the distribution as YAML.
func (t *distribution) yaml() string {
	q := *t.value
	mean, deviation := q.Moments()
	var b strings.Builder
	fmt.Fprintf(&b, "  # %s: %d quantiles at equal steps from minimum\n"+
		"  # to maximum; mean %s, standard deviation %s\n  %s: [", t.meaning, len(q), mean, deviation, t.key)
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
