package folded

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"artifice/format/internal/stackdump"
	"artifice/internal/encode"
	"artifice/internal/words"
	"artifice/trace"
)

// parser reads folded stacks: "outermost;…;innermost count".
type parser struct {
	stackdump.Input
	first    stackdump.FirstFrame
	cpu      bool          // the event of the samples counts CPU time
	interval time.Duration // interval of samples
	// unit and quantity stated by the first line, or by Austin's comments; 0 and none if not stated
	fileUnit time.Duration
	quantity trace.Quantity
	elapsed  map[threadKey]stackdump.Sum // by thread: total time of its samples so far
	austin   austinHeads
	single   bool // some line ends in one number
	// all lines so far end in two numbers, as those of difffolded.pl
	double bool
}

// threadKey identifies a thread. Threads of several processes can have the same id.
type threadKey struct {
	pid int
	id  stackdump.ID
}

// Next implements parser. Each line is a dump of its thread.
func (p *parser) Next(d *stackdump.Dump) error {
	for {
		line, ok := p.Lines.Next()
		if !ok {
			if p.double {
				p.double = false
				p.Complain(trace.WarnDumpLine, "each line ends in two numbers, as a comparison by difffolded.pl does: the first is read as part of the name; compare the two profiles with artifice diff", "")
			}
			return p.End()
		}
		if string(line) == noStacks {
			d.Begin(&p.Input)
			d.Partial, d.None = true, true
			return nil
		}
		if unit, cpu, ok := encode.ParseUnit(line); ok && p.Lines.Line == 1 {
			p.interval, p.fileUnit, p.cpu = unit, unit, cpu
		} else if q, unit, ok := encode.ParseQuantity(line); ok && p.Lines.Line == 1 {
			p.interval, p.fileUnit, p.quantity = unit, unit, q
		}
		if isComment(line) || isMapMessage(line) {
			p.austinMode(line)
			continue
		}
		if isScalar(line) {
			p.Complain(trace.WarnDumpLeftOut, "a map without stacks is ignored", words.Quote(line))
			continue
		}
		if isMap(line) {
			if line, ok = p.mapEntry(line); !ok {
				continue
			}
		}
		stack, count, sum, ok := p.numbers(line)
		if !ok {
			why := cmp.Or(oddCount(line), "not a folded stack: frames, a space and a count")
			p.Complain(trace.WarnDumpLine, why, words.Quote(line))
			continue
		}
		if !p.single {
			_, _, _, p.double = cutCount(stack)
			p.single = !p.double
		}
		if count > 0 {
			return p.dump(d, stack, count, sum)
		}
	}
}

// numbers splits a line before its count, and returns the duration of that number of intervals.
// Scaled counts can be fractions; a count above 0 is at least one sample.
func (p *parser) numbers(line []byte) (stack []byte, count int64, sum stackdump.Sum, ok bool) {
	idle := false
	if p.austin.full {
		line, idle = cutMetrics(line)
	}
	stack, count, part, ok := cutCount(line)
	if !ok {
		return nil, 0, sum, false
	}
	if count <= int64(stackdump.Farthest/p.interval) { // the caller rejects longer times with the line
		sum.Wall = time.Duration(count)*p.interval + time.Duration(math.Round(part*float64(p.interval)))
	}
	if part > 0 {
		count, sum.Wall = max(count+int64(math.Round(part)), 1), max(sum.Wall, 1)
	}
	if p.cpu && !idle {
		sum.CPU = sum.Wall
	}
	return stack, count, sum, true
}

// noStacks is the text of a file without stacks.
const noStacks = "# no stacks"

func isComment(line []byte) bool {
	return len(line) == 0 || line[0] == '#' || bytes.HasPrefix(line, []byte("//"))
}

// blanks separate the stack and its count: flamegraph.pl accepts any white space.
const blanks = " \t"

// cutCount cuts a folded line at its last blank. The number is a decimal number that is not
// negative. fraction is its fractional part, from 0 to 1.
func cutCount(line []byte) (stack []byte, number int64, fraction float64, ok bool) {
	line = bytes.TrimRight(line, blanks)
	blank := bytes.LastIndexAny(line, blanks)
	point := bytes.IndexByte(line[blank+1:], '.')
	if point < 0 {
		stack, number, ok = cutValue(line)
		return stack, number, 0, ok
	}
	point += blank + 1
	stack, number, ok = cutValue(line[:point])
	if digits := line[point+1:]; ok && len(digits) > 0 {
		ok = !bytes.ContainsFunc(digits, func(c rune) bool { return c < '0' || c > '9' })
		fraction, _ = strconv.ParseFloat("0."+string(digits), 64)
	}
	return stack, number, fraction, ok
}

