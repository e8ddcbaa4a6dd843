package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"artifice/internal/testdata"
)

// The programs' names, the suffixes of their measures.
const (
	oneCore  = "/one core"
	twoCores = "/two cores"
	before   = "/before"
	dumper   = "/dmtracedump"
	perfetto = "/trace_processor_shell"
)

// program is a program that reads a method trace.
type program struct {
	name   string
	path   string
	args   func(trace string) []string
	env    string // added to the environment
	linear bool   // its cost is linear in the length of the trace, for any stacks
}

// programs runs all programs on both files, in turns. dmtracedump skips the file with stacks that
// never repeat, where it takes 50 microseconds per event.
func (r *race) programs(trace string) error {
	runners, err := r.runners()
	if err != nil {
		return err
	}
	files := []file{
		{name: repeated, path: filepath.Join(r.dir, "repeated.trace"), events: r.events},
		{name: distinct, path: filepath.Join(r.dir, "distinct.trace"), events: r.events / 4},
	}
	if err := files[0].repeat(trace); err != nil {
		return err
	}
	if err := files[1].distinct(); err != nil {
		return err
	}
	r.repeated, r.distinct = files[0], files[1]
	fmt.Printf("%s, repeated to %d events; best of %d turns\n", filepath.Base(trace), files[0].events, r.rounds)
	for _, f := range files {
		for range r.rounds {
			r.cores.measure()
			for _, p := range runners {
				if f.name == distinct && !p.linear {
					continue
				}
				took, err := p.run(f.path)
				if err != nil {
					return err
				}
				r.best.add(f.name+p.name, float64(took.Nanoseconds())/float64(f.events))
			}
		}
	}
	return nil
}

// runners returns artifice and the installed peers. It prints which are missing.
func (r *race) runners() ([]program, error) {
	own, err := testdata.Build(r.dir)
	if err != nil {
		return nil, err
	}
	convert := func(trace string) []string {
		return []string{"convert", trace, "-o", filepath.Join(r.dir, "out.pb.gz")}
	}
	all := []program{
		{oneCore, own, convert, "GOMAXPROCS=1", true},
		{twoCores, own, convert, "GOMAXPROCS=2", true},
	}
	if r.before != "" {
		old, err := testdata.BuildBefore(r.dir, r.before)
		if err != nil {
			return nil, err
		}
		all = append(all, program{before, old, convert, "GOMAXPROCS=2", true})
	}
	query := filepath.Join(r.dir, "query.sql")
	if err := os.WriteFile(query, []byte("select count(*) from slice;\n"), 0o666); err != nil {
		return nil, err
	}
	for _, peer := range []program{
		{dumper, "dmtracedump", func(trace string) []string { return []string{trace} }, "", false},
		{perfetto, "trace_processor_shell", func(trace string) []string { return []string{"-q", query, trace} }, "", true},
	} {
		path, err := exec.LookPath(peer.path)
		if err != nil {
			fmt.Printf("%s is not installed\n", peer.path)
			continue
		}
		peer.path = path
		all = append(all, peer)
	}
	return all, nil
}

// command runs a command in a folder. Its error contains the command's output.
func command(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

// run runs a program once, discards its output, and returns the duration.
func (p *program) run(trace string) (time.Duration, error) {
	cmd := exec.Command(p.path, p.args(trace)...)
	if p.env != "" {
		cmd.Env = append(os.Environ(), p.env)
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("%s: %w: %s", p.name, err, stderr.String())
	}
	return time.Since(start), nil
}
