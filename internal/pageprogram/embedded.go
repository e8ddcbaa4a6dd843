//go:build lab

package pageprogram

import _ "embed"

// scripts/release fills these before it builds the program.
var (
	//go:embed lab.wasm.gz
	lab []byte

	//go:embed ranges.wasm.gz
	ranges []byte

	//go:embed wasm_exec.js
	support string
)

// Embedded returns the program that is embedded in this one, or nil.
func Embedded(n Name) *Program {
	if n == Ranges {
		return &Program{ranges, support}
	}
	return &Program{lab, support}
}
