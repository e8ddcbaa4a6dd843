package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"artifice/report/plan"
	"artifice/tracer/device"
	"artifice/workload"
)

// Engine answers the page's requests one after another. They refer to the source opened last.
type Engine struct {
	Version string // version of the program without its name, for saved pages
	Worker  Worker // worker that runs the engine; nil if there is none

	source *source
	sweep  *sweep
}

// Worker connects long work with the waiting page.
type Worker interface {
	// Yield lets the page run between batches of events. An error ends the work.
	Yield() error

	// Report reports the progress of a step, "reading" or "sampling". total is -1 if it is unknown.
	Report(step string, done, total float64)
}

// Request is a request of the page.
type Request struct {
	Op     string  `json:"op"`
	Name   string  `json:"name"`     // open: name of a built-in app or a file
	Every  float64 `json:"every_ms"` // look: interval in ms
	Pause  float64 `json:"pause_ms"` // look: pause of a sample in ms
	Device string  `json:"device"`   // sweep, plan
	Method string  `json:"method"`   // plan
	Change float64 `json:"change"`   // plan: the change as a share
	Budget float64 `json:"budget"`   // plan: the budget as a share
	File   string  `json:"file"`     // save: report.json, report.csv, view.html, bench.html, bench.csv, or a figure of bench (frontier.svg)
}

// Answer is the response: Value as JSON, and bytes.
type Answer struct {
	Value any
	Bytes []byte
}

// Do answers a request. ctx ends it early.
func (e *Engine) Do(ctx context.Context, r *Request) (Answer, error) {
	if r.Op == "apps" {
		return Answer{Value: apps()}, nil
	}
	if r.Op == "open" {
		return e.open(r)
	}
	if e.source == nil {
		return Answer{}, errors.New("no source is open")
	}
	switch r.Op {
	case "report":
		return written(func(w *bytes.Buffer) error { return e.source.writeReport(w, false) })
	case "look":
		g, err := e.source.look(milliseconds(r.Every), milliseconds(r.Pause))
		if err != nil {
			return Answer{}, err
		}
		return Answer{g, g.Data}, nil
	case "sweep":
		return e.tryWays(ctx, r)
	case "plan":
		return e.plan(ctx, r)
	case "save":
		return e.save(r)
	}
	return Answer{}, fmt.Errorf("there is no operation %q", r.Op)
}

// milliseconds converts a value of the page's controls to a time.
func milliseconds(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

// written returns the output of write as bytes.
func written(write func(*bytes.Buffer) error) (Answer, error) {
	var b bytes.Buffer
	err := write(&b)
	return Answer{Bytes: b.Bytes()}, err
}

// namedItem describes a built-in source or a device.
type namedItem struct {
	Name  string `json:"name"`
	About string `json:"about"`
}

// sources lists the built-in apps and the devices.
type sources struct {
	Apps    []namedItem `json:"apps"`
	Devices []namedItem `json:"devices"`
}

func apps() sources {
	var a sources
	for _, p := range workload.Builtin() {
		a.Apps = append(a.Apps, namedItem{p.Name, p.Description})
	}
	for _, d := range device.All() {
		a.Devices = append(a.Devices, namedItem{d.Name, d.Description})
	}
	return a
}

func (e *Engine) open(r *Request) (Answer, error) {
	l, err := openSource(r.Name, e.Worker)
	if err != nil {
		return Answer{}, err
	}
	e.source, e.sweep = l, nil
	return Answer{Value: struct {
		about
		Hottest []string `json:"hottest"`
	}{l.about, l.hottest(hottest)}}, nil
}

// hottest is the number of methods offered for a plan.
const hottest = 40

func (e *Engine) tryWays(ctx context.Context, r *Request) (Answer, error) {
	s, err := e.source.trySweep(ctx, r.Device)
	switch {
	case err != nil && ctx.Err() != nil, err == nil && s.Truth.Events == 0:
		return Answer{}, errors.New("stopped before anything was measured")
	case err != nil:
		return Answer{}, err
	}
	e.sweep = s
	return Answer{Value: struct {
		Cut     bool     `json:"cut"`
		Length  int64    `json:"length_ns"` // length of the measured part
		Sampled bool     `json:"sampled"`
		Points  []point  `json:"points"`
		Advice  []string `json:"advice"`
	}{s.Cut, int64(s.Truth.Length), s.Sampled, s.points(), s.advice()}}, nil
}

func (e *Engine) plan(ctx context.Context, r *Request) (Answer, error) {
	p, err := e.source.plan(ctx, r.Method, r.Change, r.Budget, r.Device)
	if unknown := new(plan.MethodError); errors.As(err, &unknown) {
		return Answer{}, fmt.Errorf("%s: %w", r.Method, err)
	}
	if err != nil {
		return Answer{}, err
	}
	var text bytes.Buffer
	if err := p.WriteJSON(&text, nil); err != nil {
		return Answer{}, err
	}
	return Answer{Value: struct {
		Plan   json.RawMessage `json:"plan"`
		Curves []powerCurve    `json:"curves"`
	}{text.Bytes(), curves(p)}}, nil
}

// save returns a file as written by the program.
func (e *Engine) save(r *Request) (Answer, error) {
	return written(func(w *bytes.Buffer) error {
		switch r.File {
		case "report.json", "report.csv":
			return e.source.writeReport(w, r.File == "report.csv")
		case "view.html":
			return e.source.writeView(w, "artifice "+e.Version)
		}
		if e.sweep == nil {
			return errors.New("nothing was measured yet")
		}
		if name, ok := strings.CutSuffix(r.File, ".svg"); ok {
			return e.sweep.writeFigure(w, name)
		}
		if r.File == "bench.html" {
			return e.sweep.writeHTML(w, e.Version)
		}
		return e.sweep.writeCSV(w)
	})
}
