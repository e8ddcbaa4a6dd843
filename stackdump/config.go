package stackdump

import (
	"fmt"
	"time"

	"artifice/diffstack"
	"artifice/internal/words"
)

// Config says how dumps become a trace. The zero value does what ART's sampler
// would have done had it seen these stacks.
type Config struct {
	Format Format // of every file; "" = by content

	// Interval is the time between two dumps where they do not tell, and of one
	// sample of folded stacks; 0 = [DefaultInterval].
	Interval time.Duration

	First    FirstFrame         // what a folded stack begins with
	Identity diffstack.Identity // when frames of two dumps are the same call; not ByCall, dumps do not tell
	SliceEnd diffstack.SliceEnd // when frames that are gone are said to have ended
	Include  Include            // which frames count

	// Last keeps the dumps of this long at the end and drops those in front, as
	// the ring buffers of monitoring tools do; 0 keeps all. It needs memory for
	// the dumps kept. A run of folded samples is kept or dropped by its first.
	Last time.Duration

	// From and To cut: dumps before From or at or after To, since the first one,
	// are left out. A To of 0 is the end.
	From, To time.Duration

	// Threads keeps the threads of these names, or of these tids where they are
	// numbers; none keeps all.
	Threads []string

	// Rename returns the frames that a frame of a dump stands for, outermost
	// first and at least one: a mapping that undoes renaming knows which methods
	// were inlined at its line. nil = every frame stands for itself.
	Rename func(Frame) []Frame

	// Progress is told how many bytes of how many have been read, packed ones as
	// they are; the total is -1 when it is not known. nil = none.
	Progress func(done, total int64)
}

// Include says which frames of a stack count.
type Include uint8

const (
	ManagedFrames Include = iota // those of the runtime, all that ART's sampler sees
	AllFrames                    // those of machine code and the kernel too
)

var includeNames = []string{"managed", "all"}

// String returns the word that [ParseInclude] takes.
func (i Include) String() string { return words.Of(includeNames, i) }

// ParseInclude reads "managed" or "all".
func ParseInclude(s string) (Include, error) {
	return words.Parse[Include]("choice of frames", includeNames, s)
}

// maxInterval is the longest interval that is believed.
const maxInterval = 1000 * time.Hour

// check returns cfg with defaults filled in, or what is wrong with it.
func (cfg Config) check() (Config, error) {
	switch {
	case cfg.Interval < 0 || cfg.Interval > maxInterval:
		return cfg, fmt.Errorf("interval of dumps %s: want one above 0 and no more than %s", cfg.Interval, maxInterval)
	case cfg.Last < 0:
		return cfg, fmt.Errorf("the last %s of the dumps: want a time above 0", cfg.Last)
	case cfg.From < 0 || cfg.To < 0 || cfg.To != 0 && cfg.To <= cfg.From:
		return cfg, fmt.Errorf("dumps from %s to %s: want a beginning and a later end", cfg.From, cfg.To)
	case cfg.Identity > diffstack.BySite, int(cfg.Include) >= len(includeNames), !cfg.SliceEnd.Valid():
		return cfg, fmt.Errorf("no such identity (%d), frames (%d) or slice end (%d)", cfg.Identity, cfg.Include, cfg.SliceEnd)
	}
	if cfg.Interval == 0 {
		cfg.Interval = DefaultInterval
	}
	return cfg, nil
}
