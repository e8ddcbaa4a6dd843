package check_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"artifice/format/check"
)

// spoiledProfiles lists the files of testdata/otlp, a valid one and damaged variants, with the
// first finding and the ids of all findings in order.
var spoiledProfiles = map[string]struct{ ids, first string }{
	"valid":        {"", ""},
	"no-resources": {"E041", "E041 otlp-nothing-inside: resource_profiles is empty"},
	"no-scopes":    {"E041", "E041 otlp-nothing-inside: resource_profiles[0]: scope_profiles is empty"},
	"no-profiles":  {"E041", "E041 otlp-nothing-inside: resource_profiles[0].scope_profiles[0]: profiles is empty"},

	"index-of-stack":             {"E042", "E042 otlp-index: resource_profiles[0].scope_profiles[0].profiles[0].samples[0]: stack_index is 2, but the table has 2 entries"},
	"index-of-link":              {"E042 W133", "E042 otlp-index: resource_profiles[0].scope_profiles[0].profiles[0].samples[0]: link_index is -1, but the table has 2 entries"},
	"index-of-attribute":         {"E042", "E042 otlp-index: resource_profiles[0].scope_profiles[0].profiles[0].samples[0]: attribute_indices[1] is 3, but the table has 3 entries"},
	"index-of-profile-attribute": {"E042", "E042 otlp-index: resource_profiles[0].scope_profiles[0].profiles[0]: attribute_indices[0] is 7,"},
	"index-of-type":              {"E042", "E042 otlp-index: resource_profiles[0].scope_profiles[0].profiles[0].sample_type: type_strindex is 8,"},
	"index-of-period-unit":       {"E042", "E042 otlp-index: resource_profiles[0].scope_profiles[0].profiles[0].period_type: unit_strindex is -2,"},
	"index-of-mapping":           {"E042 W133", "E042 otlp-index: dictionary.location_table[1]: mapping_index is 2,"},
	"index-of-mapping-file":      {"E042", "E042 otlp-index: dictionary.mapping_table[1]: filename_strindex is 9,"},
	"index-of-function":          {"E042 W133", "E042 otlp-index: dictionary.location_table[1].lines[0]: function_index is 5,"},
	"index-of-function-name":     {"E042", "E042 otlp-index: dictionary.function_table[1]: name_strindex is 30,"},
	"index-of-system-name":       {"E042", "E042 otlp-index: dictionary.function_table[1]: system_name_strindex is 30,"},
	"index-of-file-name":         {"E042", "E042 otlp-index: dictionary.function_table[1]: filename_strindex is 30,"},
	"index-of-key":               {"E042 W133", "E042 otlp-index: dictionary.attribute_table[1]: key_strindex is 50,"},
	"index-of-unit":              {"E042 W133", "E042 otlp-index: dictionary.attribute_table[2]: unit_strindex is 70,"},
	"index-of-location":          {"E042", "E042 otlp-index: dictionary.stack_table[1]: location_indices[1] is 4,"},

	"attribute-twice": {"E043 W133", `E043 otlp-attribute-twice: resource_profiles[0].scope_profiles[0].profiles[0].samples[1]: attribute_indices[1] has the key "thread.name" again`},

	"time-before":      {"E044", "E044 otlp-time-outside: resource_profiles[0].scope_profiles[0].profiles[0].samples[0]: timestamps_unix_nano[0] is 99, outside the profile's [100, 110)"},
	"time-at-end":      {"E044", "E044 otlp-time-outside: resource_profiles[0].scope_profiles[0].profiles[0].samples[1]: timestamps_unix_nano[0] is 110,"},
	"sample-empty":     {"E045x2", "E045 otlp-sample-empty: resource_profiles[0].scope_profiles[0].profiles[0].samples[0]: no values"},
	"values-many":      {"E046", "E046 otlp-values: resource_profiles[0].scope_profiles[0].profiles[0].samples[0]: 2 values without"},
	"values-and-times": {"E046", "E046 otlp-values: resource_profiles[0].scope_profiles[0].profiles[0].samples[0]: 1 values for 2 timestamps_unix_nano"},
	"shapes-differ":    {"E047", "E047 otlp-shapes-differ: resource_profiles[0].scope_profiles[0].profiles[0].samples[1]: timestamps only; the first sample of the profile has values only"},

	"empty-mapping-table":   {"E042x2 E048", ""},
	"empty-location-table":  {"E042 E048 W133x2", ""},
	"empty-function-table":  {"E042 E048 W133", ""},
	"empty-link-table":      {"E042x2 E048", ""},
	"empty-string-table":    {"E042x18 E048", ""},
	"empty-attribute-table": {"E042x2 E048 W133x3", ""},
	"empty-stack-table":     {"E042x2 E048 W133", ""},

	"first-mapping":   {"E049", "E049 otlp-first-entry: dictionary: mapping_table[0] has content"},
	"first-location":  {"E049", "E049 otlp-first-entry: dictionary: location_table[0] has content"},
	"first-function":  {"E049", "E049 otlp-first-entry: dictionary: function_table[0] has content"},
	"first-link":      {"E049", "E049 otlp-first-entry: dictionary: link_table[0] has content"},
	"first-string":    {"E049", "E049 otlp-first-entry: dictionary: string_table[0] has content"},
	"first-attribute": {"E049", "E049 otlp-first-entry: dictionary: attribute_table[0] has content"},
	"first-stack":     {"E049", "E049 otlp-first-entry: dictionary: stack_table[0] has content"},

	"mapping-range":       {"E050", "E050 otlp-mapping-range: dictionary.mapping_table[1]: memory_start is 0x1000 and memory_limit 0x1000"},
	"line-negative":       {"E051", "E051 otlp-line-negative: dictionary.location_table[1].lines[0]: line is -7"},
	"column-negative":     {"E051", "E051 otlp-line-negative: dictionary.location_table[1].lines[0]: column is -3"},
	"start-line-negative": {"E051", "E051 otlp-line-negative: dictionary.function_table[1]: start_line is -6"},
	"trace-id":            {"E052", "E052 otlp-link-id: dictionary.link_table[1]: trace_id has 15 bytes and span_id 8,"},
	"span-id":             {"E052", "E052 otlp-link-id: dictionary.link_table[1]: trace_id has 16 bytes and span_id 0,"},

	"string-twice":     {"W132", "W132 otlp-entry-twice: dictionary: string_table[5] equals [4]"},
	"mapping-twice":    {"W132", "W132 otlp-entry-twice: dictionary: mapping_table[2] equals [1]"},
	"string-unused":    {"W133", "W133 otlp-entry-unused: dictionary: nothing refers to string_table[8]"},
	"attribute-unused": {"W133", "W133 otlp-entry-unused: dictionary: nothing refers to attribute_table[2]"},
	"mapping-unused":   {"W133", "W133 otlp-entry-unused: dictionary: nothing refers to mapping_table[1]"},
	"function-unused":  {"W133", "W133 otlp-entry-unused: dictionary: nothing refers to function_table[1]"},
	"location-unused":  {"W133", "W133 otlp-entry-unused: dictionary: nothing refers to location_table[1]"},
	"stack-unused":     {"W133", "W133 otlp-entry-unused: dictionary: nothing refers to stack_table[1]"},
	"link-unused":      {"W133", "W133 otlp-entry-unused: dictionary: nothing refers to link_table[1]"},
}

