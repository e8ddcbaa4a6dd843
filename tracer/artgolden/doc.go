// Package artgolden holds the emulator against what the trace.cc of ART 13, 14,
// 14 QPR2, 15 and 16 wrote of the same truths.
//
// The package has no code of ART. Of each file that ART's tracer wrote,
// testdata/hashes.txt has a hash; the tests emulate the same trace and compare.
// Files are hashed in a normal form ([Normalize]), which forgets three things that
// are no facts of a runtime: in which order *methods lists them (hash order, from 14
// on), where runs are cut into blocks of format V2, and what ART 13 left
// uninitialised in records of streams with one clock. And one that the stubs have otherwise than a runtime: that format V2
// announces threads with frames open at the start before all methods. Everything else counts.
//
// The hashes come from programs that link the tracer of one version with stubs for
// the rest of the runtime and replay a [Truth.Script] under a virtual clock:
// research/artwriters builds them of sources that are given to it, runs them and
// writes the hashes. They are witnesses of the writer: buffers, tables, announcements,
// numbering, order, encoding, the comparison of two stacks, times. Which frames are open at the start, what an exception unwinds,
// the walk of a stack, the collector and locks are stubs that do as this project's
// documents say, and no witnesses.
package artgolden
