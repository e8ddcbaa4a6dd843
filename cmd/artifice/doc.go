// Artifice emulates the method tracers of Android's runtime ART, converts method
// traces and stack dumps, and measures how accurate and how costly each way of
// tracing is.
//
// What is this trace?
//
//	$ artifice info testdata/tiny.txt
//	property        value
//	...
//	technique       unknown
//	...
//
// Every command tells its flags with --help.
package main
