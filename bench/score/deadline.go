package score

import (
	"context"
	"sync/atomic"
	"time"
)

// Patience is how long samplers may take, once a sweep is interrupted, for what has
// been read already: a program that is told to end has about a second.
const Patience = 250 * time.Millisecond

// Deadline says when and where the samplers of an interrupted sweep stop that take
// too long.
type Deadline struct {
	Late    atomic.Bool
	reached []atomic.Int64 // by sampling job: app time
	End     func()         // ends the waiting
}

// NewDeadline returns the deadline of a sweep with so many sampling jobs: patience after ctx ends.
func NewDeadline(ctx context.Context, jobs int, patience time.Duration) *Deadline {
	l := &Deadline{reached: make([]atomic.Int64, jobs)}
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(patience):
			l.Late.Store(true)
		case <-ended:
		}
	})
	l.End = func() { stop(); close(ended) }
	return l
}

// Stopping returns what the number-th sampling job asks whether to stop. It stops
// when no other is ahead of it, so that all have sampled the same, but for an event
// or two. The first of them tells the progress.
func (l *Deadline) Stopping(number int, progress func(reached time.Duration)) func(reached time.Duration) bool {
	return func(reached time.Duration) bool {
		l.reached[number].Store(int64(reached))
		if number == 0 && progress != nil {
			progress(reached)
		}
		return l.Late.Load() && reached >= l.first()
	}
}

// first returns how far the job is that is ahead of all others.
func (l *Deadline) first() (reached time.Duration) {
	for i := range l.reached {
		reached = max(reached, time.Duration(l.reached[i].Load()))
	}
	return reached
}
