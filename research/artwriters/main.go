// Command artwriters compares the emulator with trace.cc of ART 13 to 16, and writes the hashes for
// TestART of package tracer.
//
//	go run ./artwriters -drivers FOLDER [-workloads a,b] [-update]
//
// This project contains neither ART nor a program with a part of it, and no means to build one: the
// folder of the programs is an argument.
//
// # Drivers
//
// FOLDER contains a program for each version, with the names of artgolden.Versions (13, 14, 14q,
// 15, 16). Versions without a program are skipped. A program consists of ART's unmodified trace.cc,
// a few more files of ART, and the code in the folder driver, which replaces the rest of the
// runtime. Its command line is
//
//	PROGRAM SCRIPT OUT i|s|l INTERVAL-US dual|wall|cpu v1|v2 file|stream BUFFER-BYTES [CPU-READ-NS WALL-READ-NS]
//
// It reads a truth in the format of artgolden.Truth.Script, replays it under a virtual clock,
// instrumented (i), sampled (s) or for long-running methods (l, trace_profile.cc of 16), and writes
// the trace to OUT. Reads of clocks take the given times, or none.
//
// # Comparison
//
// The program prints a line for each cell: "equal" (the same bytes), "normal" (the same in normal
// form, see artgolden.Normalize) or "differs". The last lines are counts by version. With -update,
// the hashes of all cells replace those in testdata.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"artifice/internal/testdata"
	"artifice/internal/testdata/artgolden"
	"artifice/trace"
)

// hashesFile contains the hashes for TestART.
var hashesFile = filepath.Join(testdata.Root(), "tracer", "testdata", "hashes.txt")

// longest is the time limit of a driver for a trace.
const longest = time.Minute

func main() {
	drivers := flag.String("drivers", "", "folder of the programs, one for each version of ART")
	only := flag.String("workloads", strings.Join(artgolden.Workloads, ","), "workloads, separated by commas")
	update := flag.Bool("update", false, "write the hashes to "+hashesFile)
	flag.Parse()
	err := errors.New("-drivers FOLDER is required; go doc ./artwriters describes its content")
	if *drivers != "" {
		err = run(*drivers, strings.Split(*only, ","), *update)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "artwriters:", err)
		os.Exit(1)
	}
}

func run(drivers string, workloads []string, update bool) error {
	temp, err := os.MkdirTemp("", "artwriters")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	m := &matrix{temp: temp, hashes: artgolden.Hashes{}, counts: map[string]map[string]int{}}
	for _, v := range artgolden.Versions {
		program := filepath.Join(drivers, v.Name)
		if _, err := os.Stat(program); err != nil {
			fmt.Printf("%s is skipped: %v\n", v.Name, err)
			continue
		}
		m.programs = append(m.programs, driver{v, program})
	}
	for _, name := range workloads {
		if err := m.workload(name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if update {
			if err := m.save(); err != nil {
				return err
			}
		}
	}
	m.summary()
	return nil
}

// driver is the program of a version.
type driver struct {
	artgolden.Version
	path string
}

// matrix contains the results.
type matrix struct {
	temp     string
	programs []driver
	hashes   artgolden.Hashes
	counts   map[string]map[string]int // by version and verdict
}

// workload runs all cells of a workload.
func (m *matrix) workload(name string) error {
	truth, err := artgolden.NewTruth(name)
	if err != nil {
		return err
	}
	var script bytes.Buffer
	if err := truth.Script(&script); err != nil {
		return err
	}
	file := filepath.Join(m.temp, "script")
	if err := os.WriteFile(file, script.Bytes(), 0o600); err != nil {
		return err
	}
	sum := sha256.Sum256(script.Bytes())
	m.hashes[artgolden.TruthKey(name)] = hex.EncodeToString(sum[:12])
	for _, d := range m.programs {
		for _, c := range artgolden.Cells(name, d.Version) {
			if err := m.cell(d, truth, file, c); err != nil {
				return fmt.Errorf("%s: %w", c, err)
			}
		}
	}
	return nil
}

// cell runs one cell and prints its line.
func (m *matrix) cell(d driver, truth *artgolden.Truth, script string, c artgolden.Cell) error {
	theirs, err := d.run(script, filepath.Join(m.temp, "out"), c)
	if err != nil {
		return err
	}
	hash, err := artgolden.Hash(theirs, c)
	if err != nil {
		return fmt.Errorf("ART's file: %w", err)
	}
	m.hashes[c.String()] = hash
	ours, err := artgolden.Emulate(truth, c)
	if err != nil {
		return err
	}
	verdict := "differs"
	if bytes.Equal(ours, theirs) {
		verdict = "equal"
	} else if own, err := artgolden.Hash(ours, c); err == nil && own == hash {
		verdict = "normal"
	}
	if m.counts[c.Version] == nil {
		m.counts[c.Version] = map[string]int{}
	}
	m.counts[c.Version][verdict]++
	fmt.Printf("%-8s %s (ART: %d bytes, artifice: %d)\n", verdict, c, len(theirs), len(ours))
	return nil
}

// run returns the file of ART's tracer for a cell.
func (d driver) run(script, out string, c artgolden.Cell) ([]byte, error) {
	args := []string{script, out, "i", "0", "dual", "v1", "file", strconv.FormatInt(c.Buffer, 10)}
	switch {
	case c.Sampled:
		args[2], args[3] = "s", "1000"
	case c.LongRun:
		args[2] = "l"
	}
	switch c.Clock {
	case trace.Wall:
		args[4] = "wall"
	case trace.ThreadCPU:
		args[4] = "cpu"
	}
	if c.V2 {
		args[5] = "v2"
	}
	if c.Streaming {
		args[6] = "stream"
	}
	if c.Costs {
		args = append(args, fmt.Sprint(artgolden.CPURead.Nanoseconds()), fmt.Sprint(artgolden.WallRead.Nanoseconds()))
	}
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	if text, err := exec.CommandContext(ctx, d.path, args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s %s: %w: %s", d.path, strings.Join(args, " "), err, text)
	}
	return os.ReadFile(out)
}

// summary prints the counts.
func (m *matrix) summary() {
	fmt.Println("ART    equal  normal differs")
	for _, v := range artgolden.Versions {
		if n := m.counts[v.Name]; n != nil {
			fmt.Printf("%-6s %5d %7d %7d\n", v.Name, n["equal"], n["normal"], n["differs"])
		}
	}
}

// save writes the hashes, sorted, and keeps those of cells that were not run.
func (m *matrix) save() error {
	if f, err := os.Open(hashesFile); err == nil {
		old, err := artgolden.ReadHashes(f)
		f.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", hashesFile, err)
		}
		for key, hash := range old {
			if _, run := m.hashes[key]; !run {
				m.hashes[key] = hash
			}
		}
	}
	keys := make([]string, 0, len(m.hashes))
	for key := range m.hashes {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	var text strings.Builder
	text.WriteString("# What trace.cc of ART wrote, in normal form; research/artwriters -update makes this file.\n" +
		"# workload, version, mode, clock, output, format, buffer: SHA-256, first 12 bytes\n")
	for _, key := range keys {
		fmt.Fprintf(&text, "%s %s\n", key, m.hashes[key])
	}
	return os.WriteFile(hashesFile, []byte(text.String()), 0o644)
}
