package stackdump

import (
	"fmt"
	"io"
	"slices"
	"time"

	"artifice/trace"
)

// Farthest is the maximum time of a dump: 73 years, so that sums of two times do not overflow.
const Farthest = time.Duration(1 << 61)

// timeline computes the times of dumps since the first one.
type timeline struct {
	interval time.Duration
	signed   bool // values are negative: times go back
	begun    bool
	origin   Stamp
	latest   time.Duration         // latest time of all dumps so far
	last     map[int]time.Duration // by pid: time of each process's last complete dump
}

// oddity describes a problem with the time of a dump; the zero value means none.
type oddity struct {
	what, detail string // the arguments of Warnings.Add
}

// place returns the time of d, and any problem with it. The time is that of the uptime, else that
// of the date, else one interval after the previous dump.
func (t *timeline) place(d *Dump) (at time.Duration, odd oddity) {
	if !t.begun {
		t.begun, t.origin = true, d.Stamp
		t.last = map[int]time.Duration{d.PID: 0}
		return 0, oddity{}
	}
	if at = t.since(d); t.signed {
		t.latest = max(t.latest, at)
		return at, oddity{}
	}
	if at < 0 {
		at, odd = 0, oddity{"the dump is earlier than the first dump, and is moved to the time of the first dump; difference", (-at).String()}
	} else if at > Farthest {
		at, odd = Farthest, oddity{fmt.Sprintf("the dump is too long after the first dump, and is moved to %s after the first dump; difference", Farthest), at.String()}
	}
	if d.Partial { // the order of time holds for each thread only
		t.latest = max(t.latest, at)
		return at, odd
	}
	if last, seen := t.last[d.PID]; seen && at <= last {
		at, odd = t.after(d, last, at)
		at = min(at, Farthest)
	}
	t.last[d.PID] = at
	t.latest = max(t.latest, at)
	return at, odd
}

// since returns the time from the first dump to d by their timestamps.
func (t *timeline) since(d *Dump) time.Duration {
	switch {
	case t.origin.HasUptime && d.Stamp.HasUptime:
		return d.Stamp.Uptime - t.origin.Uptime
	case !t.origin.Date.IsZero() && !d.Stamp.Date.IsZero():
		return d.Stamp.Date.Sub(t.origin.Date)
	}
	if d.Partial {
		return min(t.latest+t.interval, Farthest)
	}
	if last, seen := t.last[d.PID]; seen {
		return min(last+t.interval, Farthest)
	}
	return t.latest
}

// after returns the time of a dump with a stated time that is not later than that of the process's
// last dump. Dumps with the same time in whole seconds are placed one interval apart, within that
// second.
func (t *timeline) after(d *Dump, last, at time.Duration) (time.Duration, oddity) {
	if d.Stamp.WholeSeconds && !d.Stamp.HasUptime && last < at+time.Second {
		return min(last+t.interval, max(last, at+time.Second-1)),
			oddity{"the dump states only whole seconds, and an earlier dump has the same second; it is placed one interval after the previous one", ""}
	}
	return last + t.interval, oddity{"the dump is not later than the previous one; it is placed one interval after it", (at - last).String()}
}

// tail delivers the dumps in the last window of a source. It reads all dumps and keeps those that
// may be in the window.
type tail struct {
	source source
	window time.Duration
	line   timeline
	kept   []placed
	read   bool
}

// placed is a dump with its time.
type placed struct {
	dump *Dump
	at   time.Duration
}

func (t *tail) next() (*Dump, error) {
	if !t.read {
		if err := t.readAll(); err != nil {
			return nil, err
		}
		t.read = true
	}
	if len(t.kept) == 0 {
		return nil, io.EOF
	}
	d := t.kept[0].dump
	t.kept = t.kept[1:]
	return d, nil
}

// readAll reads all dumps. A dump is kept while it is no older than the window, including the
// bound, as in BlockCanaryX.
func (t *tail) readAll() error {
	var frames []trace.DisplayFrame
	for {
		d, err := t.source.next()
		if err == io.EOF {
			if len(t.kept) > 0 {
				first := t.kept[0].dump
				before := func(f trace.DisplayFrame) bool { return f.End < first.Stamp.Uptime }
				first.DisplayFrames = slices.DeleteFunc(frames, before)
			}
			return nil
		}
		if err != nil {
			return err
		}
		frames = append(frames, d.DisplayFrames...)
		at, _ := t.line.place(d)
		t.kept = append(t.kept, placed{d.keep(), at})
		drop := 0
		for t.line.latest-t.kept[drop].at > t.window {
			drop++
		}
		t.kept = t.kept[drop:]
	}
}
