package artgolden

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"artifice/trace"
)

// Cell is one trace: a truth, a version of ART, and the start options.
type Cell struct {
	Workload  string
	Version   string // of ART: a key of [Versions]
	Sampled   bool   // sampled at 1 ms; otherwise instrumented
	LongRun   bool   // long-running methods, by a counter of ns; otherwise all
	Clock     trace.Clock
	Streaming bool
	V2        bool
	Buffer    int64 // bytes
	Costs     bool  // reads of clocks take time: [CPURead], [WallRead]
}

// single are the workloads with one thread. The drivers delay all threads by each read of a clock,
// the emulation only the reader.
var single = []string{"w1-single-call", "w3-on-off", "w5-zipf-50", "w6-random-tree", "w7-deep-shallow", "w9-rare-bursts", "mid-program", "proxy-calls"}

// Time that a read of a clock takes in cells with costs. With the wall clock only, compiled code
// writes the events from 14 QPR2 on, which a driver does not have.
const (
	CPURead  = 3 * time.Microsecond
	WallRead = time.Microsecond
)

// Sizes of the buffer: one that holds nearly every trace, and one that overflows.
const (
	ample = 8 << 20
	tight = 5000
)

// Workloads are the built-in programs from which the truths are generated.
var Workloads = []string{
	"w1-single-call", "w3-on-off", "w5-zipf-50", "w6-random-tree", "w7-deep-shallow", "w8-threads-8", "w9-rare-bursts", "w11-messages",
	"cold-start", "scroll-60hz", "network-client", "game-loop", "mid-program", "tid-reuse", "proxy-calls",
}

// Version is a version of ART with golden files.
type Version struct {
	Name    string
	Runtime string // value of --runtime
	V2      []bool // formats: classic, V2
	V2File  bool   // format V2 is also written in output mode file
	LongRun bool   // it can trace long-running methods
}

// Versions are the available versions, oldest first.
var Versions = []Version{
	{Name: "13", Runtime: "art13", V2: []bool{false}},
	{Name: "14", Runtime: "art14", V2: []bool{false}},
	{Name: "14q", Runtime: "art14qpr2", V2: []bool{false}},
	{Name: "15", Runtime: "art15", V2: []bool{false, true}},
	{Name: "16", Runtime: "art16", V2: []bool{false, true}, V2File: true, LongRun: true},
}

// Cells returns all cells of a workload and a version. Version 13 has no hashes of proxies, which it
// treats differently from other methods. The long-running methods of network-client
// overflow ART's buffer of 163,840 bytes, and then ART's profile cannot be read.
func Cells(workload string, v Version) (cells []Cell) {
	if workload == "proxy-calls" && v.Name == "13" {
		return nil
	}
	for _, sampled := range []bool{false, true} {
		for _, clock := range []trace.Clock{trace.Dual, trace.Wall, trace.ThreadCPU} {
			for _, v2 := range v.V2 {
				c := Cell{Workload: workload, Version: v.Name, Sampled: sampled, Clock: clock, V2: v2, Buffer: ample}
				if !v2 || v.V2File {
					small := c
					small.Buffer = tight
					cells = append(cells, c, small)
				}
				if !sampled && clock != trace.Wall && slices.Contains(single, workload) && (!v2 || v.V2File) {
					slow := c
					slow.Costs = true
					cells = append(cells, slow)
				}
				c.Streaming = true
				cells = append(cells, c)
			}
		}
	}
	if v.LongRun && workload != "network-client" {
		cells = append(cells, Cell{Workload: workload, Version: v.Name, LongRun: true, Clock: trace.Wall, Buffer: ample})
	}
	return cells
}

// String returns the cell as text: the key of its line of hashes.
func (c Cell) String() string {
	word := func(is bool, yes, no string) string {
		if is {
			return yes
		}
		return no
	}
	mode := word(c.Sampled, "sample", word(c.LongRun, "longrun", "instrument"))
	return strings.Join([]string{c.Workload, c.Version, mode, c.Clock.String(),
		word(c.Streaming, "stream", "file"), word(c.V2, "v2", "v1"), strconv.FormatInt(c.Buffer, 10) + word(c.Costs, " costs", "")}, " ")
}

// versionOf returns the version with a name.
func versionOf(name string) (Version, error) {
	for _, v := range Versions {
		if v.Name == name {
			return v, nil
		}
	}
	return Version{}, fmt.Errorf("no version %q of ART", name)
}

// Hashes are the hashes of ART's files in normal form, by the cell's text. The key "truth NAME" has
// the hash of the [Truth.Script] of workload NAME.
type Hashes map[string]string

// TruthKey is the key of a workload's truth.
func TruthKey(workload string) string { return "truth " + workload }

// ReadHashes reads lines of a key and its hash; lines that begin with # are comments.
func ReadHashes(r io.Reader) (Hashes, error) {
	all := Hashes{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		i := strings.LastIndexByte(line, ' ')
		if i < 0 {
			return nil, fmt.Errorf("line %d has no hash: %q", n, line)
		}
		all[line[:i]] = line[i+1:]
	}
	return all, lines.Err()
}
