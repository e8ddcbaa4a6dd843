package perf

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"artifice/format/internal/stackdump"
)

// parseFrame reads "symbol+0xoffset (module)", innermost first when the symbol is a chain of inlined calls
// "outer->inner". Names are those of stackcollapse-perf.pl --all of the FlameGraph tools, because people compare
// with its folded files: without arguments, with "_[k]" after a kernel function, "_[j]" after one compiled at run
// time and "_[i]" after an inlined one. Code of ART is named as in a method trace, by class and method.
func parseFrame(text string, java bool) []stackdump.Frame {
	symbol, module := text, ""
	if i := strings.LastIndex(strings.TrimSuffix(text, " (deleted))"), " ("); i >= 0 {
		symbol = text[:i]
		module = strings.TrimSuffix(strings.TrimSuffix(text[i+2:], ")"), " (deleted)")
	}
	symbol = strings.TrimSpace(withoutHexOffset(symbol))
	if symbol == "" {
		symbol = "[unknown]"
	}
	if symbol[0] == '(' && !strings.HasPrefix(symbol, anonymousNamespace) { // the name of the process
		return nil
	}
	var frames []stackdump.Frame
	for i, name := range strings.Split(symbol, "->") {
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

// perfMap matches the file in which a just-in-time compiler writes its symbols for perf. It runs once per
// different frame.
var perfMap = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[(/])tmp/perf-\d+\.map`)
})

func isKernelModule(module string) bool {
	return (strings.HasPrefix(module, "[") || strings.HasSuffix(module, "vmlinux")) && !strings.Contains(module, "unknown") &&
		!strings.HasPrefix(module, "[anon:") && !jitModule(module)
}

// IsDex reports whether a module has code of ART's: compiled ahead of time or at
// run time, or interpreted.
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

// jitModule reports whether a module is what ART compiled at run time, as
// simpleperf names it, or perf, which has the name of the memory that the code is in.
func jitModule(module string) bool {
	return strings.HasPrefix(module, "[JIT ") || strings.Contains(module, "jit-cache") || strings.Contains(module, "dalvik-jit-code-cache")
}

// suffixed appends mark unless name has it already: some JVM agents write it
// into the map.
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

// tidyName takes from a symbol what does not belong into a folded line: the
// separator, quotes and arguments. An unknown symbol is named by its module.
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

// anonymousNamespace is C++'s, the one parenthesis that may begin a name.
const anonymousNamespace = "(anonymous namespace)"

// withoutArguments cuts name at its first parenthesis, but for that of an
// anonymous namespace.
func withoutArguments(name string) string {
	for from := 0; ; {
		i := strings.IndexByte(name[from:], '(')
		if i < 0 {
			return name
		}
		from += i
		if !strings.HasPrefix(name[from:], anonymousNamespace) {
			return name[:from]
		}
		from += len(anonymousNamespace)
	}
}
