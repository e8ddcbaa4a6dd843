//go:build !lab

package program

func embedded() *Program { return nil }
