package timeline

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"artifice/internal/decode"
	"artifice/internal/rhea"
	"artifice/trace"
)

// Methods maps the numbers of methods in a trace to their names.
type Methods map[uint64]trace.Method

// MethodMapping is the name of the file that RheaTrace, btrace 2 and Matrix write when an app is
// built. It contains the names of the method numbers in their traces.
const MethodMapping = "methodMapping.txt"

// ReadMethods reads a methodMapping.txt: a line for each method,
//
//	17,1,com.example.Foo bar (Ljava/lang/String;)V
//
// with its number, its access flags, class, name and descriptor. A native method has no
// descriptor; Matrix writes classes in descriptors with dots. Lines that begin with "#" are
// comments. Errors in the content are [trace.FormatError]s.
func ReadMethods(r io.Reader, name string, limits trace.Limits) (Methods, error) {
	limits = limits.OrDefault()
	n := 0
	bad := func(err error) (Methods, error) {
		return nil, &trace.FormatError{Name: name, Offset: -1, Line: n, Err: err}
	}
	in, err := decode.Text(r, limits.Ratio)
	if err != nil {
		return bad(err)
	}
	methods := Methods{}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, MaxLine)
	for lines.Scan() {
		n++
		text := strings.TrimRight(lines.Text(), "\r ")
		if text == "" || text[0] == '#' {
			continue
		}
		id, m, ok := mappedMethod(text)
		if !ok {
			return bad(fmt.Errorf("expected NUMBER,FLAGS,CLASS METHOD DESCRIPTOR, found %.60q", text))
		}
		if err := limits.Symbols(len(methods)+1, 0); err != nil {
			return bad(err)
		}
		methods[id] = m
	}
	if err := lines.Err(); err != nil {
		n++
		return bad(err)
	}
	return methods, nil
}

// mappedMethod parses a line of a methodMapping.txt.
func mappedMethod(text string) (id uint64, m trace.Method, ok bool) {
	number, rest, _ := strings.Cut(text, ",")
	access, rest, _ := strings.Cut(rest, ",")
	class, rest, ok := strings.Cut(rest, " ")
	name, descriptor, _ := strings.Cut(rest, " ")
	id, err := strconv.ParseUint(number, 10, 32)
	flags, err2 := strconv.ParseUint(access, 10, 32)
	if !ok || err != nil || err2 != nil || class == "" || name == "" {
		return 0, m, false
	}
	m = trace.Method{Class: strings.ReplaceAll(class, "/", "."), Name: name, Signature: strings.ReplaceAll(descriptor, ".", "/")}
	const native = 0x100 // ACC_NATIVE in the class file format
	if flags&native != 0 {
		m.Flags |= trace.Native
	}
	return id, m, true
}

// DispatchMessage is the number of Handler.dispatchMessage in Matrix and RheaTrace.
const DispatchMessage = 0xffffe

// of returns the method for a name that is a known number: "17" or "method_17". The values of its
// arguments in brackets, or the mark of a repaired end, may follow.
func (m Methods) of(name string) (method trace.Method, number, known bool) {
	name, repaired := strings.CutSuffix(name, rhea.CrashTag)
	digits := strings.TrimPrefix(name, numbered)
	end := 0
	for end < len(digits) && '0' <= digits[end] && digits[end] <= '9' {
		end++
	}
	digits, rest := digits[:end], digits[end:]
	id, err := strconv.ParseUint(digits, 10, 32)
	if err != nil || rest != "" && rest[0] != '[' {
		return method, false, false
	}
	method, known = m[id]
	if !known && id == DispatchMessage {
		method, known = trace.Method{Class: "android.os.Handler", Name: "dispatchMessage"}, true
	}
	if repaired {
		method.Name += rhea.CrashTag
	}
	return method, true, known
}

// numbered is the prefix of a number in place of a method's name.
const numbered = "method_"
