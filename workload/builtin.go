package workload

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed builtin/*.yaml
var builtinFiles embed.FS

// builtins are the built-in programs in the order of lists. A file whose text
// has a parameter stands for several programs.
var builtins = []struct {
	file       string
	parameters []int // values of $N; none: the file is one program
}{
	{"w1-single-call", nil},
	{"w2-periodic", nil},
	{"w2-frame-60hz", nil},
	{"w3-on-off", nil},
	{"w4-function-bias", nil},
	{"w5-zipf", []int{50, 500, 2000}},
	{"w6-random-tree", nil},
	{"w7-deep-shallow", nil},
	{"w8-threads", []int{1, 2, 4, 8, 16, 32, 64}},
	{"w9-rare-bursts", nil},
}

// Builtin returns the built-in programs: W1 to W9 of the benchmark, each with
// closed forms for what a sampler makes of it, and some shaped like real apps.
func Builtin() []*Program {
	var programs []*Program
	for _, b := range builtins {
		if b.parameters == nil {
			programs = append(programs, mustReadBuiltin(b.file, 0))
		}
		for _, n := range b.parameters {
			programs = append(programs, mustReadBuiltin(b.file, n))
		}
	}
	return programs
}

// ByName returns the built-in program of that name, or nil when there is none.
func ByName(name string) *Program {
	for _, b := range builtins {
		if b.file == name && b.parameters == nil {
			return mustReadBuiltin(b.file, 0)
		}
		for _, n := range b.parameters {
			if fmt.Sprintf("%s-%d", b.file, n) == name {
				return mustReadBuiltin(b.file, n)
			}
		}
	}
	return nil
}

// mustReadBuiltin reads an embedded file. It panics when the file is wrong,
// which a test excludes.
func mustReadBuiltin(file string, n int) *Program {
	text, err := builtinFiles.ReadFile("builtin/" + file + ".yaml")
	if err != nil {
		panic(err)
	}
	with := strings.NewReplacer("$N", strconv.Itoa(n), "$WORKERS", strconv.Itoa(n-1)).Replace(string(text))
	p, err := ReadYAML(strings.NewReader(with), file+".yaml")
	if err != nil {
		panic(err)
	}
	return p
}
