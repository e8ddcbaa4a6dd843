// Package cli has the parts of a command-line program apart from flags: tables ([Table], [Form]),
// progress bars ([Bar]), wrapped text, and output files and folders that appear when they are
// complete ([File], [Folder]). It has no subject of its own: package cmd/artifice/command has what
// artifice's commands share. Counts and enumerations in words are in package words, which libraries
// use, too.
//
// # Alternatives
//
// Existing libraries, in the versions named, lack what the program promises:
//
//   - Tables: on a narrow terminal columns are left out in a fixed order, which the table states, the
//     middle of a method's name is cut, and rows are streamed, as a dump has millions. github.com/jedib0t/go-pretty/v6 6.8.3 cuts each row off at the terminal's width
//     (SetAllowedRowLength), and github.com/charmbracelet/lipgloss 1.1 the end of each cell; both
//     hold all rows, and the second brings the modules of its colours. The same table is JSON
//     and CSV here, with numbers as numbers.
//   - Files: github.com/google/renameio/v2 2.0.2 is not built for Windows, and has no atomic
//     folders, no devices and pipes, which are written in place, and no removal of files that a killed
//     program has left.
//   - Progress: the bar of github.com/schollz/progressbar is wider than 80
//     columns with long names, which leaves lines on the screen.
//
// The package uses golang.org/x/term, for the terminal's width, and encoding/csv and encoding/json.
package cli
