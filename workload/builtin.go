package workload

import (
	"embed"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

//go:embed builtin/*.yaml
var builtinFiles embed.FS

// builtins are the built-in programs in the order of lists. A file whose text
// has a parameter stands for several programs.
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

// Builtin returns the built-in programs: W1 to W11 of the benchmark, each with
// closed forms for what a sampler makes of it, some shaped like real apps, and
// some whose traces are difficult to read.
func Builtin() []*Program {
	var programs []*Program
	eachBuiltin(func(name, file string, n int) {
		programs = append(programs, mustReadBuiltin(file, n))
	})
	return programs
}

// ByName returns the built-in program of that name, or nil when there is none.
func ByName(name string) (p *Program) {
	eachBuiltin(func(known, file string, n int) {
		if known == name {
			p = mustReadBuiltin(file, n)
		}
	})
	return p
}

func eachBuiltin(visit func(name, file string, n int)) {
	for _, b := range builtins {
		if b.parameters == nil {
			visit(b.name, b.file, 1)
		}
		for _, n := range b.parameters {
			visit(fmt.Sprintf(b.name, n), b.file, n)
		}
	}
}

// mustReadBuiltin reads an embedded file. It panics when the file is wrong,
// which a test excludes.
func mustReadBuiltin(file string, n int) *Program {
	text, err := builtinFiles.ReadFile("builtin/" + file + ".yaml")
	if err != nil {
		panic(err)
	}
	// $N in the text is the parameter, $WORKERS one less, $PERIOD its inverse.
	period := time.Duration(math.Round(float64(time.Second) / float64(n)))
	with := strings.NewReplacer("$N", strconv.Itoa(n), "$WORKERS", strconv.Itoa(n-1),
		"$PERIOD", strconv.FormatInt(int64(period), 10)+"ns").Replace(string(text))
	p, err := ReadYAML(strings.NewReader(with), file+".yaml")
	if err != nil {
		panic(err)
	}
	return p
}
