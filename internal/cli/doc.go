// Package cli is what a program on a command line needs beside flags: tables,
// progress bars, wrapped text, and output files and folders that appear when they
// are complete. Counts and the words of enumerations are in package words, which
// libraries use, too.
package cli
