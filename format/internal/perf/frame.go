package perf

import (
	"iter"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"artifice/format/internal/stackdump"
)

// parseFrame reads "symbol (module)", innermost first when the symbol is a chain of inlined calls
// "outer->inner". offsets reports that symbols and modules may end in offsets such as "+0x1f". Names
// are those of stackcollapse-perf.pl --all of the FlameGraph tools, so that results can be compared
// with its folded files. They have no arguments, and end in "_[k]" for a kernel function, "_[j]" for
// a function compiled at run time and "_[i]" for an inlined one. Code of ART is named by class and
// method, as in a method trace.
func parseFrame(text string, java, offsets bool) []stackdump.Frame {
	symbol, module := cutModule(text)
	if offsets {
		symbol, module = withoutHexOffset(symbol), withoutHexOffset(module)
	}
	symbol = strings.TrimSpace(symbol)
	module = strings.TrimSuffix(module, " (deleted)")
	if module == "inlined" { // perf's text for code inlined by the compiler
		module = ""
	}
	if symbol == "" {
		symbol = "[unknown]"
	}
	// such a symbol is the name of the process
	if symbol[0] == '(' && !strings.HasPrefix(symbol, anonymousNamespace) {
		return nil
	}
	var frames []stackdump.Frame
	for i, name := range splitInlined(symbol) {
		name = tidyName(name, module, java)
		if IsDex(module) {
			f := stackdump.ParseFoldedFrame(name)
			f.File = module
			frames = append(frames, f)
			continue
		}
		kind := stackdump.NativeCode
		switch {
		case perfMap().MatchString(module):
			kind = stackdump.Managed
		case isKernelModule(module):
			kind = stackdump.Kernel
		}
		switch {
		case i > 0:
			name = suffixed(name, "_[i]")
		case kind == stackdump.Kernel:
			name += "_[k]"
		case kind == stackdump.Managed:
			name = suffixed(name, "_[j]")
		}
		frames = append(frames, stackdump.Frame{Method: name, File: module, Kind: kind})
	}
	slices.Reverse(frames)
	return frames
}

// cutModule splits "symbol (module)". Both can contain parentheses and blanks: the module's
// parenthesis is the partner of the last one or, if parentheses in the path are unbalanced, the
// last one that a path or a bracket follows.
func cutModule(text string) (symbol, module string) {
	text = strings.TrimRight(text, " ")
	if !strings.HasSuffix(text, ")") {
		return text, ""
	}
	at := openingOf(text)
	if at < 1 || text[at-1] != ' ' {
		at = max(strings.LastIndex(text, " (/"), strings.LastIndex(text, " (["))
		if at < 0 {
			at = strings.LastIndex(text, " (")
		}
		if at < 0 {
			return text, ""
		}
		at++
	}
	return text[:max(at-1, 0)], text[at+1 : len(text)-1]
}

