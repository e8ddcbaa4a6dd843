package main

import (
	_ "embed"
	"fmt"
	"path"
	"strings"
)

// equivalent is a mutant that no test can detect.
type equivalent struct {
	pkg, function, original, mutated, reason string
}

//go:embed equivalent.tsv
var equivalentTable string

// parseEquivalents parses the table of equivalent mutants: package, function, original line,
// mutated line and reason, divided by tabs. Lines that begin with # are comments.
func parseEquivalents(table string) (list []equivalent, err error) {
	n := 0
	for line := range strings.Lines(table) {
		n++
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		c := strings.Split(line, "\t")
		if len(c) != 5 || c[4] == "" {
			return nil, fmt.Errorf("equivalent.tsv:%d: want package, function, original, mutated and reason", n)
		}
		list = append(list, equivalent{c[0], c[1], c[2], c[3], c[4]})
	}
	return list, nil
}

// reasonFor returns why a survivor is equivalent; "" if the table does not contain it.
func reasonFor(list []equivalent, r *result) string {
	for _, e := range list {
		if e.pkg == path.Dir(r.File) && e.function == r.Function && e.original == r.Original && e.mutated == r.Mutated {
			return e.reason
		}
	}
	return ""
}
