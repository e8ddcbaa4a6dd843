//go:build !lab

package pageprogram

// Embedded returns the program that is part of this one; nil: none is.
func Embedded(Name) *Program { return nil }
