//go:build lab

package pageprogram

import _ "embed"

// What scripts/release puts here before it builds the program.
var (
	//go:embed lab.wasm.gz
	lab []byte

	//go:embed ranges.wasm.gz
	ranges []byte

	//go:embed wasm_exec.js
	support string
)

// Embedded returns the program that is part of this one; nil: none is.
func Embedded(n Name) *Program {
	if n == Ranges {
		return &Program{ranges, support}
	}
	return &Program{lab, support}
}
