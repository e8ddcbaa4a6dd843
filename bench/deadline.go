package bench

import (
	"context"
	"sync/atomic"
	"time"
)

// patience is how long samplers may take, once a sweep is interrupted, for what has
// been read already: a program that is told to end has about a second.
const patience = 250 * time.Millisecond

// deadline says when and where the samplers of an interrupted sweep stop that take
// too long.
type deadline struct {
	late    atomic.Bool
	reached []atomic.Int64 // by sampling job: app time
	end     func()         // ends the waiting
}

func newDeadline(ctx context.Context, jobs int, patience time.Duration) *deadline {
	l := &deadline{reached: make([]atomic.Int64, jobs)}
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(patience):
			l.late.Store(true)
		case <-ended:
		}
	})
	l.end = func() { stop(); close(ended) }
	return l
}

// stopping returns what the number-th sampling job asks whether to stop. It stops
// when no other is ahead of it, so that all have sampled the same, but for an event
// or two. The first of them tells the progress.
func (l *deadline) stopping(number int, progress func(reached time.Duration)) func(reached time.Duration) bool {
	return func(reached time.Duration) bool {
		l.reached[number].Store(int64(reached))
		if number == 0 && progress != nil {
			progress(reached)
		}
		return l.late.Load() && reached >= l.first()
	}
}

// first returns how far the job is that is ahead of all others.
func (l *deadline) first() (reached time.Duration) {
	for i := range l.reached {
		reached = max(reached, time.Duration(l.reached[i].Load()))
	}
	return reached
}
