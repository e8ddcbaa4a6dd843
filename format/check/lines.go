package check

import (
	"cmp"
	"strings"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// lineChecker checks the lines of a key section, or of a stream's announcements, against the
// requirements of readers.
type lineChecker struct {
	report   *Report
	dense    bool   // all sections are expected to be present
	tidMask  uint32 // the bits of a thread id that a record contains
	global   bool   // version 1, in which the clock named "global" is wall time
	clock    string
	hasClock bool
	threads  map[uint32]string // thread name by the id in records
	methods  map[uint64]bool
	nThreads int64
	nMethods int64
}

// option checks a line between *version and the next section.
func (c *lineChecker) option(at int64, line string) {
	if line == "" {
		c.report.add("W102", at, "an empty line among the options")
		return
	}
	key, value, ok := strings.Cut(line, "=")
	if !ok || key == "" || value == "" || strings.Contains(value, "=") {
		c.report.add("W101", at, "the option %.60q is not key=value", line)
	}
	switch key {
	case dmformat.KeyClock:
		c.clock, c.hasClock = value, true
		_, known := trace.ParseClock(value)
		if c.report.facts.GlobalClock = c.global && value == "global"; !known || value == "global" && !c.global {
			c.report.add("W104", at, "unknown clock: %.60q", line)
		}
	case dmformat.KeyOverflow:
		if value == "true" {
			c.report.add("N204", at, "%s", line)
		}
	case dmformat.KeyElapsed, dmformat.KeyRecords, dmformat.KeyOverhead, dmformat.KeyPID:
		if _, ok := dmformat.OptionNumber(key, value); !ok {
			c.report.add("W124", at, "not a number: %.60q", line)
		}
	}
}

// thread checks a line of the table of threads.
func (c *lineChecker) thread(at int64, line string) {
	if line == "" {
		c.report.add("W102", at, "an empty line in the thread table")
		return
	}
	t, err := dmformat.ParseThreadLine(line)
	if err != nil {
		c.report.add("W110", at, "%v", err)
		return
	}
	c.nThreads++
	c.threadName(at, t)
	if c.threads == nil {
		c.threads = make(map[uint32]string)
	}
	id := t.TID & c.tidMask
	if first, again := c.threads[id]; again {
		c.report.add("W118", at, "threads %.60q and %.60q have the same id %d in records", first, t.Name, id)
		c.report.sharedIDs[uint16(id)] = true
	}
	c.threads[id] = t.Name
}

func (c *lineChecker) threadName(at int64, t trace.Thread) {
	if t.Name == "" || strings.Contains(t.Name, "\t") {
		c.report.add("W112", at, "thread %d has the name %.60q", t.TID, t.Name)
	}
	c.report.facts.NULThread = c.report.facts.NULThread || strings.Contains(t.Name, "\x00")
	c.text(at, t.Name)
}

// method checks a line of the table of methods.
func (c *lineChecker) method(at int64, line string) {
	if line == "" {
		c.report.add("W102", at, "an empty line in the method table")
		c.report.facts.BlankMethods++
		return
	}
	_, fields, hasClass := strings.Cut(line, "\t")
	class, _, _ := strings.Cut(fields, "\t")
	c.report.facts.NoClass = c.report.facts.NoClass || !hasClass
	c.report.facts.Packages.add(class)
	m, _, err := dmformat.ParseMethodLine(line)
	if err != nil {
		c.report.add("W111", at, "%v", err)
		return
	}
	c.nMethods++
	c.methodFields(at, line, &m)
	if c.methods == nil {
		c.methods = make(map[uint64]bool)
	}
	if c.methods[m.ID] {
		c.report.add("W119", at, "method id %#x is defined again, as %s", m.ID, m.FullName())
	}
	c.methods[m.ID] = true
}

// methodV2 checks the line of a method in a V2 file. The id is separate and any number of 64 bits,
// which every reader accepts.
func (c *lineChecker) methodV2(line string) {
	const some = "4" // the text that stands for the id
	if m, _, err := dmformat.ParseMethodLine(some + "\t" + line); err == nil {
		c.methodFields(-1, some+"\t"+line, &m)
	}
}

func (c *lineChecker) methodFields(at int64, line string, m *trace.Method) {
	fields := strings.Split(line, "\t")
	if n := len(fields); n < 4 || n > 6 {
		c.report.add("W113", at, "the method line has %d columns: %.60q", n, line)
	}
	for i, f := range fields[1:min(4, len(fields))] {
		c.report.facts.NoMember = c.report.facts.NoMember || f == "" && i > 0
		c.report.facts.NULMethod = c.report.facts.NULMethod || strings.Contains(f, "\x00")
	}
	for _, f := range fields[1:min(4, len(fields))] {
		if f == "" {
			c.report.add("W114", at, "an empty field in the method line %.60q", line)
			break
		}
	}
	if len(fields) >= 4 && m.Signature != "" && m.Signature[0] != '(' {
		c.report.add("W115", at, "signature %.60q of %s", m.Signature, m.FullName())
	}
	switch {
	case m.ID == 0:
		c.report.add("N205", at, "method id 0 is %s", cmp.Or(m.FullName(), "a method without a name"))
	case m.ID >= 1<<31:
		c.report.add("W129", at, "method id %#x is %s", m.ID, m.FullName())
	}
	for _, f := range fields[1:] {
		c.text(at, f)
	}
}

// text checks a name by the rules about single names.
func (c *lineChecker) text(at int64, s string) {
	for _, r := range nameRules {
		if r.text(s) {
			c.report.add(r.ID, at, "%.60q", s)
		}
	}
}

// finish checks the properties that concern all lines together.
func (c *lineChecker) finish() {
	if !c.hasClock {
		c.report.add("W103", -1, "the key section has no option %s", dmformat.KeyClock)
	}
	if !c.dense {
		return
	}
	if c.nThreads == 0 {
		c.report.add("W108", -1, "no thread is listed")
	}
	if c.nMethods == 0 {
		c.report.add("W109", -1, "no method is listed")
	}
}
