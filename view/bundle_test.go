package view

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestBundle checks that modules follow the modules that they import, once each, as plain
// declarations. An error reports code that would differ in a shared scope.
func TestBundle(t *testing.T) {
	const names = "import { a } from \"./a.js\";\n"
	for _, c := range []struct {
		name, main, a, b string
		want, err        string
	}{
		{name: "order", main: names + "import {\n\tb,\n} from \"./b.js\";\nuse(a, b);\n",
			a: "import { b } from \"./b.js\";\nexport const a = b;\n", b: "export async function b() {}\nexport let c = 1, d = 2;\n",
			want: "\"use strict\";\nasync function b() {}\nlet c = 1, d = 2;\nconst a = b;\nuse(a, b);\n"},
		{name: "text", main: "const s = `no\n import { x } from \"./b.js\";`; // export\n",
			want: "\"use strict\";\nconst s = `no\n import { x } from \"./b.js\";`; // export\n"},
		{name: "cycle", main: names, a: "import { b } from \"./b.js\";\n", b: names, err: "page/a.js: its imports form a cycle"},
		{name: "same name", main: names + "function a() {}\n", a: "export function a() {}\n", err: "page/main.js: a is declared in page/a.js as well"},
		{name: "no file", main: "import { c } from \"./c.js\";\n", err: "c.js"},
		{name: "default", main: "import a from \"./a.js\";\n", err: `page/main.js: "import a from`},
		{name: "list", main: "const a = 1;\nexport { a };\n", err: `"export { a };" cannot be bundled`},
	} {
		folder := fstest.MapFS{"main.js": {Data: []byte(c.main)}, "a.js": {Data: []byte(c.a)}, "b.js": {Data: []byte(c.b)}}
		got, err := bundle(folder, "main.js")
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.err)
		}
		if err == nil && got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
