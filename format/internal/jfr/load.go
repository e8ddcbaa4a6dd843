package jfr

import (
	"fmt"
	"time"

	"artifice/internal/jsonread"
	"artifice/internal/words"
	"artifice/trace"
)

// Events of the CPU load, which must be consistent with the samples.
const (
	jfrCPULoad        = "jdk.CPULoad"
	jfrCPUInformation = "jdk.CPUInformation"
)

// load computes the CPU time of the process from the CPU load events of the recording.
type load struct {
	cores int     // number of hardware threads; 0 if unknown
	sum   float64 // sum over the events of the share of all cores used by the process
	n     int
	first time.Time
	last  time.Time
}

// add adds an event.
func (l *load) add(e *jfrEvent) error {
	var v struct {
		Start  string  `json:"startTime"`
		User   float64 `json:"jvmUser"`
		System float64 `json:"jvmSystem"`
		Cores  int     `json:"hwThreads"`
	}
	if err := jsonread.Unmarshal(e.Values, &v); err != nil {
		return err
	}
	if e.Type == jfrCPUInformation {
		l.cores = v.Cores
		return nil
	}
	at, err := time.Parse(time.RFC3339Nano, v.Start)
	if err != nil || v.User < 0 || v.System < 0 || v.User+v.System > 1.1 {
		return err
	}
	if l.n++; l.n == 1 {
		l.first = at
	}
	l.last, l.sum = at, l.sum+v.User+v.System
	return nil
}

// used returns the CPU time of the process; ok is false if it is not known. Each event covers the
// time since the previous one, so n events cover n/(n-1) of the time between the first and the
// last.
func (l *load) used() (t time.Duration, ok bool) {
	if l.n < 2 || l.cores <= 0 || !l.last.After(l.first) {
		return 0, false
	}
	each := l.last.Sub(l.first).Seconds() / float64(l.n-1)
	return time.Duration(l.sum * each * float64(l.cores) * float64(time.Second)), true
}

// implausible is the minimum ratio of the samples' CPU time to that of the load events for a
// warning.
const implausible = 2

// checkLoad warns if samples of CPU time represent much more of it than the process used.
func (p *parser) checkLoad(samples int) {
	each := p.period
	if p.interval > 0 {
		each = p.interval
	}
	sum := time.Duration(samples) * each
	if p.counts.cpu > 0 {
		sum = 0
		for i := range p.Samples.List {
			sum += p.Samples.List[i].CPU
		}
	}
	if used, ok := p.load.used(); ok && sum > implausible*used {
		p.Warn.Add(trace.WarnDumpTime, p.Name, 0, fmt.Sprintf("the samples have a CPU time of %s, but the process used %s according to %s: some samples may be of waiting threads", words.Duration(sum), words.Duration(used), jfrCPULoad), "")
	}
}
