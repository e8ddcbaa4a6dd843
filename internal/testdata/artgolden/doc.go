// Package artgolden validates the emulation against files that the trace.cc of ART 13, 14, 14 QPR2,
// 15 and 16 wrote from the same truths, and against profiles of long-running methods that the
// trace_profile.cc of 16 wrote.
//
// The package contains no code of ART. tracer/testdata/hashes.txt has a hash of each file that
// ART's tracer wrote; TestART of package tracer emulates the same trace and compares hashes. Files
// are hashed in a normal form ([Normalize]), which removes four differences: the order of methods
// (hash order, from 14 on); the boundaries between blocks of format V2; bytes that ART 13 leaves
// uninitialized in records of streams with one clock; and the order of announcements: format V2
// announces threads with frames open at the start before all methods, where the stubs differ from a
// runtime.
//
// The hashes come from programs that link the tracer of one version with stubs for the rest of the
// runtime and replay a [Truth.Script] under a virtual clock: research/artwriters runs them
// and writes the hashes. They validate the writer: buffers, tables, announcements, numbering,
// order, encoding, the comparison of two stacks, and times; of long-running methods, also the full
// buffers. They do not validate the frames open at the start, the frames that an exception unwinds,
// stack walks, the collector, locks, and the entry and exit hooks of long-running methods, which
// are assembly in ART: these are stubs that follow this project's documents.
//
// # Example
//
//	truth, err := artgolden.NewTruth("scroll-60hz")
//	err = truth.Script(w) // replayed by the programs of research/artwriters
//
// # Units and errors
//
// Times of scripts are in ns. NewTruth returns an error for an unknown workload, Normalize for a
// file without the layout of its version, with the offset.
package artgolden
