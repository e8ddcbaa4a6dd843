// Command ossfuzz writes a seed corpus for OSS-Fuzz: the inputs of a fuzz target below testdata/fuzz,
// encoded as the targets that compile_native_go_fuzzer builds read them:
//
//	go run ./scripts/ossfuzz CORPUS.zip INPUT...
package main

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"go/ast"
	"go/parser"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: ossfuzz CORPUS.zip INPUT...")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "ossfuzz:", err)
		os.Exit(1)
	}
}

// write writes a ZIP archive of encoded inputs.
func write(name string, inputs []string) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer file.Close()
	archive := zip.NewWriter(file)
	for _, input := range inputs {
		text, err := os.ReadFile(input)
		if err != nil {
			return err
		}
		data, err := encode(string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", input, err)
		}
		w, err := archive.Create(filepath.Base(input))
		if err != nil {
			return err
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return file.Close()
}

// encode encodes an input of Go's fuzzing engine for the consumer of go-fuzz-headers, which a target
// of go-118-fuzz-build reads its arguments with.
func encode(input string) (data []byte, err error) {
	lines := strings.Split(strings.TrimSpace(input), "\n")
	if lines[0] != "go test fuzz v1" {
		return nil, fmt.Errorf("the first line is %q", lines[0])
	}
	// The length of an empty slice depends on what follows it.
	for _, line := range slices.Backward(lines[1:]) {
		if data, err = prepend(line, data); err != nil {
			return nil, fmt.Errorf("%s: %w", line, err)
		}
	}
	return data, nil
}

// prepend encodes an argument, such as []byte("x"), before the following ones.
func prepend(line string, rest []byte) ([]byte, error) {
	expr, err := parser.ParseExpr(line)
	if err != nil {
		return nil, err
	}
	call, ok := expr.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil, fmt.Errorf("no conversion of one value")
	}
	kind := "[]byte"
	if name, ok := call.Fun.(*ast.Ident); ok {
		kind = name.Name
	}
	var value string
	switch arg := call.Args[0].(type) {
	case *ast.BasicLit:
		value = arg.Value
	case *ast.Ident:
		value = arg.Name
	}
	switch kind {
	case "[]byte", "string":
		text, err := strconv.Unquote(value)
		if err != nil {
			return nil, err
		}
		length := uint32(len(text))
		if length == 0 {
			if len(rest) == 0 {
				rest = []byte{0} // without a further byte the consumer reports an error
			}
			if kind == "[]byte" {
				length = 2 * uint32(len(rest)) // the length is reduced modulo the bytes left; 0 means 30
			}
		}
		return slices.Concat(binary.BigEndian.AppendUint32(nil, length), []byte(text), rest), nil
	case "bool":
		if value == "true" {
			return slices.Concat([]byte{0}, rest), nil // an even byte
		}
		return slices.Concat([]byte{1}, rest), nil
	case "byte", "uint8":
		char, _, _, err := strconv.UnquoteChar(strings.TrimPrefix(value, "'"), '\'')
		if err != nil {
			return nil, err
		}
		return slices.Concat([]byte{byte(char)}, rest), nil
	case "uint64":
		n, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			return nil, err
		}
		return slices.Concat(binary.BigEndian.AppendUint64(nil, n), []byte{1}, rest), nil // 1: big endian
	}
	return nil, fmt.Errorf("no encoding of the type %s", kind)
}
