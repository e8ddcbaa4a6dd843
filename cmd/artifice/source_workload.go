package main

import (
	"errors"
	"io/fs"
	"os"
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

// openWorkload returns a truth of the workload that name stands for: a built-in
// one or a file that ends in .yaml. ok is false when name stands for neither.
func openWorkload(name string, f truthFlags) (rec *trace.Recording, ok bool, err error) {
	program := workload.ByName(name)
	if isWorkloadFile(name) {
		file, err := os.Open(name)
		if err != nil {
			return nil, true, err
		}
		defer file.Close()
		if program, err = workload.ReadYAML(file, name); err != nil {
			return nil, true, err
		}
	}
	if program == nil {
		return nil, false, nil
	}
	rec, err = program.Truth(f.config())
	return rec, true, err
}

// isWorkload reports whether name stands for a workload.
func isWorkload(name string) bool { return isWorkloadFile(name) || workload.ByName(name) != nil }

func isWorkloadFile(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// explainAbsent adds to the error of a file that does not exist that no
// workload has its name either, when it could be meant for one.
func explainAbsent(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(name, "./\\") {
		return &absentError{err}
	}
	return err
}

type absentError struct{ cause error }

func (e *absentError) Error() string {
	return e.cause.Error() + ", and no built-in workload is called so (artifice list)"
}

func (e *absentError) Unwrap() error { return e.cause }
