// Package corpus generates fleets of small traces for tests and measurements: of one app in
// several formats and releases, with a manifest, some of them broken. The time of each method is
// known: [Fleet.Drawn] contains it as generated, not as read from a trace.
package corpus

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"artifice/trace"
	"artifice/tracer"
	"artifice/writer"
)

// Config is the configuration of a fleet.
type Config struct {
	Traces  int
	Seed    uint64
	Frames  int  // frames drawn in each trace, of 16 ms and some 10 calls; 0: 20
	Broken  int  // one trace in this number is truncated; 0: none
	Sampled bool // one trace in four was sampled every millisecond; otherwise all contain every call
}

// Fleet is a generated fleet.
type Fleet struct {
	Manifest string   // file: the columns path, app, version, device
	Paths    []string // of all traces
	Bad      []string // paths of the broken traces
	Bytes    int64

	// Drawn is the time of Feed.draw in each trace, in the order of Paths. It is a quarter longer
	// in release 1.3 than in 1.2.
	Drawn []time.Duration
}

// formats are the formats of traces, in rotation.
var formats = []struct{ name, ending string }{
	{"art", ".trace"}, {"art-stream", ".trace"}, {"art-v2-16", ".trace"}, {"dalvik3", ".trace"}, {"text", ".txt"}, {"art", ".trace.gz"},
}

// Write generates a fleet in an existing folder.
func Write(folder string, cfg Config) (*Fleet, error) {
	fleet := &Fleet{Manifest: filepath.Join(folder, "manifest.csv")}
	var list bytes.Buffer
	rows := csv.NewWriter(&list)
	rows.Write([]string{"path", "app", "version", "device"})
	for i := range cfg.Traces {
		format := formats[i%len(formats)]
		name := fmt.Sprintf("%05d%s", i, format.ending)
		version := []string{"1.2", "1.3"}[i/len(formats)%2]
		rec, drawn := app(cfg, uint64(i), version)
		b, err := file(rec, format.name, cfg.Sampled && i%4 == 3, uint64(i))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		path := filepath.Join(folder, name)
		if cfg.Broken > 0 && i%cfg.Broken == cfg.Broken/2 {
			b = slices.Concat(b[:len(b)*2/3], []byte("\nbroken"))
			fleet.Bad = append(fleet.Bad, path)
		}
		if strings.HasSuffix(name, ".gz") {
			if b, err = packed(b); err != nil {
				return nil, err
			}
		}
		if err := os.WriteFile(path, b, 0o666); err != nil {
			return nil, err
		}
		fleet.Paths, fleet.Drawn, fleet.Bytes = append(fleet.Paths, path), append(fleet.Drawn, drawn), fleet.Bytes+int64(len(b))
		rows.Write([]string{name, []string{"mail", "maps"}[i/(2*len(formats))%2], version, []string{"A", "B", "C"}[i%3]})
	}
	rows.Flush()
	return fleet, errors.Join(rows.Error(), os.WriteFile(fleet.Manifest, list.Bytes(), 0o666))
}

// file encodes a recording as a file in the given format.
func file(rec *trace.Recording, format string, sampled bool, seed uint64) ([]byte, error) {
	if sampled {
		way, err := tracer.ByName("sample")
		if err != nil {
			return nil, err
		}
		o := &tracer.Options{Seed: seed, Interval: time.Millisecond, Phase: time.Millisecond / 2}
		o.Start.Clock = trace.Dual
		if rec, err = way.Record(rec, o); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	_, err := writer.Write(&b, format, rec)
	return b.Bytes(), err
}

// The methods of the app.
const (
	run trace.MethodID = iota
	onFrame
	measure
	layout
	draw
	text
	poll
	read
)

// script generates the events of an app, one thread after another in time.
type script struct {
	events []trace.Event
	rng    *rand.Rand
	now    trace.Event // thread and times
}

func (s *script) event(action trace.Action, m trace.MethodID) {
	e := s.now
	e.Action, e.Method = action, m
	s.events = append(s.events, e)
}

// pass advances the time by about mean, in whole microseconds, and returns the step.
func (s *script) pass(mean time.Duration, cpu bool) time.Duration {
	d := max(1, time.Duration(s.rng.ExpFloat64()*float64(mean/time.Microsecond))) * time.Microsecond
	s.now.Wall += d
	if cpu {
		s.now.CPU += d
	}
	return d
}

// call adds a call that only computes.
func (s *script) call(m trace.MethodID, mean time.Duration) time.Duration {
	s.event(trace.Enter, m)
	d := s.pass(mean, true)
	s.event(trace.Exit, m)
	return d
}

// app returns the recording of the app in one trace, and the self time of Feed.draw.
func app(cfg Config, seed uint64, version string) (*trace.Recording, time.Duration) {
	method := func(id uint64, class, name string, wait trace.Wait) trace.Method {
		return trace.Method{ID: id << 2, Class: class, Name: name, Signature: "()V", File: class[strings.LastIndexByte(class, '.')+1:] + ".java", Wait: wait}
	}
	s := &script{rng: rand.New(rand.NewPCG(cfg.Seed, seed))}
	drawing := 2 * time.Millisecond
	if version == "1.3" {
		drawing = drawing * 5 / 4
	}
	var drawn time.Duration
	frames := cfg.Frames
	if frames == 0 {
		frames = 20
	}
	s.event(trace.Enter, run)
	for range frames {
		s.event(trace.Enter, onFrame)
		s.pass(200*time.Microsecond, true)
		s.call(measure, time.Millisecond)
		s.call(layout, time.Millisecond)
		s.event(trace.Enter, draw)
		for range 1 + s.rng.IntN(5) {
			drawn += s.pass(drawing/4, true)
			s.call(text, 300*time.Microsecond)
		}
		drawn += s.pass(drawing/4, true)
		s.event(trace.Exit, draw)
		s.event(trace.Exit, onFrame)
		s.event(trace.Enter, poll)
		s.pass(5*time.Millisecond, false)
		s.event(trace.Exit, poll)
	}
	s.event(trace.Exit, run)
	end := s.now.Wall
	return &trace.Recording{
		Info: trace.Info{Clock: trace.Dual, Elapsed: end, Technique: trace.Truth, VM: "art", Events: int64(len(s.events))},
		Symbols: &trace.Symbols{
			Threads: []trace.Thread{{TID: uint32(1000 + seed), Name: "main", End: end}},
			Methods: []trace.Method{
				method(1, "app.Main", "run", trace.Running), method(2, "app.Feed", "onFrame", trace.Running), method(3, "app.Feed", "measure", trace.Running),
				method(4, "app.Feed", "layout", trace.Running), method(5, "app.Feed", "draw", trace.Running), method(6, "app.Text", "draw", trace.Running),
				method(7, "android.os.MessageQueue", "nativePollOnce", trace.IO), method(8, "app.Disk", "read", trace.Running),
			},
		},
		Events: trace.NewSliceReader(s.events),
	}, drawn
}

// packed returns b compressed by gzip.
func packed(b []byte) ([]byte, error) {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(b)
	err = errors.Join(err, w.Close())
	return out.Bytes(), err
}
