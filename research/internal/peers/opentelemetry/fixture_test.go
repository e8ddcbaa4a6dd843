package opentelemetry_test

import (
	"os"
	"path/filepath"
	"testing"

	"go.opentelemetry.io/collector/pdata/pprofile"

	"artifice/fixtures"
)

// TestFixture checks that OpenTelemetry's package pdata reads the same profile from the valid
// protobuf file of the corpus as from its JSON file, and refuses files with an impossible encoding.
func TestFixture(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "corpus")
	m, err := fixtures.Write(t.Context(), dir, fixtures.Config{Seed: 1, Only: "*otlp*"})
	if err != nil {
		t.Fatal(err)
	}
	read := map[string]string{}
	for _, e := range m.Formats {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(e.File)))
		if err != nil {
			t.Fatal(err)
		}
		var profiles pprofile.Profiles
		if e.Format == "otlp" {
			profiles, err = (&pprofile.ProtoUnmarshaler{}).UnmarshalProfiles(data)
		} else {
			profiles, err = (&pprofile.JSONUnmarshaler{}).UnmarshalProfiles(data)
		}
		if err != nil {
			continue
		}
		text, err := (&pprofile.JSONMarshaler{}).MarshalProfiles(profiles)
		if err != nil {
			t.Fatal(err)
		}
		read[e.File] = string(text)
	}
	if read["valid/otlp.otlp"] == "" || read["valid/otlp.otlp"] != read["valid/otlp.json"] {
		t.Errorf("protobuf %q, JSON %q", read["valid/otlp.otlp"], read["valid/otlp.json"])
	}
	for _, name := range []string{"broken/otlp-cut.otlp", "broken/otlp-number.otlp", "broken/otlp-length.otlp", "broken/otlp-json-cut.json"} {
		if read[name] != "" {
			t.Errorf("%s is read: %s", name, read[name])
		}
	}
}
