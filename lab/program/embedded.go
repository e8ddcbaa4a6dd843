//go:build lab

package program

import _ "embed"

// What scripts/release puts here before it builds the program.
var (
	//go:embed lab.wasm.gz
	packed []byte

	//go:embed wasm_exec.js
	support string
)

func embedded() *Program { return &Program{packed, support} }
