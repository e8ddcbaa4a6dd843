package view

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"

	"artifice/trace"
	"artifice/writer"
)

// TestPprof: pprof's own web interface shows the methods of a trace, behind the same
// door as our page.
func TestPprof(t *testing.T) {
	t.Setenv("HOME", t.TempDir()) // pprof keeps settings there
	rec, err := trace.NewTextReader(strings.NewReader(example), "example")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w, err := writer.ByName("pprof").Open(&b, rec, writer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trace.Copy(w, rec.Events); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := ListenPprof(&b, 0, func(text string) { t.Log("pprof:", text) })
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- s.Serve(ctx) }()
	for _, path := range []string{"", "flamegraph", "top"} {
		answer, body := ask(t, s.URL()+path, nil)
		if answer.StatusCode != 200 || !strings.Contains(body, "a.b.Main.run") || !strings.Contains(body, "pprof") {
			t.Errorf("%q: status %d, %.100q", path, answer.StatusCode, body)
		}
	}
	if answer, _ := ask(t, "http://"+s.hosts[0]+"/top", nil); answer.StatusCode != http.StatusForbidden {
		t.Errorf("without the token: status %d", answer.StatusCode)
	}
	if answer, _ := ask(t, s.URL()+"top", func(r *http.Request) { r.Host = "attacker.example" }); answer.StatusCode != http.StatusForbidden {
		t.Errorf("by another name: status %d", answer.StatusCode)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
