package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// head is the first line of the table.
const head = "# sha256\tsize\tformat\tthreads\tenters\texits\tdumps\tspan_ns\tpath, or: sha256\tsize\trefused\twhy\tpath"

// tableOf returns the table of rows.
func tableOf(rows []row) string {
	var b strings.Builder
	fmt.Fprintln(&b, head)
	for _, r := range rows {
		fmt.Fprintln(&b, r)
	}
	return b.String()
}

// found removes the path from a line: files are identified by their hash.
func found(line string) string {
	return line[:max(strings.LastIndexByte(line, '\t'), 0)]
}

// compare prints the differences of rows from a table, and returns an error if there are any.
func compare(w io.Writer, table string, rows []row, unknown bool) error {
	want := make(map[string]string) // lines, by hash
	for line := range strings.Lines(table) {
		if line = strings.TrimRight(line, "\n"); line != "" && line[0] != '#' {
			hash, _, _ := strings.Cut(line, "\t")
			want[hash] = line
		}
	}
	all, same, differ, others := len(want), 0, 0, 0
	for _, r := range rows {
		line, ok := want[r.hash]
		delete(want, r.hash)
		switch {
		case !ok:
			if others++; unknown {
				fmt.Fprintln(w, r)
			}
		case found(line) == found(r.String()):
			same++
		default:
			differ++
			fmt.Fprintf(w, "%s:\n  was %s\n  is  %s\n", r.path, found(line), found(r.String()))
		}
	}
	fmt.Fprintf(w, "%d of %d files of the table as they were, %d otherwise, %d not there; %d files that are not in it\n", same, all, differ, len(want), others)
	switch {
	case differ > 0:
		return fmt.Errorf("%d files are read otherwise than the table has it", differ)
	case same == 0:
		return errors.New("the folder contains no file of the table: CONTRIBUTING.md describes how to fill it")
	}
	return nil
}
