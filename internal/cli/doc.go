// Package cli is what a program on a command line needs beside flags: tables,
// progress bars, wrapped text, and output files and folders that appear when they
// are complete. Counts and the words of enumerations are in package words, which
// libraries use, too.
//
// # Why it is not made of libraries
//
// Those that are known for these things were looked at, in the versions named, and lack what the
// program promises:
//
//   - Tables: on a narrow terminal columns are left out in a fixed order, which the table says, a
//     method's name is cut in its middle, and rows are printed as they come, as a dump of
//     millions. github.com/jedib0t/go-pretty/v6 6.8.3 cuts each row off at the terminal's width
//     (SetAllowedRowLength), and github.com/charmbracelet/lipgloss 1.1 the end of each cell; both
//     hold all rows, and the second brings the modules of its colours. The same table is JSON
//     and CSV here, with numbers as numbers.
//   - Files: github.com/google/renameio/v2 2.0.2 is not built for Windows, and knows no folders that
//     appear as a whole, no devices and pipes, which are written as they are, and none of
//     what a killed program has left behind.
//   - Progress: the bar of github.com/schollz/progressbar was used here, and was wider than 80
//     columns with long names, which left lines behind.
//
// What is used is golang.org/x/term, for the terminal's width, and encoding/csv and encoding/json.
package cli
