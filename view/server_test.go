//go:build !inpage

package view

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"artifice/internal/testdata"
	"artifice/trace/calltree"
)

// serve serves a page of the example until the test ends.
func serve(t *testing.T, parts PartSource) *Server {
	t.Helper()
	s, err := Listen(&Page{Title: "x", Recordings: []*Recording{readExample(t, calltree.UntilLastEvent)}}, 0, parts)
	if err != nil {
		t.Fatal(err)
	}
	testdata.Serve(t, s)
	return s
}

// TestServer checks that the page is served, names its data, and that its data equal those of the
// file.
func TestServer(t *testing.T) {
	s := serve(t, nil)
	answer, page := testdata.Ask(t, s.URL(), nil)
	if answer.StatusCode != 200 || !strings.Contains(page, `<meta name="data" content="data">`) || strings.Contains(page, `id="data"`) {
		t.Errorf("status %d, page %.200q", answer.StatusCode, page)
	}
	for _, name := range []string{"data", "data?x=1"} {
		answer, packed := testdata.Ask(t, s.URL()+name, nil)
		if answer.StatusCode != 200 {
			t.Fatalf("%s: status %d", name, answer.StatusCode)
		}
		d := decode(t, []byte(packed))
		if got := len(d.calls(&d.threads[0][1])); got != 4 || d.Range != "" {
			t.Errorf("%d calls, range %q", got, d.Range)
		}
	}
	if host, _, _ := net.SplitHostPort(s.listener.Addr().String()); !net.ParseIP(host).IsLoopback() {
		t.Errorf("listens on %s", host)
	}
}

// TestServerPolicy checks that only the page's own script, style and data may be loaded, and that
// the page's text contains no handler.
func TestServerPolicy(t *testing.T) {
	s := serve(t, nil)
	answer, page := testdata.Ask(t, s.URL(), nil)
	policy := answer.Header.Get("Content-Security-Policy")
	want := regexp.MustCompile(`^default-src 'none'; script-src 'sha256-[A-Za-z0-9+/=]{44}'; style-src 'sha256-[A-Za-z0-9+/=]{44}'; base-uri 'none'; form-action 'none'; connect-src 'self'; frame-ancestors 'none'$`)
	if !want.MatchString(policy) {
		t.Errorf("policy %s", policy)
	}
	if strings.Contains(policy, "unsafe") || regexp.MustCompile(`<[^>]*\s(on\w+|style)=`).MatchString(page[:strings.Index(page, "<script")]) {
		t.Errorf("the page has handlers or styles in its text")
	}
	for name, want := range map[string]string{"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"} {
		if got := answer.Header.Get(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestServerRefuses checks that a request without the token, by another host name, or from a page
// of another origin receives no part of the page.
func TestServerRefuses(t *testing.T) {
	s := serve(t, &fakeParts{})
	root := "http://" + s.Hosts[0]
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	for _, test := range []struct {
		name, url string
		change    func(*http.Request)
		status    int
	}{
		{"no token", root + "/", nil, 403},
		{"no token, data", root + "/data", nil, 403},
		{"no token, range", root + "/range?from=0&to=1", nil, 403},
		{"another token", root + "/" + strings.Repeat("A", len(s.token)) + "/data", nil, 403},
		{"half a token", root + "/" + s.token[:13] + "/data", nil, 403},
		{"dots", root + "/x/../data", nil, 403},
		{"another host", s.URL() + "data", func(r *http.Request) { r.Host = "attacker.example" }, 403},
		{"another host, same port", s.URL() + "data", func(r *http.Request) { r.Host = "attacker.example:" + strings.Split(s.Hosts[0], ":")[1] }, 403},
		{"no port", s.URL(), func(r *http.Request) { r.Host = "127.0.0.1" }, 403},
		{"another origin", s.URL() + "data", header("Origin", "http://attacker.example"), 403},
		{"null origin", s.URL() + "data", header("Origin", "null"), 403},
		{"another site", s.URL() + "data", header("Sec-Fetch-Site", "cross-site"), 403},
		{"another port of this machine", s.URL() + "data", header("Sec-Fetch-Site", "same-site"), 403},
		{"post", s.URL() + "data", func(r *http.Request) { r.Method = "POST" }, 405},
		{"no such path", s.URL() + "etc/passwd", nil, 404},
		{"localhost", s.URL() + "data", func(r *http.Request) { r.Host = s.Hosts[1] }, 200},
		{"own origin", s.URL() + "data", header("Origin", root), 200},
		{"a link elsewhere", s.URL(), func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
		}, 200},
	} {
		answer, body := testdata.Ask(t, test.url, test.change)
		if answer.StatusCode != test.status || answer.StatusCode != 200 && len(body) > 200 {
			t.Errorf("%s: status %d, want %d; %.200q", test.name, answer.StatusCode, test.status, body)
		}
	}
}

// fakeParts answers with the query.
type fakeParts struct{ changed error }

func (*fakeParts) WritePart(_ context.Context, w io.Writer, part PartQuery) error {
	if part.Recording != 0 {
		return errors.New("no such recording")
	}
	_, err := fmt.Fprintf(w, "[%q]", fmt.Sprint(part.From, part.To, part.Threads))
	return err
}

func (f *fakeParts) Changed() error { return f.changed }

// TestServerRange checks that ranges are passed on, and that an error in a range or in the file is
// reported.
func TestServerRange(t *testing.T) {
	s := serve(t, &fakeParts{})
	for _, test := range []struct {
		query  string
		status int
		body   string
	}{
		{"from=1000&to=2000", 200, `["1µs 2µs []"]`},
		{"from=1000&to=2000&thread=7&thread=12", 200, `["1µs 2µs [7 12]"]`},
		{"from=1000&to=2000&thread=main", 400, "thread=\"main\": must be a number of at least 0\n"},
		{"from=1000&to=2000&recording=1", 422, "no such recording\n"},
		{"from=2000&to=1000", 400, "the range from 2µs to 1µs is empty\n"},
		{"from=-1&to=1000", 400, "from=\"-1\": must be a number of at least 0\n"},
		{"from=1", 400, "want from=NS&to=NS\n"},
		{"from=1&to=2&limit=3", 400, "limit=\"3\": must be one of from, to, recording and thread\n"},
	} {
		answer, body := testdata.Ask(t, s.URL()+"range?"+test.query, nil)
		if answer.StatusCode != test.status || body != test.body {
			t.Errorf("%s: status %d, %q", test.query, answer.StatusCode, body)
		}
	}
	_, packed := testdata.Ask(t, s.URL()+"data", nil)
	if d := decode(t, []byte(packed)); d.Range != "range" {
		t.Errorf("the page asks %q for ranges", d.Range)
	}
	s = serve(t, &fakeParts{changed: errors.New("app.trace has changed")})
	if answer, body := testdata.Ask(t, s.URL()+"range?from=1&to=2", nil); answer.StatusCode != 409 || body != "app.trace has changed\n" {
		t.Errorf("a changed file: status %d, %q", answer.StatusCode, body)
	}
}

// TestPortTaken checks that a port that another program uses is an error that states this.
func TestPortTaken(t *testing.T) {
	s := serve(t, nil)
	port := s.listener.Addr().(*net.TCPAddr).Port
	_, err := Listen(&Page{Recordings: []*Recording{readExample(t, calltree.UntilLastEvent)}}, port, nil)
	if taken := (*PortTakenError)(nil); !errors.As(err, &taken) || taken.Port != port {
		t.Errorf("%v", err)
	}
}
