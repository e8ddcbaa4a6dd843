package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"artifice/trace"
	"artifice/workload"
)

// truthFlags say which truth of a workload a command wants. The zero value is
// what commands without these flags take: seed 1 and the workload's own length.
type truthFlags struct {
	seed     *uint64
	duration time.Duration // 0: as the workload says
}

// defaultSeed is the seed unless a flag says.
const defaultSeed = 1

func (f truthFlags) config() workload.Config {
	c := workload.Config{Seed: defaultSeed, Duration: f.duration}
	if f.seed != nil {
		c.Seed = *f.seed
	}
	return c
}

// openWorkload opens s.name as a workload: one that is built in, one in a file
// that ends in .yaml, or the call tree in one that ends in .tree. Its truth is
// made while it is read, each time that it is opened.
func (s *source) openWorkload(ctx context.Context, f truthFlags) error {
	rec, err := truthOf(s.name, f)
	if err != nil {
		return err
	}
	s.Recording = rec
	s.deliver(ctx)
	return nil
}

// truthOf returns the truth of the workload that name stands for.
func truthOf(name string, f truthFlags) (*trace.Recording, error) {
	switch filepath.Ext(name) {
	case ".yaml", ".yml":
		p, err := readWorkloadFile(name, workload.ReadYAML)
		if err != nil {
			return nil, err
		}
		return p.Truth(f.config())
	case ".tree":
		if f.duration != 0 {
			return nil, usagef("--duration: a call tree is as long as its lines say")
		}
		return readWorkloadFile(name, workload.ReadTree)
	}
	return workload.ByName(name).Truth(f.config())
}

// readWorkloadFile reads the file called name by read.
func readWorkloadFile[T any](name string, read func(io.Reader, string) (T, error)) (made T, err error) {
	file, err := os.Open(name)
	if err != nil {
		return made, err
	}
	defer file.Close()
	return read(file, name)
}

// isWorkload reports whether name stands for a workload.
func isWorkload(name string) bool {
	switch filepath.Ext(name) {
	case ".yaml", ".yml", ".tree":
		return true
	}
	return workload.ByName(name) != nil
}

// explainAbsent adds to the error of a file that does not exist that no
// workload has its name either, when it could be meant for one.
func explainAbsent(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(name, "./\\") {
		return &absentError{name, err}
	}
	return err
}

// absentError is a source that is neither a file nor a workload.
type absentError struct {
	name  string
	cause error
}

func (e *absentError) Error() string {
	return fmt.Sprintf("%v, and no built-in workload is called so (artifice list)%s", e.cause, didYouMean(e.name, names(workloadEntries())))
}

func (e *absentError) Unwrap() error { return e.cause }
