package outputs

import (
	"fmt"
	"strings"
)

// MatrixTable returns the matrix of round trips in Markdown: its head, a line for each kind of
// input, and the meaning of the letters. It skips nil rows.
func MatrixTable(formats []string, rows [][]Cell) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| | %s |\n|---|%s\n", strings.Join(formats, " | "), strings.Repeat("---|", len(formats)))
	for _, row := range rows {
		if row != nil {
			b.WriteString(MatrixRow(row) + "\n")
		}
	}
	b.WriteString("\n| letter | loss | formats |\n|---|---|---|\n")
	for i, r := range Reasons {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", Letter(i), r.Text, strings.Join(r.Formats, ", "))
	}
	return b.String()
}

// MatrixRow returns the line of an input.
func MatrixRow(cells []Cell) string {
	line := "| " + cells[0].Kind + " |"
	for _, c := range cells[1:] { // the first is the input itself
		line += " " + c.String() + " |"
	}
	return line
}
