// Package matrix compares the emulation of ART 11 with the runtime itself: for each truth, ART's
// file (package art11) and the file of "artifice record --runtime art11" must have the same bytes.
//
// A [Cell] is one truth traced with one set of options. The matrix is [Truths] and [Traces], each
// with all [Ways]. [Random] returns cells with random truths. The emulation's file comes from the
// packages ([Emulate]) or from the program ([Command]).
//
// Instrumented options include one that follows another trace of the same process
// ([art11.Way.Again]).
//
// Not compared are the bytes that ART leaves undefined: the last four of a record of a stream with
// one clock. The emulation writes 0.
package matrix
