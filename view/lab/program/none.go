//go:build !lab

package program

// Embedded returns the program that is part of this one; nil: none is.
func Embedded(Name) *Program { return nil }
