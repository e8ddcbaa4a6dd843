// Package matrix holds the emulation of ART 11 against the runtime itself: the file that
// ART writes of a truth (package art11) and the one that "artifice record --runtime art11"
// writes of it have to be the same bytes.
//
// A [Cell] is one truth traced in one way. The matrix is [Truths] and [Traces], each in all
// [Ways]. [Random] are cells whose truths are made at random. Ours is the file of the
// packages ([Emulate]) or that of the program ([Command]).
//
// Instrumented ways have one after another trace of the same process, too ([art11.Way.Again]).
//
// Not compared is what ART leaves to chance in its own files: of a record of a stream with
// one clock the last four bytes, which it does not set. We write 0.
package matrix
