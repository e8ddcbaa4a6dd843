// Command expect measures artifice expect on emulated profiles of built-in apps. It has its own
// samplers, faults and comparisons.
//
//	go run ./expect alarms          false alarms: correct profiles that fail, by sampler
//	go run ./expect phases          maximum probability of a false alarm over all phases
//	go run ./expect power           minimum detectable biases, relative to those of the most powerful tests
//	go run ./expect faults          injected faults that are identified
//	go run ./expect clean           correct profiles in which a fault is identified
//	go run ./expect margins FOLDER  margins in a checkout of Datadog's prof-correctness
package main

import (
	"errors"
	"flag"
	"io"
	"log"
	"os"
	"strings"
	"time"
)

var errUsage = errors.New("usage: expect [flags] alarms|phases|power|faults|clean|margins FOLDER")

func main() {
	log.SetFlags(0)
	profiles := flag.Int("profiles", 0, "`NUMBER` of profiles of an app; 0: as in research/README.md")
	apps := flag.String("apps", "", "`NAMES`, separated by commas; empty: as in research/README.md")
	sampler := flag.String("sampler", "", "with alarms, only samplers with the prefix `PREFIX`")
	keep := flag.String("keep", "", "with alarms, continue the counts in `FILE`")
	flag.Parse()
	if err := run(os.Stdout, options{flag.Arg(0), flag.Arg(1), *apps, *profiles, *sampler, *keep}); err != nil {
		log.Fatal(err)
	}
}

// options are the arguments of the program.
type options struct {
	table, folder, apps string
	profiles            int
	sampler, keep       string
}

// run prints a table.
func run(w io.Writer, o options) error {
	open := func(names []string, length time.Duration) ([]*program, error) {
		if o.apps != "" {
			names = strings.Split(o.apps, ",")
		}
		return newPrograms(names, length)
	}
	number := func(usual int) int {
		if o.profiles > 0 {
			return o.profiles
		}
		return usual
	}
	switch o.table {
	case "alarms":
		programs, err := open(alarmApps, 3*time.Second)
		if err != nil {
			return err
		}
		file, err := openAlarms(o.keep)
		if err != nil {
			return err
		}
		return printAlarms(w, programs, number(100), o.sampler, file)
	case "phases":
		programs, err := open(phaseApps, 10*time.Second)
		if err != nil {
			return err
		}
		return printPhases(w, programs)
	case "power":
		return printPower(w, []int{200, 1000, 6000, 60000}, []float64{0.001, 0.01, 0.05, 0.2, 0.5})
	case "faults":
		programs, err := open(faultApps, 10*time.Second)
		if err != nil {
			return err
		}
		return printFaults(w, programs, number(40), 1e-4)
	case "clean":
		programs, err := open(cleanApps, 5*time.Second)
		if err != nil {
			return err
		}
		return printClean(w, programs, number(1250))
	case "margins":
		return printMargins(w, o.folder)
	}
	return errUsage
}