// cutValue cuts a folded line at its last blank. The number is a decimal number that is not
// negative.
func cutValue(line []byte) (stack []byte, number int64, ok bool) {
	blank := bytes.LastIndexAny(line, blanks)
	if blank <= 0 {
		return nil, 0, false
	}
	number, err := strconv.ParseInt(string(line[blank+1:]), 10, 64)
	return bytes.TrimRight(line[:blank], blanks), number, err == nil && number >= 0
}

// oddCount describes why the number at the end of a line is no count; "" if there is none.
// flamegraph.pl, inferno and speedscope ignore such lines, too.
func oddCount(line []byte) string {
	word := line[bytes.LastIndexAny(line, blanks)+1:]
	switch n, err := strconv.ParseFloat(string(word), 64); {
	case err != nil || bytes.IndexByte(line, ';') < 0 || word[len(word)-1] > '9':
		return ""
	case n < 0:
		return "a line with a negative count is ignored, as by flamegraph.pl: to compare two profiles, use artifice diff"
	case bytes.ContainsAny(word, "eE"):
		return "a line with an exponent in its count is ignored, as by flamegraph.pl: write counts as decimals"
	}
	return ""
}

// dump fills d with one line. The time of d is that of the line's first sample; the samples of a
// thread are one interval apart.
func (p *parser) dump(d *stackdump.Dump, stack []byte, count int64, sum stackdump.Sum) error {
	d.Begin(&p.Input)
	d.Partial, d.Interval, d.Quantity, d.Unclocked = true, p.fileUnit, p.quantity, p.fileUnit == 0
	d.OfCPU = p.cpu && !p.austin.full
	t := d.AddThread(p.Lines.Line)
	if t.Count = count; p.quantity.IsSet() || p.fileUnit > 0 { // the count is no number of samples
		t.Count = 1
	}
	p.push(t, p.thread(t, stack))
	d.PID = t.PID
	key := threadKey{t.PID, t.ID}
	at := p.elapsed[key]
	if sum.Wall > stackdump.Farthest-at.Wall || sum.CPU > stackdump.Farthest-at.CPU || sum.Wall == 0 {
		return stackdump.BadLine(p.Name, p.Lines.Line, fmt.Sprintf("the samples up to here last longer than %s; use a shorter --interval", stackdump.Farthest), nil)
	}
	d.Stamp = stackdump.Stamp{Uptime: at.Wall, HasUptime: true}
	t.Sum, t.CPU, t.HasCPU = sum, at.CPU, p.cpu
	p.elapsed[key] = stackdump.Sum{Wall: at.Wall + sum.Wall, CPU: at.CPU + sum.CPU}
	return nil
}

// push adds the frames of a line to t, innermost first. It warns once about empty frames.
func (p *parser) push(t *stackdump.Thread, stack []byte) {
	warned := false
	for len(stack) > 0 {
		cut := bytes.LastIndexByte(stack, ';')
		if name := stack[cut+1:]; p.fileUnit > 0 && string(name) == encode.Toplevel {
			// no frame
		} else if len(name) > 0 {
			t.Push(&p.Input, p.Frame(stackdump.FoldedSyntax, name))
		} else if !warned {
			warned = true
			p.Complain(trace.WarnDumpLine, "an empty frame is ignored", words.Quote(stack))
		}
		stack = stack[:max(cut, 0)]
	}
}

// thread sets the name of t, and returns the stack without the frames that contain the name.
func (p *parser) thread(t *stackdump.Thread, stack []byte) []byte {
	if p.first == stackdump.AutoFirst {
		if rest, ok := p.austin.cutHead(t, stack); ok {
			return rest
		}
	}
	first, rest, _ := bytes.Cut(stack, []byte(";"))
	name, tid, bracketed := cutThread(first)
	switch {
	case p.first == stackdump.FrameFirst, p.first == stackdump.AutoFirst && !bracketed:
		t.Name = "main"
		rest = stack
	case bracketed:
		t.Name, t.ID.TID = p.Text(name), tid
	default:
		t.Name = p.Text(first)
	}
	if t.ID.TID == 0 {
		t.ID.Name = t.Name
	}
	return rest
}

// cutThread reads "[name tid=N]".
func cutThread(s []byte) (name []byte, tid int64, ok bool) {
	if len(s) == 0 || s[0] != '[' || s[len(s)-1] != ']' {
		return nil, 0, false
	}
	i := bytes.LastIndex(s, []byte(" tid="))
	if i < 0 {
		return nil, 0, false
	}
	tid, err := strconv.ParseInt(string(s[i+len(" tid="):len(s)-1]), 10, 64)
	return s[1:i], tid, err == nil
}

// codec is the [stackdump.Codec] of folded stacks.
type codec struct{}