// openingOf returns the index of the parenthesis that is closed at the end of text, or -1 if there
// is none.
func openingOf(text string) int {
	depth := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// splitInlined splits a chain of inlined calls "outer->inner". Arrows of operator->, and arrows of
// result types, which are between blanks or in brackets, do not separate calls.
func splitInlined(symbol string) (names []string) {
	from := 0
	for i := range nesting(symbol) {
		if i >= from && strings.HasPrefix(symbol[i:], "->") && i > from && symbol[i-1] != ' ' {
			names = append(names, symbol[from:i])
			from = i + len("->")
		}
	}
	return append(names, symbol[from:])
}

// nesting yields the indexes of the bytes of a symbol that are outside all brackets; it includes
// opening parentheses. It skips the names of operators: operator<, operator->, operator().
func nesting(symbol string) iter.Seq[int] {
	return func(yield func(int) bool) {
		angles := angled(symbol)
		depth := 0
		for i := 0; i < len(symbol); i++ {
			if n := operatorAt(symbol, i); n > 0 {
				i += n - 1
				continue
			}
			if c := symbol[i]; depth == 0 && !yield(i) {
				return
			} else if strings.HasPrefix(symbol[i:], "->") {
				i++
			} else if c == '(' || c == '{' || c == '[' || c == '<' && angles {
				depth++
			} else if depth > 0 && (c == ')' || c == '}' || c == ']' || c == '>' && angles) {
				depth--
			}
		}
	}
}

// angled reports whether the angle brackets of a symbol are balanced and can therefore be treated
// as brackets.
func angled(symbol string) bool {
	depth := 0
	for i := 0; i < len(symbol); i++ {
		if n := operatorAt(symbol, i); n > 0 {
			i += n - 1
			continue
		}
		switch {
		case strings.HasPrefix(symbol[i:], "->"):
			i++
		case symbol[i] == '<':
			depth++
		case symbol[i] == '>':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// operatorAt returns the length of the name of a C++ operator that begins at symbol[i], or 0 if
// there is none.
func operatorAt(symbol string, i int) int {
	const operator = "operator"
	if !strings.HasPrefix(symbol[i:], operator) || i > 0 && isWord(symbol[i-1]) {
		return 0
	}
	rest := symbol[i+len(operator):]
	if strings.HasPrefix(rest, "()") || strings.HasPrefix(rest, "[]") {
		return len(operator) + 2
	}
	if n := len(rest) - len(strings.TrimLeft(rest, "<>=!-+*/%^&|~,")); n > 0 {
		return len(operator) + n
	}
	return 0
}

// isWord reports whether a byte can be in an identifier.
func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// perfMap matches the file in which a just-in-time compiler writes its symbols for perf. It is
// applied once to each distinct frame.
var perfMap = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[(/])tmp/perf-\d+\.map`)
})

func isKernelModule(module string) bool {
	return (strings.HasPrefix(module, "[") || strings.HasSuffix(module, "vmlinux") || strings.HasPrefix(filepath.Base(module), "vmlinux-")) &&
		!strings.Contains(module, "unknown") &&
		!strings.HasPrefix(module, "[anon:") && !jitModule(module)
}

// IsDex reports whether a module contains code executed by ART: compiled ahead of time or at run
// time, or interpreted.
func IsDex(module string) bool {
	if jitModule(module) {
		return true
	}
	switch filepath.Ext(module) {
	case ".odex", ".oat", ".vdex", ".dex", ".apk", ".jar":
		return true
	}
	return false
}

// jitModule reports whether a module is code that ART compiled at run time. simpleperf has its own
// name for it; perf uses the name of the memory that contains the code.
func jitModule(module string) bool {
	return strings.HasPrefix(module, "[JIT ") || strings.Contains(module, "jit-cache") || strings.Contains(module, "dalvik-jit-code-cache")
}

// suffixed appends mark unless name has it already, because some JVM agents write the mark into the
// map.
func suffixed(name, mark string) string {
	if strings.Contains(name, mark) {
		return name
	}
	return name + mark
}

// withoutHexOffset drops "+0x1f" from the end of a symbol.
func withoutHexOffset(symbol string) string {
	i := strings.LastIndex(symbol, "+0x")
	if i < 0 || strings.Trim(symbol[i+3:], "0123456789abcdef") != "" {
		return symbol
	}
	return symbol[:i]
}

// tidyName removes from a symbol the text that must not be in a folded line: the separator, quotes
// and arguments. An unknown symbol gets the name of its module.
func tidyName(name, module string, java bool) string {
	if name == "[unknown]" && module != "[unknown]" && module != "" {
		name = "[" + module[strings.LastIndexByte(module, '/')+1:] + "]"
	}
	name = strings.ReplaceAll(name, ";", ":")
	if !isGoMethod(name) {
		name = withoutArguments(name)
	}
	name = strings.NewReplacer(`"`, "", "'", "").Replace(name)
	if java && strings.Contains(name, "/") {
		name = strings.TrimPrefix(name, "L") // a class descriptor
	}
	return name
}

// isGoMethod reports whether parentheses belong to the name, as in "net/http.(*Client).Do".
func isGoMethod(name string) bool {
	i := strings.Index(name, ".(")
	return i >= 0 && strings.Contains(name[i:], ").")
}

// anonymousNamespace is C++'s anonymous namespace, the only name that begins with a parenthesis.
const anonymousNamespace = "(anonymous namespace)"

// withoutArguments removes the list of arguments from the end of a name, with the qualifiers after
// it. It keeps parentheses that are part of the name: those in template arguments, of operator(),
// of anonymous namespaces and of enclosing functions.
func withoutArguments(name string) string {
	for i := range nesting(name) {
		if name[i] != '(' || strings.HasPrefix(name[i:], anonymousNamespace) {
			continue
		}
		end := closingOf(name, i)
		if end < 0 || endsName(name[end+1:]) {
			return name[:i]
		}
	}
	return name
}

// closingOf returns the index of the parenthesis that closes the one at name[at], or -1 if there is
// none.
func closingOf(name string, at int) int {
	depth := 0
	for i := at; i < len(name); i++ {
		switch name[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// endsName reports whether the text after a list of arguments is not part of the name: qualifiers,
// the suffix of a compiler's clone, or the result of a JVM descriptor.
func endsName(rest string) bool {
	for _, word := range []string{" const", " volatile", " &", " noexcept", " [", " (.", " .", "@"} {
		if strings.HasPrefix(rest, word) {
			return true
		}
	}
	descriptor := strings.TrimLeft(rest, "[")
	return rest == "" || len(descriptor) == 1 && strings.Contains("VZBCSIJFD", descriptor) || strings.HasPrefix(descriptor, "L") && !strings.Contains(descriptor, " ")
}
