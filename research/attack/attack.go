package main

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"artifice/internal/testdata"
)

// attack is a series of runs of the program on generated files.
type attack struct {
	seed     uint64
	timing   bool      // CPU time is compared with that of double the input
	keep     string    // folder of the files of failed cases; "": they are not saved
	out      io.Writer // for failures and the table
	folder   string    // temporary
	program  string
	baseline int64 // peak memory of the program without an input
	classes  []class
	runs     int
	failed   int
	cells    map[cell]*worst
}

// each is the number of commands run on an input in a round, so that every class has its turn
// early.
const each = 2

// prepare measures the program without an input and lists the classes.
func (a *attack) prepare() error {
	a.cells = map[cell]*worst{}
	ran, err := a.exec(a.folder, []string{"--version"}, limits{memory: 1 << 32, cpu: 10 * time.Second, file: 1 << 32})
	if err != nil {
		return err
	}
	if ran.status != 0 {
		return fmt.Errorf("artifice --version: status %d: %s", ran.status, ran.stderr)
	}
	a.baseline = ran.memory
	seeds, err := a.validFiles()
	if err != nil {
		return err
	}
	a.classes = slices.Concat(pprofClasses, chainClasses, textClasses, traceClasses, jsonClasses, wireClasses, otlpClasses, companionClasses, packedClasses, seeds, fieldFiles())
	return nil
}

// draw runs rounds until the time is over.
func (a *attack) draw(end time.Time) error {
	for round := 0; time.Now().Before(end); round++ {
		if err := a.round(round, each, end); err != nil {
			return err
		}
	}
	return nil
}

// round generates one input of every class and runs a number of the commands on it. All commands
// have had their turn after some rounds.
func (a *attack) round(round, each int, end time.Time) error {
	for _, i := range a.random("order", round).Perm(len(a.classes)) {
		c := &a.classes[i]
		list := commandsFor(c.role)
		order := a.random(c.name, -1).Perm(len(list))
		for k := range min(each, len(list)) {
			if time.Now().After(end) {
				return nil
			}
			if err := a.try(c, list[order[(round*each+k)%len(list)]], round); err != nil {
				return err
			}
		}
	}
	return nil
}

// one runs the case with a name.
func (a *attack) one(name string) error {
	parts := strings.Split(name, "/")
	if len(parts) != 3 {
		return fmt.Errorf("-case %s: want CLASS/COMMAND/ROUND", name)
	}
	round, err := strconv.Atoi(parts[2])
	if err != nil {
		return fmt.Errorf("-case %s: the round is not a number", name)
	}
	for i := range a.classes {
		for _, cmd := range commandsFor(a.classes[i].role) {
			if a.classes[i].name == parts[0] && cmd.name == parts[1] {
				return a.try(&a.classes[i], cmd, round)
			}
		}
	}
	return fmt.Errorf("-case %s: no such class or command", name)
}

// random returns the generator of a class in a round, which does not depend on other cases.
func (a *attack) random(name string, round int) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s/%d", name, round)
	return rand.New(rand.NewPCG(a.seed, h.Sum64()))
}

// sizes are those of the inputs, in the order of the rounds. The first is large enough to detect
// quadratic time.
var sizes = []int{1 << 20, 1 << 12, 1 << 18, 1 << 16}

// input returns a class's input of a round, scaled to scale times its size.
func (a *attack) input(c *class, round, scale int) input {
	r := a.random(c.name, round)
	in := c.make(r, scale*sizes[round%len(sizes)])
	if in.unpacked == 0 {
		in.unpacked = int64(len(in.data))
	}
	return in
}

// try runs a case, prints the failures, and adds it to the table.
func (a *attack) try(c *class, cmd *command, round int) error {
	in := a.input(c, round, 1)
	ran, wrong, err := a.check(c, cmd, &in)
	if err != nil {
		return err
	}
	a.runs++
	if a.timing && len(wrong) == 0 && ran.cpu > slow && !c.fixed {
		text, err := a.compare(c, cmd, round, ran.cpu)
		if err != nil {
			return err
		}
		if text != "" {
			wrong = append(wrong, text)
		}
	}
	a.note(c, cmd, &ran, &in)
	if len(wrong) == 0 {
		return nil
	}
	name := fmt.Sprintf("%s/%s/%d", c.name, cmd.name, round)
	a.failed++
	fmt.Fprintf(a.out, "FAIL %s: %s\n", name, strings.Join(wrong, "; "))
	return a.reproduce(c, cmd, name, round, &in)
}

// reproduce prints the command that repeats a case, and saves its file.
func (a *attack) reproduce(c *class, cmd *command, name string, round int, in *input) error {
	if a.keep == "" {
		fmt.Fprintf(a.out, "    go run ./attack -seed %d -case %s -keep DIR\n", a.seed, name)
		return nil
	}
	if err := os.MkdirAll(a.keep, 0o777); err != nil {
		return err
	}
	file := filepath.Join(a.keep, fmt.Sprintf("%d-%s-%d%s", a.seed, c.name, round, c.ending))
	if err := os.WriteFile(file, in.data, 0o666); err != nil {
		return err
	}
	fmt.Fprintf(a.out, "    artifice %s\n", strings.Join(cmd.args(file, filepath.Join(a.keep, "out")), " "))
	return nil
}

// slow is the minimum CPU time for which a case is compared with one of double size.
const slow = time.Second

// compare runs a case with input of double size. It returns an error message if the CPU time grows
// faster than the input.
func (a *attack) compare(c *class, cmd *command, round int, single time.Duration) (wrong string, err error) {
	one, two := a.input(c, round, 1), a.input(c, round, 2)
	growth := float64(two.unpacked) / float64(one.unpacked)
	if growth < 1.5 || growth > 3 {
		return "", nil // the class decides its size by itself
	}
	cpu := func(in *input) (time.Duration, error) {
		ran, _, err := a.check(c, cmd, in)
		return ran.cpu, err
	}
	return superlinear(growth, single, func() (time.Duration, error) { return cpu(&one) }, func() (time.Duration, error) { return cpu(&two) })
}

// superlinear returns an error message if the CPU time of an input that is growth times as large
// exceeds 1.5 times growth times that of the single input. It measures both up to twice, and uses
// the longest time of the single input and the shortest one of the larger input. The first time of
// the single input is given.
func superlinear(growth float64, single time.Duration, one, two func() (time.Duration, error)) (wrong string, err error) {
	double := time.Duration(math.MaxInt64)
	for range 2 {
		cpu, err := two()
		if err != nil {
			return "", err
		}
		if double = min(double, cpu); float64(double) <= 1.5*growth*float64(single) {
			return "", nil
		}
		if cpu, err = one(); err != nil {
			return "", err
		}
		single = max(single, cpu)
	}
	if float64(double) <= 1.5*growth*float64(single) {
		return "", nil
	}
	return fmt.Sprintf("%.1f times the input takes %.1f times the CPU time (%.1f s, %.1f s)", growth, double.Seconds()/single.Seconds(), single.Seconds(), double.Seconds()), nil
}

// errSetup is an error of the machine, not of a case.
var errSetup = errors.New("cannot run the program")

// exec runs the program, in a folder with subfolders out and tmp for its files.
func (a *attack) exec(dir string, args []string, l limits) (outcome, error) {
	testdata.Shrink()
	ran, err := execute(a.program, dir, args, l)
	if err != nil {
		return ran, fmt.Errorf("%w: %w", errSetup, err)
	}
	return ran, nil
}
