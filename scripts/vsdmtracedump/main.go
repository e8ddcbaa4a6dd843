// Command vsdmtracedump times artifice's conversion of a method trace to a
// profile side by side with Android's dmtracedump, which makes its report of the
// same file, and prints how many times faster artifice is:
//
//	go run ./scripts/vsdmtracedump your.trace
//
// A trace lasts seconds and is read in milliseconds, so it is repeated, one run
// after the other in time, until it has enough events (-events) to time; frames
// without their other half are left out. The two programs take turns, and the
// best time of each counts: noise only ever adds. Both start as processes of
// their own, and both times include reading the file and writing the result.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"artifice/internal/truths"
	"artifice/reader"
	"artifice/trace"
	"artifice/writer"
)

func main() {
	events := flag.Int("events", 3_000_000, "events of the repeated trace")
	rounds := flag.Int("rounds", 5, "turns of each program")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: vsdmtracedump [-events N] [-rounds N] TRACE")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *events, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "vsdmtracedump:", err)
		os.Exit(1)
	}
}

func run(name string, events, rounds int) error {
	dir, err := os.MkdirTemp("", "vsdmtracedump")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "artifice")
	if out, err := exec.Command("go", "build", "-o", program, "artifice/cmd/artifice").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	file := filepath.Join(dir, "repeated.trace")
	n, err := repeat(name, file, events)
	if err != nil {
		return err
	}
	ours, theirs := time.Duration(1<<62), time.Duration(1<<62)
	for range rounds {
		ours, err = best(ours, program, "convert", file, "-o", filepath.Join(dir, "out.pb.gz"))
		if err != nil {
			return err
		}
		theirs, err = best(theirs, "dmtracedump", file)
		if err != nil {
			return err
		}
	}
	perEvent := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / float64(n) }
	fmt.Printf("%s, repeated to %d events; best of %d\n", filepath.Base(name), n, rounds)
	fmt.Printf("dmtracedump                 %8.0f ms  %6.1f ns/event\n", theirs.Seconds()*1000, perEvent(theirs))
	fmt.Printf("artifice convert to .pb.gz  %8.0f ms  %6.1f ns/event  %.1f times faster\n",
		ours.Seconds()*1000, perEvent(ours), theirs.Seconds()/ours.Seconds())
	return nil
}

// best runs a program, its output thrown away, and returns the smaller of its
// time and best so far.
func best(sofar time.Duration, program string, args ...string) (time.Duration, error) {
	cmd := exec.Command(program, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("%s: %w: %s (dmtracedump is in Debian's package of that name)", filepath.Base(program), err, stderr.String())
	}
	return min(sofar, time.Since(start)), nil
}

// repeat writes the calls of a trace to a classic file again and again, and
// returns how many events it has.
func repeat(from, to string, events int) (n int, err error) {
	in, err := reader.Open(from, reader.Config{})
	if err != nil {
		return 0, err
	}
	defer in.Close()
	var all trace.Buffer
	if _, err := trace.Copy(&all, in.Events); err != nil {
		return 0, err
	}
	calls, span := truths.Calls(all.Events)
	if len(calls) == 0 {
		return 0, fmt.Errorf("%s: no call is whole", from)
	}
	out, err := os.Create(to)
	if err != nil {
		return 0, err
	}
	defer out.Close()
	rec := &trace.Recording{Info: in.Info, Symbols: in.Symbols}
	w, err := writer.NewDmtrace(out, rec, writer.DmtraceConfig{Format: "art"})
	if err != nil {
		return 0, err
	}
	for ; n < events; n += len(calls) {
		if err := w.WriteEvents(calls); err != nil {
			return 0, err
		}
		truths.Shift(calls, span)
	}
	if err := w.Close(); err != nil {
		return 0, err
	}
	return n, out.Close()
}
