package manifest

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// pathName is the column or field with the path of the file.
const pathName = "path"

// IsManifest reports whether a name has the extension of a manifest: .csv, or .jsonl and .ndjson,
// which are JSON lines.
func IsManifest(name string) bool {
	return strings.HasSuffix(name, ".csv") || isJSON(name)
}

func isJSON(name string) bool {
	return strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".ndjson")
}

// read reads the named manifest.
func read(ctx context.Context, name string) ([]File, error) {
	system, err := FileSystem(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer system.Close()
	r, err := system.OpenRead(ctx, name)
	if err != nil {
		return nil, named(name, err)
	}
	defer r.Close()
	return Read(r, name)
}

// named returns err with the name of a file, unless its text contains it.
func named(name string, err error) error {
	if strings.Contains(err.Error(), name) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// Read reads a manifest. name determines its format, appears in errors, and is the base of
// relative paths.
//
// CSV begins with a line of column names. One is path, and each of the others is a label. JSON
// lines have one object per line with the field path; each other field, a string, a number or a
// truth value, is a label. An empty value is not a label.
func Read(r io.Reader, name string) ([]File, error) {
	rows := readCSV
	if isJSON(name) {
		rows = readJSON
	}
	var files []File
	err := rows(r, func(line int, fields map[string]string) error {
		file := File{Path: fields[pathName], Labels: map[string]string{}}
		if file.Path == "" {
			return fmt.Errorf("line %d has no %s", line, pathName)
		}
		for label, value := range fields {
			if label != pathName && value != "" {
				file.Labels[label] = value
			}
		}
		file.Path = sibling(name, file.Path)
		files = append(files, file)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return files, nil
}

// sibling returns the full path of a file in the manifest called name.
func sibling(name, file string) string {
	switch {
	case IsURL(file) || filepath.IsAbs(file):
		return file
	case IsURL(name):
		scheme, rest, _ := strings.Cut(name, "://")
		return scheme + "://" + path.Join(path.Dir(rest), file)
	}
	return filepath.Join(filepath.Dir(name), file)
}

func readCSV(r io.Reader, row func(line int, fields map[string]string) error) error {
	in := csv.NewReader(bufio.NewReader(r))
	head, err := in.Read()
	if err == io.EOF {
		return errors.New("the manifest is empty; its first line names the columns, such as path,app,version")
	}
	if err != nil {
		return err
	}
	if err := checkColumns(head); err != nil {
		return err
	}
	for {
		record, err := in.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		fields := map[string]string{}
		for i, value := range record {
			fields[head[i]] = strings.TrimSpace(value)
		}
		line, _ := in.FieldPos(0)
		if err := row(line, fields); err != nil {
			return err
		}
	}
}

// checkColumns trims the names of the columns. It rejects a header without the path or with a
// repeated name.
func checkColumns(head []string) error {
	seen := map[string]bool{}
	for i := range head {
		head[i] = strings.TrimSpace(strings.TrimPrefix(head[i], "\ufeff"))
		if seen[head[i]] {
			return fmt.Errorf("line 1 names the column %q twice", head[i])
		}
		seen[head[i]] = true
	}
	if !seen[pathName] {
		return fmt.Errorf("line 1 has no column %s, only %s", pathName, strings.Join(head, ", "))
	}
	return nil
}

func readJSON(r io.Reader, row func(line int, fields map[string]string) error) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	for line := 1; in.Scan(); line++ {
		text := strings.TrimSpace(in.Text())
		if text == "" {
			continue
		}
		var object map[string]any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&object); err != nil {
			return fmt.Errorf("line %d is no JSON object: %w", line, err)
		}
		fields := map[string]string{}
		for name, value := range object {
			switch v := value.(type) {
			case nil:
			case string:
				fields[name] = strings.TrimSpace(v)
			case json.Number:
				fields[name] = v.String()
			case bool:
				fields[name] = strconv.FormatBool(v)
			default:
				return fmt.Errorf("line %d: %s is a list or an object; a label is a string, a number or a truth value", line, name)
			}
		}
		if err := row(line, fields); err != nil {
			return err
		}
	}
	return in.Err()
}

// maxLine is the maximum length of a line of JSON.
const maxLine = 1 << 20
