package diffstack_test

import (
	"fmt"

	"artifice/diffstack"
	"artifice/trace"
)

// Two samples are main > draw > text and main > layout. ART logs exits of text and draw and an
// enter of layout.
func ExampleCompare() {
	names := []string{"main", "draw", "text", "layout"}
	before, now := []trace.MethodID{0, 1, 2}, []trace.MethodID{0, 3}
	for action, m := range diffstack.Compare(before, now) {
		fmt.Println(action, names[m])
	}
	// Output:
	// exit text
	// exit draw
	// enter layout
}
