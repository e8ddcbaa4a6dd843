//go:build !linux

package main

import "os"

// usageOf returns what a process used that has ended, without its memory.
func usageOf(p *os.ProcessState) usage { return usage{cpu: p.UserTime() + p.SystemTime()} }
