package main

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"artifice/format"
	tracetext "artifice/format/text"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
)

// example is a trace of two methods.
const example = "# artifice text trace\n" +
	"info\tclock\tdual\n" +
	"thread\t21491\tmain\n" +
	"method\t0x4\ta.b.Main\trun\t()V\tMain.java\t10\n" +
	"method\t0x8\ta.b.Main\tdraw\t()V\tMain.java\t20\n" +
	"0 0 21491 enter a.b.Main.run()V\n" +
	"2000 1000 21491 enter a.b.Main.draw()V\n" +
	"7000 5000 21491 exit a.b.Main.draw()V\n" +
	"9000 6000 21491 exit a.b.Main.run()V\n"

// servePprof serves the profile of the example until the test ends.
func servePprof(t *testing.T) *pprofServer {
	t.Helper()
	rec, err := tracetext.NewReader(strings.NewReader(example), "example")
	if err != nil {
		t.Fatal(err)
	}
	b := bytes.NewBuffer(tracetest.Written(t, format.ByName("pprof"), rec))
	s, err := listenPprof(b, 0, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	testdata.Serve(t, s)
	return s
}

// TestPprof checks that pprof's web interface contains the methods of a trace. Other pages of the
// interface are not served, because they would open files that the profile names, and write the
// user's settings.
func TestPprof(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home) // pprof keeps settings there
	t.Setenv("XDG_CONFIG_HOME", home)
	s := servePprof(t)
	pages := []string{"", "flamegraph", "top", "peek?f=run"}
	if _, err := exec.LookPath("dot"); err == nil { // pprof draws with it
		pages = append(pages, "graph")
	}
	for _, path := range pages {
		answer, body := testdata.Ask(t, s.URL()+path, nil)
		if answer.StatusCode != 200 || !strings.Contains(body, "a.b.Main.run") || !strings.Contains(body, "pprof") {
			t.Errorf("%q: status %d, %.100q", path, answer.StatusCode, body)
		}
		policy := answer.Header.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "http") || strings.Contains(policy, "*") || !strings.Contains(policy, "frame-ancestors 'none'") {
			t.Errorf("%q: policy %q", path, policy)
		}
	}
	answer, body := testdata.Ask(t, s.URL()+"download", nil)
	if p, err := profile.ParseData([]byte(body)); answer.StatusCode != 200 || err != nil || len(p.Sample) == 0 {
		t.Errorf("download: status %d, %v", answer.StatusCode, err)
	}
	for _, path := range []string{"source?f=run", "disasm?f=run", "saveconfig?config=x", "deleteconfig?config=x", "flamegraphold", "debug/pprof/", "../top"} {
		if answer, body := testdata.Ask(t, s.URL()+path, nil); answer.StatusCode != http.StatusNotFound && answer.StatusCode != http.StatusForbidden {
			t.Errorf("%q: status %d, %.100q", path, answer.StatusCode, body)
		}
	}
	if left, err := os.ReadDir(home); err != nil || len(left) > 0 {
		t.Errorf("the user's home has %v (%v), want nothing", left, err)
	}
}

// TestPprofRefuses checks that every page rejects requests without the token, for another host
// name, from another origin, or with a method that changes state.
func TestPprofRefuses(t *testing.T) {
	s := servePprof(t)
	root := "http://" + s.Hosts[0] + "/"
	for _, page := range []string{"", "flamegraph", "top", "graph", "peek", "download", "source", "disasm", "saveconfig", "deleteconfig"} {
		for name, test := range map[string]struct {
			url    string
			change func(*http.Request)
			status int
		}{
			"no token":       {root + page, nil, 403},
			"another token":  {root + strings.Repeat("A", 26) + "/" + page, nil, 403},
			"another name":   {s.URL() + page, func(r *http.Request) { r.Host = "attacker.example" }, 403},
			"another origin": {s.URL() + page, func(r *http.Request) { r.Header.Set("Origin", "http://attacker.example") }, 403},
			"POST":           {s.URL() + page, func(r *http.Request) { r.Method = http.MethodPost }, 405},
			"DELETE":         {s.URL() + page, func(r *http.Request) { r.Method = http.MethodDelete }, 405},
		} {
			if answer, body := testdata.Ask(t, test.url, test.change); answer.StatusCode != test.status || strings.Contains(body, "Main") {
				t.Errorf("%q, %s: status %d, %.100q", page, name, answer.StatusCode, body)
			}
		}
	}
}
