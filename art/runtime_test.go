package art

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestRuntimeTable compares the table in the comment of [Runtime] with the releases. A row lists
// the releases for which a field has a value, by default true. The files of the rows must exist,
// and every boolean field must have a row.
func TestRuntimeTable(t *testing.T) {
	text, err := os.ReadFile("runtime.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range All() {
		names = append(names, r.Name)
	}
	rows := map[string]bool{}
	row := regexp.MustCompile(`(?m)^//\t(\w+) +((?:[a-z0-9-]+ )+)(?:\((\w+)\))? +([a-z/.,]+go(?:, [a-z/]+\.go)?)`)
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		field, of, value := m[1], releasesOf(t, names, m[2]), m[3]
		rows[field] = true
		for _, r := range All() {
			v := reflect.ValueOf(r).Elem().FieldByName(field)
			got := fmt.Sprint(v)
			want := map[bool]string{true: "true", false: "false"}[slices.Contains(of, r.Name)]
			if value != "" {
				d, err := time.ParseDuration(value)
				if err == nil {
					value = fmt.Sprint(d)
				}
				want = value
			}
			if is := got == want; is != (value == "" || slices.Contains(of, r.Name)) {
				t.Errorf("%s of %s is %s, in the table %s", field, r.Name, got, m[0])
			}
		}
		for file := range strings.SplitSeq(m[4], ", ") {
			if strings.Contains(file, "/") {
				file = "../" + file
			}
			if _, err := os.Stat(file); err != nil {
				t.Error(err)
			}
		}
	}
	if len(rows) < 32 {
		t.Errorf("the table has %d rows, want at least 32", len(rows))
	}
	for i := range reflect.TypeFor[Runtime]().NumField() {
		if f := reflect.TypeFor[Runtime]().Field(i); f.Type.Kind() == reflect.Bool && !rows[f.Name] {
			t.Errorf("%s has no row", f.Name)
		}
	}
}

// releasesOf returns the names of the releases listed in a cell of the table.
func releasesOf(t *testing.T, names []string, cell string) (of []string) {
	for item := range strings.FieldsSeq(cell) {
		from, to, isRange := strings.Cut(item, "-")
		if !isRange {
			to = from
		}
		i, j := slices.Index(names, from), slices.Index(names, to)
		if i < 0 || j < i {
			t.Errorf("unknown releases %q", item)
			continue
		}
		of = append(of, names[i:j+1]...)
	}
	return of
}

// TestCheckInterval: intervals are from 1 µs to 10,000 hours.
func TestCheckInterval(t *testing.T) {
	for interval, want := range map[time.Duration]string{
		time.Microsecond: "", 10_000 * time.Hour: "",
		999:                  "invalid sampling interval: 0 us (999ns); must be at least 1us",
		-time.Microsecond:    "invalid sampling interval: -1 us (-1µs); must be at least 1us",
		10_000*time.Hour + 1: "invalid sampling interval: 10000h0m0.000000001s; must be at most 10000h",
	} {
		if err := CheckInterval(interval); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: %v, want %q", interval, err, want)
		}
	}
}