// TestProfiles: each file of testdata/otlp violates its rule, and each rule of OpenTelemetry
// profiles is violated by a file. research/internal/peers/opentelemetry checks the protobuf that
// pdata writes from these files.
func TestProfiles(t *testing.T) {
	files, err := filepath.Glob("testdata/otlp/*.json")
	if err != nil || len(files) != len(spoiledProfiles) {
		t.Fatalf("%d files, want %d: %v", len(files), len(spoiledProfiles), err)
	}
	broken := map[string]bool{"E040": true} // TestProfilesEarlier
	for _, file := range files {
		r, err := check.File(file, check.Config{})
		if err != nil {
			t.Fatal(err)
		}
		want := spoiledProfiles[strings.TrimSuffix(filepath.Base(file), ".json")]
		if got := ids(r); got != want.ids {
			t.Errorf("%s: %q, want %q\n%v", file, got, want.ids, r.Findings)
		}
		if len(r.Findings) > 0 && !strings.HasPrefix(r.Findings[0].String(), want.first) {
			t.Errorf("%s: %s, want %s", file, &r.Findings[0], want.first)
		}
		for id := range r.Counts {
			broken[id] = true
		}
	}
	for i := range check.Rules {
		if r := &check.Rules[i]; strings.HasPrefix(r.Name, "otlp-") != broken[r.ID] {
			t.Errorf("%s is violated: %t", r, broken[r.ID])
		}
	}
}

// field encodes a field of a protobuf message.
func field(number protowire.Number, body string) string {
	return string(protowire.AppendString(protowire.AppendTag(nil, number, protowire.BytesType), body))
}

// zeroDictionary has the zero value in each table.
var zeroDictionary = field(2, "\x0a\x00\x12\x00\x1a\x00\x22\x00\x2a\x00\x32\x00\x3a\x00")

// TestProfilesEarlier: field 2 of a sample contained values before release 1.10, and contains
// attribute_indices since. Field 8 of a profile was an id.
func TestProfilesEarlier(t *testing.T) {
	profile := field(2, field(2, "\x05")) + field(8, "")
	earlier := field(1, field(2, field(2, profile))) + zeroDictionary
	now := field(1, field(2, field(2, field(2, field(4, "\x05"))))) + zeroDictionary
	for text, want := range map[string]string{
		earlier: "E040",
		now:     "",
		"\x00\x00\x00" + string(rune(len(now))) + now + "\x00\x00\x00" + string(rune(len(earlier))) + earlier: "E040",
	} {
		r := checkBytes(t, []byte(text))
		if got := ids(r); got != want || r.Format != "otlp" {
			t.Errorf("%q: %q, want %q\n%v", text, got, want, r.Findings)
		}
		for _, tool := range check.Tools {
			if v := r.Verdict(tool); v.Outcome != check.Unknown {
				t.Errorf("%s %s OpenTelemetry profiles", tool, v.Outcome)
			}
		}
	}
}

// TestProfilesCut: the check reports a file truncated at any position.
func TestProfilesCut(t *testing.T) {
	whole, err := os.ReadFile("testdata/otlp/valid.json")
	if err != nil {
		t.Fatal(err)
	}
	whole = bytes.TrimSpace(whole)
	name := filepath.Join(t.TempDir(), "x.json")
	for n := 1; n < len(whole); n += stride() {
		if err := os.WriteFile(name, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := check.File(name, check.Config{Format: "otlp-json"})
		if err != nil {
			t.Fatal(err)
		}
		if ids(r) != "E029" {
			t.Errorf("truncated to %d of %d bytes: %q", n, len(whole), ids(r))
		}
	}
}
