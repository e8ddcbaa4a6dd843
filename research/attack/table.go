package main

import (
	"fmt"
	"time"
)

// cell is a place of the table.
type cell struct{ class, command string }

// worst is the maximum over the runs of a cell.
type worst struct {
	runs   int
	memory float64 // peak memory as a share of the allowance
	cpu    time.Duration
}

// note adds a run to the table.
func (a *attack) note(c *class, cmd *command, ran *outcome, in *input) {
	for _, at := range []cell{{c.name, cmd.name}, {c.name, ""}, {"", cmd.name}} {
		w := a.cells[at]
		if w == nil {
			w = &worst{}
			a.cells[at] = w
		}
		w.runs++
		w.memory = max(w.memory, float64(ran.memory)/float64(cmd.allowance(in.unpacked)))
		w.cpu = max(w.cpu, ran.cpu)
	}
}

// printTable prints the worst of each class and command, the sums first.
func (a *attack) printTable() {
	fmt.Fprintf(a.out, "\nlargest peak memory in %% of what is allowed, and CPU time in seconds\n%-24s %-14s %5s %7s %7s\n", "class", "command", "runs", "memory", "CPU")
	for _, cmd := range commands {
		a.printCell("all", cmd.name, cell{"", cmd.name})
	}
	for _, c := range a.classes {
		a.printCell(c.name, "all", cell{c.name, ""})
	}
	for _, c := range a.classes {
		for _, cmd := range commands {
			a.printCell(c.name, cmd.name, cell{c.name, cmd.name})
		}
	}
	fmt.Fprintln(a.out)
}

func (a *attack) printCell(class, command string, at cell) {
	if w := a.cells[at]; w != nil {
		fmt.Fprintf(a.out, "%-24s %-14s %5d %6.0f%% %7.2f\n", class, command, w.runs, 100*w.memory, w.cpu.Seconds())
	}
}
