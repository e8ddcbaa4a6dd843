// Command ossfuzz writes a seed corpus for OSS-Fuzz: the inputs of a fuzz target below testdata/fuzz,
// encoded as the targets that compile_native_go_fuzzer_v2 builds read them:
//
//	go run ./ossfuzz CORPUS.zip INPUT...
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

// encode encodes an input of Go's fuzzing engine as the targets of go-118-fuzz-build read their
// arguments: first numbers and bools, then a weight for each string or slice, whose lengths are the
// shares of the weights in the remaining bytes.
func encode(input string) ([]byte, error) {
	lines := strings.Split(strings.TrimSpace(input), "\n")
	if lines[0] != "go test fuzz v1" {
		return nil, fmt.Errorf("the first line is %q", lines[0])
	}
	var fixed []byte
	var texts []string
	for _, line := range lines[1:] {
		kind, value, err := argument(line)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", line, err)
		}
		switch kind {
		case "[]byte", "string":
			texts = append(texts, value)
		default:
			fixed = append(fixed, value...)
		}
	}
	weights, err := weigh(texts)
	return slices.Concat(fixed, weights, []byte(strings.Join(texts, ""))), err
}

// argument returns the type of an argument, such as []byte("x"), and its bytes.
func argument(line string) (kind, value string, err error) {
	expr, err := parser.ParseExpr(line)
	if err != nil {
		return "", "", err
	}
	call, ok := expr.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return "", "", fmt.Errorf("no conversion of one value")
	}
	kind = "[]byte"
	if name, ok := call.Fun.(*ast.Ident); ok {
		kind = name.Name
	}
	switch arg := call.Args[0].(type) {
	case *ast.BasicLit:
		value = arg.Value
	case *ast.Ident:
		value = arg.Name
	}
	switch kind {
	case "[]byte", "string":
		value, err = strconv.Unquote(value)
	case "bool":
		value = map[string]string{"true": "\x01", "false": "\x00"}[value]
	case "byte", "uint8":
		var char rune
		char, _, _, err = strconv.UnquoteChar(strings.TrimPrefix(value, "'"), '\'')
		value = string([]byte{byte(char)})
	case "uint64":
		var n uint64
		n, err = strconv.ParseUint(value, 10, 64)
		value = string(binary.BigEndian.AppendUint64(nil, n))
	default:
		err = fmt.Errorf("no encoding of the type %s", kind)
	}
	return kind, value, err
}

// weigh returns weights that give each text its length: the last one has all bytes that remain, the
// others their weight's share, rounded down.
func weigh(texts []string) ([]byte, error) {
	switch len(texts) {
	case 0:
		return nil, nil
	case 1:
		return []byte{1}, nil
	case 2:
		first, all := len(texts[0]), len(texts[0])+len(texts[1])
		for sum := 1; sum <= 2*255; sum++ {
			for w := max(0, sum-255); w <= min(sum, 255); w++ {
				if all*w/sum == first {
					return []byte{byte(w), byte(sum - w)}, nil
				}
			}
		}
	}
	return nil, fmt.Errorf("no weights for %d strings", len(texts))
}
