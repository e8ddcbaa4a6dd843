package view

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"
)

// bundle joins JavaScript modules into one script, so that the page needs no other file. Each
// module follows the modules that it imports, as in a browser; its imports and exports are removed.
// All modules share one scope. bundle therefore returns an error if two modules declare the same
// name or import each other, and for imports and exports other than
//
//	import { a, b } from "./file.js"; or "../file.js"
//	export function, async function, class, const, let
func bundle(folder fs.FS, main string) (string, error) {
	b := bundler{folder: folder, seen: map[string]bool{}, declared: map[string]string{}}
	b.script.WriteString("\"use strict\";\n")
	if err := b.add(main); err != nil {
		return "", err
	}
	return b.script.String(), nil
}

type bundler struct {
	folder fs.FS
	script strings.Builder
	// true for files in the script; false while a file's imports are added
	seen     map[string]bool
	declared map[string]string // file that declares each name
}

// syntax matches the statements that make a file a module. Each begins a line.
var syntax = sync.OnceValue(func() (s struct{ imports, exports, other, declares *regexp.Regexp }) {
	s.imports = regexp.MustCompile(`(?m)^import \{[^}]*\} from "(\.\.?/\w+\.js)";\n`)
	s.exports = regexp.MustCompile(`(?m)^export ((?:async )?function|class|const|let)\b`)
	s.other = regexp.MustCompile(`(?m)^(?:import|export)\b.*`)
	s.declares = regexp.MustCompile(`(?m)^(?:(?:async )?function|class|const|let) (\w+)`)
	return s
})

// add adds a file to the script, after its imports.
func (b *bundler) add(file string) error {
	if whole, seen := b.seen[file]; seen {
		if !whole {
			return fmt.Errorf("page/%s: its imports form a cycle", file)
		}
		return nil
	}
	b.seen[file] = false
	data, err := fs.ReadFile(b.folder, file)
	if err != nil {
		return err
	}
	for _, m := range syntax().imports.FindAllStringSubmatch(string(data), -1) {
		if err := b.add(path.Join(path.Dir(file), m[1])); err != nil {
			return err
		}
	}
	text := syntax().imports.ReplaceAllString(string(data), "")
	text = syntax().exports.ReplaceAllString(text, "$1")
	if other := syntax().other.FindString(text); other != "" {
		return fmt.Errorf("page/%s: %q cannot be bundled", file, other)
	}
	for _, m := range syntax().declares.FindAllStringSubmatch(text, -1) {
		if first, known := b.declared[m[1]]; known {
			return fmt.Errorf("page/%s: %s is declared in page/%s as well", file, m[1], first)
		}
		b.declared[m[1]] = file
	}
	b.script.WriteString(text)
	b.seen[file] = true
	return nil
}
