// Command race compares the speed of artifice with its goals and with similar programs, and prints
// a table of measurements:
//
//	go run ./race your.trace
//
// Programs run as separate processes, in turns: artifice, which converts a method trace to a
// compressed profile on one core and on two, and the installed programs that read the same file. A
// trace of seconds is read in milliseconds, so the input is a trace repeated in time, with -events
// events; unmatched enters and exits are dropped. All times include reading the file and writing
// the result. A second file has stacks that never repeat.
//
// The other rows are Go benchmarks of the packages, also run in turns, with the cost of moving the
// bytes of an event's record without parsing them as a reference. Their goals are in nanoseconds on
// the machine on which they were set. The minimum over all turns (-rounds) counts: noise only adds
// time.
//
// The maximum speedup of two cores depends on the machine: on many servers two cores are
// hyperthreads of one. Each turn therefore measures it, and the last line prints it.
//
// A second table has the costs of other commands: CPU time, or maximum memory. Those that take
// seconds run once.
//
// -before COMMIT adds artifice at another commit.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"artifice/internal/testdata"
)

// race contains the flags and the measurements.
type race struct {
	events int
	rounds int
	before string // a commit to compare with; empty: none
	dir    string // for temporary files
	best   measures
	cores  cores

	repeated, distinct file
}

func main() {
	r := race{best: measures{}}
	flag.IntVar(&r.events, "events", 3_000_000, "number of events of the repeated trace")
	flag.IntVar(&r.rounds, "rounds", 5, "number of turns of each program and benchmark")
	flag.StringVar(&r.before, "before", "", "also run artifice at this `COMMIT`")
	programs := flag.Bool("programs", true, "run whole programs")
	benchmarks := flag.Bool("benchmarks", true, "run the benchmarks")
	flag.Parse()
	trace := filepath.Join(testdata.Root(), "..", "shared", "data", "traces", "instrumented-art-file.trace")
	if flag.NArg() == 1 {
		trace = flag.Arg(0)
	}
	if flag.NArg() > 1 || r.events < 1 || r.rounds < 1 {
		fmt.Fprintln(os.Stderr, "usage: race [-events N] [-rounds N] [-before COMMIT] [-programs=false] [-benchmarks=false] [TRACE]")
		os.Exit(2)
	}
	if err := r.run(trace, *programs, *benchmarks); err != nil {
		fmt.Fprintln(os.Stderr, "race:", err)
		os.Exit(1)
	}
}

func (r *race) run(trace string, programs, benchmarks bool) (err error) {
	if r.dir, err = os.MkdirTemp("", "race"); err != nil {
		return err
	}
	defer os.RemoveAll(r.dir)
	if programs {
		if err := r.programs(trace); err != nil {
			return err
		}
		if err := r.measureCosts(); err != nil {
			return err
		}
	}
	if benchmarks {
		if err := r.benchmarks(); err != nil {
			return err
		}
	}
	if err := r.best.print(os.Stdout); err != nil {
		return err
	}
	r.cores.print(os.Stdout)
	return r.printCosts(os.Stdout)
}
