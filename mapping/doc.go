// Package mapping undoes the renaming of R8 and ProGuard: it reads the
// mapping.txt that they write beside an app and gives the methods and stack
// frames of a trace their original names.
//
// A [Mapping] answers for one method ([Mapping.Method]) or for one frame with its
// line ([Mapping.Frame]); [New] is a filter that renames a whole recording. The
// package opens no file and knows no trace format; the program's flag --mapping
// puts it between a source and what becomes of it.
//
// # What can be known
//
// A method trace names a method by class, name and signature, without a line in
// it. That is enough for the class and, since the signature is renamed back and
// compared, mostly for the method. R8 also merges methods of one signature into
// one and tells them apart by line ranges alone; then every candidate is kept,
// "first|second".
//
// A method that R8 has inlined into another has no frame of its own any more.
// Only a line inside the frame's method tells that it is there: stack dumps have
// lines, and their frames become as many as there were.
package mapping
