package outputs

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	tracetext "artifice/format/text"
	"artifice/research/internal/peers/seen"
	"artifice/trace"
)

// Totals are report's figures for a file: of each thread and each method, by name.
type Totals struct{ Threads, Methods map[string]Total }

// Total contains the times of a thread or a method: of a thread, the times with an open frame.
type Total struct {
	Self, Inclusive Times
	Calls           int64
}

// Times are on both clocks.
type Times struct{ Wall, CPU time.Duration }

// add adds b to the total of a name.
func add(m map[string]Total, name string, b Total) {
	a := m[name]
	a.Self.Wall += b.Self.Wall
	a.Self.CPU += b.Self.CPU
	a.Inclusive.Wall += b.Inclusive.Wall
	a.Inclusive.CPU += b.Inclusive.CPU
	a.Calls += b.Calls
	m[name] = a
}

// difference returns the first difference; a missing name has no time.
func (t *Totals) difference(other *Totals) string {
	for _, pair := range [][2]map[string]Total{{t.Threads, other.Threads}, {t.Methods, other.Methods}} {
		for _, m := range pair {
			for name := range m {
				if want, got := pair[0][name], pair[1][name]; want != got {
					return fmt.Sprintf("%s has %v, want %v", name, got, want)
				}
			}
		}
	}
	return ""
}

// each changes every total.
func (t *Totals) each(change func(*Total)) {
	for _, m := range []map[string]Total{t.Threads, t.Methods} {
		for name, total := range m {
			change(&total)
			m[name] = total
		}
	}
}

// withoutWall removes the wall times.
func (t *Totals) withoutWall() {
	t.each(func(t *Total) { t.Self.Wall, t.Inclusive.Wall = 0, 0 })
}

// Reported returns report's figures for a file.
func (p *Program) Reported(file string) (*Totals, error) {
	t := &Totals{}
	for _, by := range []struct {
		row string
		to  *map[string]Total
	}{{"thread", &t.Threads}, {"method", &t.Methods}} {
		rows, err := p.rows(by.row, file)
		if err != nil {
			return nil, err
		}
		*by.to = rows
	}
	return t, nil
}

func (p *Program) rows(by, file string) (map[string]Total, error) {
	cmd := exec.Command(p.path, "report", "-q", "--csv", "--names", "descriptor", "--until", "last", "--by", by, filepath.Base(file))
	cmd.Dir = filepath.Dir(file)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("report: %w: %s", err, said.String())
	}
	rows, err := csv.NewReader(strings.NewReader(string(out))).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, fmt.Errorf("report --csv prints no table: %v", err)
	}
	m := make(map[string]Total)
	for _, row := range rows[1:] {
		number := func(column string) int64 {
			i := slices.Index(rows[0], column)
			if i < 0 || row[i] == "" {
				return 0
			}
			n, bad := strconv.ParseInt(row[i], 10, 64)
			err = errors.Join(err, bad)
			return n
		}
		at := func(column string) time.Duration { return time.Duration(number(column)) }
		name := strings.TrimPrefix(row[0], "'") // it keeps spreadsheets from interpreting a name that begins with a sign as a formula
		if by == "method" {
			name = plain(name)
		}
		add(m, name, Total{Times{at("self_wall_ns"), at("self_cpu_ns")}, Times{at("total_wall_ns"), at("total_cpu_ns")}, number("calls")})
	}
	return m, err
}

// plain returns a method's name as in all formats: with dots in the class, and without the
// signature that report appends if several methods share the name.
func plain(name string) string {
	if i := strings.LastIndex(name, "("); i > 0 && !strings.Contains(name[i:], " ") && !strings.HasSuffix(name, ")") {
		name = name[:i]
	}
	return strings.ReplaceAll(name, "/", ".")
}

// Held is the content of an input, event by event. Methods have their signatures.
type Held struct {
	seen.Trace
	OfCPU  bool           // it consists of samples of CPU time
	Dumps  bool           // it consists of dumps of all threads
	TIDs   map[int]uint32 // of the threads
	known  bool           // whether an exit is a closing one is known
	strict []seen.Event   // of samples of CPU time: the events if none is late
	// of samples of CPU time: the file does not say so, and its wall times are those of the events
	derived bool

	signed bool          // overloads are methods of their own
	merged bool          // stacks of all threads are merged
	unit   time.Duration // the time of each stack is rounded to this; 0: no rounding
}

// hold reads an input from the text that convert writes of it.
func (p *Program) hold(text string) (*Held, error) {
	f, err := os.Open(text)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rec, err := tracetext.NewReader(f, text)
	if err != nil {
		return nil, err
	}
	h := &Held{TIDs: make(map[int]uint32)}
	h.Start, h.Wall, h.CPU = rec.Info.Start, rec.Info.Clock.HasWall(), rec.Info.Clock.HasCPU()
	batch := make([]trace.Event, 1024)
	for {
		n, err := rec.Events.ReadEvents(batch)
		for _, e := range batch[:n] {
			m := rec.Symbols.Method(e.Method)
			h.Events = append(h.Events, seen.Event{Thread: int(e.Thread), Enter: e.Action == trace.Enter,
				Method: strings.ReplaceAll(m.FullName(), "/", ".") + m.Signature, Wall: e.Wall, CPU: e.CPU})
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	h.Threads = make(map[int]string)
	for i, t := range rec.Symbols.Threads {
		h.Threads[i], h.TIDs[i] = t.String(), t.TID
	}
	return h, nil
}
