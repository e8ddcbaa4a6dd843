//go:build !lab

package pageprogram

// Embedded returns the program that is embedded in this one, or nil.
func Embedded(Name) *Program { return nil }
