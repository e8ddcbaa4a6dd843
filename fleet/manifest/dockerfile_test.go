package manifest

import (
	"os"
	"regexp"
	"testing"
)

// TestDockerfile: the image has the version of Beam, and is built by the version of Go, in go.mod.
func TestDockerfile(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	docker, mod := read("../Dockerfile"), read("../go.mod")
	for _, both := range [][2]string{
		{`FROM apache/beam_go_sdk:(\S+)`, `apache/beam/sdks/v2 v(\S+)`},
		{`FROM golang:(\d+\.\d+)`, `(?m)^go (\d+\.\d+)`},
	} {
		a, b := regexp.MustCompile(both[0]).FindStringSubmatch(docker), regexp.MustCompile(both[1]).FindStringSubmatch(mod)
		if a == nil || b == nil || a[1] != b[1] {
			t.Errorf("%v in Dockerfile, %v in go.mod", a, b)
		}
	}
}
