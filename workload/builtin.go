package workload

import (
	"bytes"
	"embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"artifice/trace"
)

//go:embed builtin/*.yaml
var builtinFiles embed.FS

// builtins are the built-in programs in list order. A file with a parameter in its text defines
// several programs.
var builtins = []struct {
	file       string
	name       string // %d: the parameter
	parameters []int  // none: the file is one program
}{
	{"w1-single-call", "w1-single-call", nil},
	{"w2-periodic", "w2-periodic", nil},
	{"w2-frame-60hz", "w2-frame-60hz", nil},
	{"w3-on-off", "w3-on-off", nil},
	{"w4-function-bias", "w4-function-bias", nil},
	{"w5-zipf", "w5-zipf-%d", []int{50, 500, 2000}},
	{"w6-random-tree", "w6-random-tree", nil},
	{"w7-deep-shallow", "w7-deep-shallow", nil},
	{"w8-threads", "w8-threads-%d", []int{1, 2, 4, 8, 16, 32, 64}},
	{"w9-rare-bursts", "w9-rare-bursts", nil},
	{"w10-two-lines", "w10-two-lines", nil},
	{"w11-messages", "w11-messages", nil},
	{"cold-start", "cold-start", nil},
	{"scroll", "scroll-%dhz", []int{60, 120}},
	{"network-client", "network-client", nil},
	{"game-loop", "game-loop", nil},
	{"gc-storm", "gc-storm", nil},
	{"mid-program", "mid-program", nil},
	{"tid-reuse", "tid-reuse", nil},
	{"proxy-calls", "proxy-calls", nil},
	{"long-session", "long-session", nil},
	{"pipeline", "pipeline", nil},
	{"convoy", "convoy", nil},
	{"photo-import", "photo-import", nil},
	{"yield-points", "yield-points", nil},
	{"idle", "idle-%d", []int{61}},
}

// Builtin returns the built-in programs: W1 to W11 of the benchmark, each with closed forms for the
// result of a sampler, programs modeled on real apps, and programs with traces that are difficult
// to read.
func Builtin() []*Program {
	var programs []*Program
	for _, v := range variants() {
		programs = append(programs, v.mustRead())
	}
	return programs
}

// ByName returns the built-in program with that name, or an error that lists the names.
func ByName(name string) (*Program, error) {
	var names []string
	for _, v := range variants() {
		if v.name == name {
			return v.mustRead(), nil
		}
		names = append(names, v.name)
	}
	return nil, fmt.Errorf("unknown workload %q; use one of %s", name, strings.Join(names, ", "))
}

// Must returns p, and panics if err is not nil: for names that are constants.
func Must(p *Program, err error) *Program {
	if err != nil {
		panic(err)
	}
	return p
}

// variant is a built-in program with its parameter.
type variant struct {
	name, file string
	n          int
}

// variants returns the variants of all built-in programs.
func variants() (all []variant) {
	for _, b := range builtins {
		if b.parameters == nil {
			all = append(all, variant{b.name, b.file, 1})
		}
		for _, n := range b.parameters {
			all = append(all, variant{fmt.Sprintf(b.name, n), b.file, n})
		}
	}
	return all
}

// mustRead reads the embedded file. It panics if the file is invalid, which a test excludes.
func (v variant) mustRead() *Program {
	n := v.n
	text, err := builtinFiles.ReadFile("builtin/" + v.file + ".yaml")
	if err != nil {
		panic(err)
	}
	// $N in the text is the parameter, $WORKERS one less, $PERIOD its inverse.
	period := time.Duration(math.Round(float64(time.Second) / float64(n)))
	with := strings.NewReplacer("$N", strconv.Itoa(n), "$WORKERS", strconv.Itoa(n-1),
		"$PERIOD", strconv.FormatInt(int64(period), 10)+"ns").Replace(string(text))
	p, err := ReadYAML(strings.NewReader(with), v.file+".yaml")
	if err != nil {
		panic(err)
	}
	return p
}

// Slowed returns the same app with the self times of some methods multiplied by factor, which is
// above 0. Callees and waits are unchanged. It returns an error if no chosen method has a self
// time.
func (p *Program) Slowed(chosen func(*trace.Method) bool, factor float64) (*Program, error) {
	if !(factor > 0) || math.IsInf(factor, 1) {
		return nil, fmt.Errorf("workload %s: times multiplied by %v: must be above 0", p.Name, factor)
	}
	slow, err := ReadYAML(bytes.NewReader(p.source), p.Name)
	if err != nil {
		return nil, err
	}
	found := false
	for i := range slow.methods {
		m := &slow.methods[i]
		if !chosen(&m.Method) {
			continue
		}
		own := *m.at // a family has one body
		m.at, m.body = &own, copied(m.body)
		for s := range allSteps(m.body) {
			if s.kind == selfStep {
				s.time.Multiply(factor)
				found = true
			}
		}
	}
	if !found {
		return nil, fmt.Errorf("workload %s: no chosen method has self time", p.Name)
	}
	slow.compile()
	return slow, nil
}

// copied returns a deep copy of steps.
func copied(steps []step) []step {
	steps = slices.Clone(steps)
	for i := range steps {
		s := &steps[i]
		s.body, s.branches = copied(s.body), slices.Clone(s.branches)
		for j := range s.branches {
			s.branches[j].body = copied(s.branches[j].body)
		}
	}
	return steps
}
