package main

import (
	"path/filepath"
	"slices"
	"strings"
)

// isDmtracedump tells whether a program that is called by this name is to be dmtracedump.
func isDmtracedump(program string) bool {
	return strings.TrimSuffix(filepath.Base(program), ".exe") == Dmtracedump.Name
}

// asDmtracedump returns arguments for the command dmtracedump where report --compat asks
// for it, and others as they are.
func asDmtracedump(args []string) []string {
	if len(args) == 0 || args[0] != "report" {
		return args
	}
	if i := slices.Index(args, "--compat="+Dmtracedump.Name); i >= 0 {
		return slices.Concat([]string{Dmtracedump.Name}, args[1:i], args[i+1:])
	}
	if i := slices.Index(args, "--compat"); i >= 0 && i+1 < len(args) && args[i+1] == Dmtracedump.Name {
		return slices.Concat([]string{Dmtracedump.Name}, args[1:i], args[i+2:])
	}
	return args
}
