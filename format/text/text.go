// Package text reads and writes artifice's text format: a trace as lines of text, for `artifice
// dump`, golden tests and traces written by hand. The format represents everything in an Info, a
// Symbols and events, but not the layout of a file.
//
//	# artifice text trace
//	info	clock	dual
//	info	pid	21491
//	thread	21491	main
//	method	0x1468	java.lang.Object	wait	()V	Object.java	-1
//	1000 500 21491 enter java.lang.Object.wait()V
//	2000 510 21491 exit java.lang.Object.wait()V
//
// Lines of the tables have their fields separated by tabs:
//
//	info	KEY	VALUE                  one of infoFields; an absent one is zero
//	thread	TID	NAME	START	END	OPEN   no NAME: events use the tid, but the source does not list it;
//	                                   START and END in ns, and OPEN, may be absent: 0
//	end	TID	END                        END of a thread that was not known yet at its thread line
//	stop	TID	STATE                      the thread's state at the stop: alive or exited
//	method	0xID	CLASS	NAME	SIGNATURE	FILE	LINE	FLAGS
//	                                   LINE is -1 when unknown; FLAGS, words with commas between
//	                                   them, may be absent: flags, wait:KIND, period:DURATION,
//	                                   at-once, ACT:OBJECT of a [trace.Link]; an ID alone is an unlisted method
//
// An event line has five fields separated by single spaces: wall ns, CPU ns (a clock that the trace
// does not have is "-"), tid, enter, exit or unwind, and the method as class.name and signature, to
// the end of the line. An enter may also have its call site, from 1 to 255, as a tab and "@3";
// without it the site is 0.
//
// Names are escaped: backslash, tab, line feed and carriage return become \\, \t, \n and \r. If
// several threads so far share a tid, the second is written TID#2, and so on. If several methods
// share a text, a tab and #2 follow the text of the second. A line may come anywhere before the
// first event that needs it, so the text can be streamed. Empty lines and lines that begin with #
// are skipped.
//
// # Example
//
//	rec, err := text.NewReader(strings.NewReader(lines), "test")
//	out := text.NewWriter(w, rec)
//	_, err = trace.Copy(out, rec.Events)
//	err = out.Close()
//
// # Units and errors
//
// Times are in ns. Errors begin with the name and the line number.
package text

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"artifice/trace"
)

const textHeader = "# artifice text trace\n"

// siteMark precedes the call site of an event. Names cannot contain it, because they are escaped.
const siteMark = "\t@"

// flagWords are the words of the FLAGS column, by bit.
var flagWords = []string{"native", "runtime", "inlined", "leaf", "proxy", "collector", "interpreted", "section", "allocates"}

// waitWord precedes the kind of wait in the FLAGS column.
const waitWord = "wait:"

// periodWord precedes the period of a method in the FLAGS column; atOnceWord follows it.
const (
	periodWord = "period:"
	atOnceWord = "at-once"
)

// linkWords precede the numbers of a method's [trace.Link].
var linkWords = []string{"", "awaits", "gives", "takes", "sees"}

// traits returns the FLAGS column of m, "" if it has none.
func traits(m *trace.Method) string {
	var words []string
	for bit, w := range flagWords {
		if m.Flags&(1<<bit) != 0 {
			words = append(words, w)
		}
	}
	if m.Wait != trace.Running {
		words = append(words, waitWord+m.Wait.String())
	}
	if m.Period > 0 {
		words = append(words, periodWord+m.Period.String())
	}
	if m.AtOnce {
		words = append(words, atOnceWord)
	}
	if l := m.Link; l.Does != trace.NoLink {
		words = append(words, fmt.Sprintf("%s:%d", linkWords[l.Does], l.Object))
	}
	return strings.Join(words, ",")
}

// parseTraits is the inverse of traits.
func parseTraits(m *trace.Method, s string) error {
	for word := range strings.SplitSeq(s, ",") {
		if kind, ok := strings.CutPrefix(word, waitWord); ok {
			if m.Wait, ok = trace.ParseWait(kind); !ok {
				return fmt.Errorf("unknown kind of wait %q", kind)
			}
			continue
		}
		if text, ok := strings.CutPrefix(word, periodWord); ok {
			if m.Period, _ = time.ParseDuration(text); m.Period <= 0 {
				return fmt.Errorf("period %q: must be a time above 0, as in period:10ms", text)
			}
			continue
		}
		if word == atOnceWord {
			m.AtOnce = true
			continue
		}
		if act, numbers, ok := strings.Cut(word, ":"); ok && slices.Contains(linkWords[1:], act) {
			object, err := strconv.ParseUint(numbers, 10, 16)
			if err != nil {
				return fmt.Errorf("link %q: must be \"gives:\" and a number, as in gives:2", word)
			}
			m.Link = trace.Link{Does: trace.LinkAct(slices.Index(linkWords, act)), Object: uint16(object)}
			continue
		}
		bit := slices.Index(flagWords, word)
		if bit < 0 {
			return fmt.Errorf("flag %q is not one of %s", word, strings.Join(flagWords, ", "))
		}
		m.Flags |= 1 << bit
	}
	return nil
}

var (
	escaper   = strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)
	unescaper = strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r")
)

func escape(s string) string { return escaper.Replace(s) }

func unescape(s string) string { return unescaper.Replace(s) }