// Parser implements [stackdump.Codec].
func (codec) Parser(in stackdump.Input, file io.Reader, cfg stackdump.ReaderConfig) stackdump.Parser {
	p := &parser{Input: in, first: cfg.First, interval: cfg.Interval, elapsed: map[threadKey]stackdump.Sum{}}
	if cfg.Assumed {
		if head := stackdump.Head(file); !statesUnit(head) {
			if why := noSamples(head); why != "" {
				p.interval, p.quantity = 1, trace.Quantity{Name: "weight", Unit: "count"}
				in.Warn.Add(trace.WarnDumpTime, in.Name, 0, "the counts are "+why+": they may be nanoseconds, microseconds, cycles or bytes, and are not read as times; a first line such as # cpu;ns 0 or # wall;us 0 states the unit", "")
			}
		}
	}
	return p
}

// maxSamples is the maximum number of samples that a file without a unit is assumed to have: eleven
// days at [stackdump.DefaultInterval].
const maxSamples = 100_000_000

// statesUnit reports whether the first line, or Austin's comments, state the unit of the counts.
func statesUnit(head []byte) bool {
	first, _, _ := bytes.Cut(head, []byte("\n"))
	first = bytes.TrimRight(first, "\r")
	_, _, isTime := encode.ParseUnit(first)
	_, _, isQuantity := encode.ParseQuantity(first)
	return isTime || isQuantity || bytes.HasPrefix(head, austinHeader)
}

// noSamples returns why the counts at the beginning of a file, including those of bpftrace's maps,
// are no numbers of samples; "" if they can be. Sums of periods are multiples of the period.
func noSamples(head []byte) string {
	const (
		enough  = 10   // stacks whose counts have a common divisor by more than chance
		divisor = 1000 // minimum of the common divisor
	)
	sum, lines, common := int64(0), 0, int64(0)
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		if isComment(line) {
			continue
		}
		if _, n, _, ok := cutCount(line); ok && n > 0 {
			lines, common = lines+1, gcd(common, n)
			sum += min(n, maxSamples+1)
		}
		if sum > maxSamples {
			return fmt.Sprintf("too high for samples (more than %s)", words.Integer(maxSamples))
		}
	}
	if lines >= enough && common >= divisor {
		return fmt.Sprintf("multiples of %s, and not numbers of samples", words.Integer(common))
	}
	return ""
}

// gcd returns the greatest common divisor of two numbers that are not negative.
func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Detect reports whether most of the first lines are folded stacks, or the file has maps of
// bpftrace with stacks.
func (codec) Detect(head []byte) bool {
	if first, _, _ := bytes.Cut(head, []byte("\n")); string(bytes.TrimRight(first, "\r")) == noStacks {
		return true
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return false // binary data
	}
	if isBpftrace(head) || bytes.HasPrefix(head, austinHeader) {
		return true
	}
	if bytes.HasPrefix(head, []byte(`[{"`)) {
		return false // JSON
	}
	const enough = 100
	good, bad, prose, stacks := 0, 0, 0, 0
	for len(head) > 0 && good+bad < enough {
		line, rest, whole := bytes.Cut(head, []byte("\n"))
		// the last line is cut at the end of the window
		if !whole && len(head) > stackdump.SniffLen/2 {
			if good+bad == 0 && isLongStack(head) {
				return true
			}
			if good+bad > 0 {
				break
			}
		}
		head = rest
		line = bytes.TrimRight(line, "\r")
		if isComment(line) {
			continue
		}
		stack, number, fraction, ok := cutCount(line)
		usual := number > 0 && bytes.IndexByte(line[len(stack):], '.') < 0
		switch {
		case line[0] == ' ' || line[0] == '\t': // no frame begins with a blank
			bad++
		case !ok && oddCount(line) != "":
			good, stacks = good+1, stacks+1
		case !ok, !usual && bytes.IndexByte(stack, ';') < 0 && bytes.ContainsAny(stack, blanks):
			bad++ // lines of tables can end in such numbers, too
		case number > 0 || fraction > 0:
			good++
			if bytes.IndexByte(stack, ';') >= 0 {
				stacks++
			} else if bytes.ContainsAny(stack, blanks) {
				prose++
			}
		}
	}
	if stacks == 0 { // sentences can end in numbers, too
		good, bad = good-prose, bad+prose
	}
	return good > bad
}

// isLongStack reports whether text can be the beginning of a stack that ends outside the window:
// frames of usual lengths, without control characters.
func isLongStack(text []byte) bool {
	const longName = 1024 // on average, in bytes
	control := bytes.ContainsFunc(text, func(c rune) bool { return c < ' ' })
	return !control && text[0] != '{' && bytes.Count(text, []byte(";")) >= len(text)/longName
}
