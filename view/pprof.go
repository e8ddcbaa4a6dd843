package view

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/google/pprof/driver"
	"github.com/google/pprof/profile"
)

// PprofServer shows a profile in the web interface of google/pprof.
type PprofServer struct {
	*door
	profile *profile.Profile
	say     func(string)
}

// ListenPprof begins to listen for a profile of pprof's format; port 0 is a free one.
// say is told what pprof has to say.
func ListenPprof(packed io.Reader, port int, say func(string)) (*PprofServer, error) {
	p, err := profile.Parse(packed)
	if err != nil {
		return nil, err
	}
	d, err := newDoor(port)
	if err != nil {
		return nil, err
	}
	return &PprofServer{d, p, say}, nil
}

// Serve answers until ctx ends, and returns nil then. Only one is served at a time: pprof
// has its settings in variables of its own.
func (s *PprofServer) Serve(ctx context.Context) error {
	return driver.PProf(&driver.Options{
		Fetch:   s,
		Flagset: &pprofFlags{FlagSet: flag.NewFlagSet("pprof", flag.ContinueOnError), args: []string{"-http=" + s.hosts[0], "-no_browser", "-symbolize=none", "profile"}},
		UI:      (*pprofUI)(s),
		HTTPServer: func(args *driver.HTTPServerArgs) error {
			return s.serve(ctx, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if h := args.Handlers[r.URL.Path]; h != nil {
					h.ServeHTTP(w, r)
					return
				}
				http.NotFound(w, r)
			}))
		},
	})
}

// Fetch implements [driver.Fetcher].
func (s *PprofServer) Fetch(string, time.Duration, time.Duration) (*profile.Profile, string, error) {
	return s.profile, "", nil
}

// pprofFlags are the flags that pprof is run with. It implements [driver.FlagSet].
type pprofFlags struct {
	*flag.FlagSet
	args []string
}

func (f *pprofFlags) StringList(name, def, usage string) *[]*string {
	return &[]*string{f.String(name, def, usage)}
}

func (f *pprofFlags) ExtraUsage() string   { return "" }
func (f *pprofFlags) AddExtraUsage(string) {}

func (f *pprofFlags) Parse(func()) []string {
	f.FlagSet.Parse(f.args) // they are ours, and good
	return f.Args()
}

// pprofUI is what pprof speaks through. It implements [driver.UI].
type pprofUI PprofServer

func (u *pprofUI) ReadLine(string) (string, error)     { return "", io.EOF }
func (u *pprofUI) Print(...any)                        {} // where it serves: we know
func (u *pprofUI) PrintErr(text ...any)                { u.say(strings.TrimSpace(fmt.Sprint(text...))) }
func (u *pprofUI) IsTerminal() bool                    { return false }
func (u *pprofUI) WantBrowser() bool                   { return false } // opened by who started us
func (u *pprofUI) SetAutoComplete(func(string) string) {}
