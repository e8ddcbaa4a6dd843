// Package cli contains the parts of a command-line program other than flags: tables ([Table],
// [Form]), progress bars ([Bar]), wrapped text, and output files and folders that appear when they
// are complete ([File], [Folder]). It contains nothing specific to artifice: package
// cmd/internal/command has the common parts of artifice's commands. Counts and enumerations in
// words are in package words, because libraries use them, too.
//
// # Alternatives
//
// Existing libraries, in the versions named, lack required features:
//
//   - Tables: on a narrow terminal, columns are omitted in a fixed order and the table names them,
//     a long method name is cut in the middle, and rows are streamed, because a dump has millions.
//     github.com/jedib0t/go-pretty/v6 6.8.3 cuts each row at the terminal's width
//     (SetAllowedRowLength), and github.com/charmbracelet/lipgloss 1.1 cuts the end of each cell.
//     Both keep all rows in memory, and the second depends on modules for colours. Here, the same
//     table is also written as JSON and CSV, with numbers as numbers.
//   - Files: github.com/google/renameio/v2 2.0.2 does not support Windows. It has no atomic
//     folders, does not write to devices and pipes in place, and does not remove the files of
//     killed programs.
//   - Progress: with long names, the bar of github.com/schollz/progressbar is wider than 80 columns
//     and leaves lines on the screen.
//
// The package uses golang.org/x/term, for the terminal's width, and encoding/csv and encoding/json.
package cli
