// Package dumppage writes the content of a page of thread dumps.
package dumppage

import (
	"cmp"
	"fmt"
	"html"
	"strings"
	"time"

	"artifice/format"
	"artifice/internal/words"
	"artifice/report/dumps"
)

// Content is the content of a page of thread dumps: contended locks with their holders, the most
// frequent stacks, and the state of each thread in each dump. The page has no script. Its figures
// and sentences are the same as in artifice report.
type Content struct {
	Summary *dumps.Summary
	Text    dumps.Text
	Shown   []*dumps.Thread // threads shown with their stacks, in order
}

// New returns a content that shows the main thread first, if there is one.
func New(s *dumps.Summary) *Content {
	d := &Content{Summary: s}
	for i := range s.Threads {
		if t := &s.Threads[i]; t.Main || len(s.Threads) == 1 {
			d.Shown = append(d.Shown, t)
		}
	}
	return d
}

const (
	maxThreads = 2000 // threads listed on the page
	maxShown   = 20   // threads with their stacks at the top
	maxMoments = 200  // dumps in the table of states
	maxStacks  = 20   // most frequent stacks
	maxWaits   = 50   // locks that threads wait for
)

// HTML returns the elements of the page's body.
func (c *Content) HTML(title string) string {
	d := writer{Content: c}
	d.write(title)
	return d.String()
}

// raw is HTML; other text is escaped.
type raw string

// writer writes the content of the page.
type writer struct {
	strings.Builder
	*Content
}

// printf is fmt.Fprintf that escapes all texts except raw ones.
func (d *writer) printf(form string, args ...any) {
	for i, a := range args {
		switch a := a.(type) {
		case raw:
			args[i] = string(a)
		case string:
			args[i] = html.EscapeString(a)
		}
	}
	fmt.Fprintf(d, form, args...)
}

// write writes the content.
func (d *writer) write(title string) {
	s := d.Summary
	span := ""
	if n := len(s.Times); n > 1 {
		span = ", over " + words.Duration(s.Times[n-1])
	}
	d.printf("<header><h1>%s</h1>\n<p class=\"facts\">%s%s</p></header>\n<main>\n", title, s.Size(), span)
	for _, circle := range s.Deadlocks {
		d.printf("<p class=\"alarm\">%s</p>\n", d.Text.Deadlock(circle))
	}
	for _, t := range d.Shown[:min(len(d.Shown), maxShown)] {
		d.thread(t)
	}
	if more := len(d.Shown) - maxShown; more > 0 {
		d.printf("<p class=\"facts\">%s more selected: the table of threads below has their stacks.</p>\n", words.Count(more, "thread"))
	}
	d.waits()
	d.stacks()
	d.states()
	if s.Others > 0 {
		d.printf("<p class=\"facts\">%s of other processes: artifice report --by thread --thread all lists their threads.</p>\n", words.Count(s.Others, "dump"))
	}
	d.printf("</main>\n")
}

// thread writes the state and stack of a thread in most dumps.
func (d *writer) thread(t *dumps.Thread) {
	d.printf("<section class=\"thread\">\n<h2>Thread %s</h2>\n<p>%s</p>\n", t.Name, d.Text.Head(t))
	d.stack(t.Stack)
	if t.Dumps > 1 && len(t.Methods) > 0 {
		d.printf("<table><thead><tr><th scope=\"col\">self</th><th scope=\"col\">95 %% CI</th><th scope=\"col\">total</th><th scope=\"col\" class=\"text\">method</th></tr></thead><tbody>\n")
		for i := range t.Methods {
			m := &t.Methods[i]
			if m.Self == 0 {
				break // all further methods are callers, which are in the stack
			}
			d.printf("<tr><td>%d of %d</td><td>%.0f–%.0f %%</td><td>%d</td><td class=\"text\">%s</td></tr>\n", m.Self, t.Dumps, 100*m.Low, 100*m.High, m.Total, d.Text.Method(&m.Frame))
		}
		d.printf("</tbody></table>\n")
	}
	d.printf("</section>\n")
}

// stack writes a stack as a list, folded if it is long.
func (d *writer) stack(frames []format.Frame) {
	const open = 12
	if len(frames) == 0 {
		return
	}
	d.printf("<ol class=\"stack\">")
	d.frames(frames[:min(open, len(frames))])
	d.printf("</ol>\n")
	if more := len(frames) - open; more > 0 {
		d.printf("<details><summary>%s</summary><ol class=\"stack\" start=\"%d\">", words.Count(more, "more frame"), open+1)
		d.frames(frames[open:])
		d.printf("</ol></details>\n")
	}
}

func (d *writer) frames(frames []format.Frame) {
	for i := range frames {
		d.printf("<li>%s</li>", d.Text.Frame(&frames[i]))
	}
}

// waits writes the contended locks, with their holders and the threads that wait for them.
func (d *writer) waits() {
	d.printf("<section id=\"waits\">\n<h2>Who waits for whom</h2>\n")
	blocked := d.Summary.Blocked()
	for i := range blocked[:min(len(blocked), maxWaits)] {
		b := &blocked[i]
		waiter, holder := b.Chain[0], b.Chain[1]
		in := ""
		if d.Summary.Dumps > 1 {
			in = fmt.Sprintf(" (dump %d of %d)", b.In, d.Summary.Dumps)
		}
		d.printf("<article class=\"lock\">\n<h3>%s%s</h3>\n<div class=\"pair\">\n<div><h4>%s, which holds it, %s</h4>\n", d.Text.Waits(b), in, holder.Thread, d.Text.Doing(holder.State, holder.Stack))
		d.stack(holder.Stack)
		d.printf("</div>\n<div><h4>%s %s</h4>\n", waiter.Thread, d.Text.Doing(waiter.State, waiter.Stack))
		d.stack(waiter.Stack)
		d.printf("</div>\n</div>\n")
		if len(b.Waiters) > 1 {
			d.printf("<details><summary>%s wait</summary><p>%s</p></details>\n", words.Count(len(b.Waiters), "thread"), strings.Join(b.Waiters, ", "))
		}
		d.printf("</article>\n")
	}
	if more := len(blocked) - maxWaits; more > 0 {
		d.printf("<p class=\"facts\">%s more: artifice report lists them.</p>\n", words.Count(more, "lock"))
	}
	unknown := 0
	for i := range d.Summary.Threads {
		t := &d.Summary.Threads[i]
		if len(t.Waits) != 1 || unknown == maxWaits {
			continue
		}
		if line := d.Text.NoHolder(&t.Waits[0]); line != "" {
			unknown++
			d.printf("<p>%s</p>\n", line)
		}
	}
	if len(blocked)+unknown == 0 {
		d.printf("<p>No thread waits for a lock that another thread holds.</p>\n")
	}
	d.printf("</section>\n")
}

// stacks writes the most frequent stacks of all threads. For a single dump it writes the stacks
// shared by several threads.
func (d *writer) stacks() {
	total, least := 0, 1
	for i := range d.Summary.Stacks {
		total += d.Summary.Stacks[i].Count
	}
	if d.Summary.Dumps == 1 {
		least = 2
	}
	if len(d.Summary.Stacks) == 0 || d.Summary.Stacks[0].Count < least {
		return
	}
	d.printf("<section id=\"stacks\">\n<h2>Most common stacks</h2>\n<p class=\"facts\">%s, %d of them different; threads without frames have none.</p>\n", words.Count(total, "stack"), len(d.Summary.Stacks))
	for i := range d.Summary.Stacks[:min(len(d.Summary.Stacks), maxStacks)] {
		s := &d.Summary.Stacks[i]
		if s.Count < least {
			break
		}
		count := ""
		if d.Summary.Dumps > 1 {
			count = fmt.Sprintf("%d× in ", s.Count)
		}
		names := d.Text.Names(s.Threads) // stacks with the same leaf differ by them
		d.printf("<details><summary><b>%s%s</b>: %s <span class=\"facts\">%s</span></summary>\n", count, words.Count(len(s.Threads), "thread"), d.leaf(s.Stack), names)
		if names != words.And(s.Threads) {
			d.printf("<p class=\"facts\">%s</p>\n", strings.Join(s.Threads, ", "))
		}
		d.stack(s.Stack)
		d.printf("</details>\n")
	}
	d.printf("</section>\n")
}

// leaf returns the leaf of a stack with its caller's method.
func (d *writer) leaf(stack []format.Frame) string {
	leaf := d.Text.Frame(&stack[0])
	if len(stack) > 1 {
		leaf += " ← " + d.Text.Method(&stack[1])
	}
	return leaf
}

// stateSigns are the letters of states in the table, and their CSS classes for colors.
var stateSigns = [...]struct{ letter, class string }{
	dumps.Unknown: {"?", "unknown"}, dumps.Runnable: {"R", "runnable"}, dumps.InNative: {"N", "native"}, dumps.OnLock: {"B", "blocked"},
	dumps.Waiting: {"W", "waiting"}, dumps.TimedWaiting: {"T", "waiting"}, dumps.Sleeping: {"S", "waiting"}, dumps.Suspended: {"U", "suspended"},
}

// states writes the state of each thread in each dump, with its most frequent stack.
func (d *writer) states() {
	s := d.Summary
	title := "States over time"
	if s.Dumps == 1 {
		title = "Threads"
	}
	d.printf("<section id=\"states\">\n<h2>%s</h2>\n", title)
	if s.Dumps > 1 {
		d.printf("<p class=\"facts\">A column for each dump. A line before a symbol: the stack differs from that in the previous dump.</p>\n")
	}
	d.legend()
	d.printf("<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\" class=\"text\">thread</th>")
	if s.Dumps > 1 {
		d.heads()
	}
	d.printf("<th scope=\"col\" class=\"text\">state</th><th scope=\"col\" class=\"text\">leaf of the most frequent stack</th></tr></thead>\n<tbody>\n")
	for i := range s.Threads[:min(len(s.Threads), maxThreads)] {
		d.row(&s.Threads[i])
	}
	d.printf("</tbody></table></div>\n")
	if more := len(s.Threads) - maxThreads; more > 0 {
		d.printf("<p class=\"facts\">%s more: artifice report --thread all.</p>\n", words.Count(more, "thread"))
	}
	if more := s.Dumps - maxMoments; s.Dumps > 1 && more > 0 {
		d.printf("<p class=\"facts\">The columns omit the last %s; states and stacks include all dumps. artifice view --timeline shows them as samples.</p>\n", words.Count(more, "dump"))
	}
	d.printf("</section>\n")
}

// legend writes the signs of the states that occur.
func (d *writer) legend() {
	var met [len(stateSigns)]bool
	for i := range d.Summary.Threads {
		for _, m := range d.Summary.Threads[i].Moments {
			met[dumps.StateOf(m.State)] = met[dumps.StateOf(m.State)] || m.Present
		}
	}
	d.printf("<ul class=\"legend\" aria-label=\"Signs\">")
	for state, sign := range stateSigns {
		if met[state] && d.Summary.Dumps > 1 {
			d.printf("<li><span class=\"moment %s\">%s</span> %s</li>", sign.class, sign.letter, cmp.Or(dumps.State(state).String(), "another state, or none"))
		}
	}
	d.printf("</ul>\n")
}

// heads writes the heads of the columns of dumps: their times, or their numbers.
func (d *writer) heads() {
	for i := range min(d.Summary.Dumps, maxMoments) {
		head := fmt.Sprint(i + 1)
		if i < len(d.Summary.Times) {
			head = "+" + words.Duration(d.Summary.Times[i].Round(time.Millisecond))
		}
		if i == 0 {
			head = "1st"
		}
		d.printf("<th scope=\"col\" class=\"when\"><span>%s</span></th>", head)
	}
}

// row writes the states of a thread.
func (d *writer) row(t *dumps.Thread) {
	d.printf("<tr><th scope=\"row\" class=\"text\">%s</th>", t.Name)
	if d.Summary.Dumps > 1 {
		stack := 0
		for i, m := range t.Moments[:min(len(t.Moments), maxMoments)] {
			if !m.Present {
				d.printf("<td class=\"none\"></td>")
				continue
			}
			sign, changed := stateSigns[dumps.StateOf(m.State)], raw("")
			if i > 0 && m.Stack != stack {
				changed = " changed"
			}
			stack = m.Stack
			d.printf("<td class=\"moment %s%s\" title=\"dump %d: %s\">%s</td>", sign.class, changed, i+1, dumps.StateWords(m.State), sign.letter)
		}
	}
	d.printf("<td class=\"text\">%s</td><td class=\"text leaf\">", cmp.Or(t.State, "unknown"))
	waits := ""
	if len(t.Waits) > 1 {
		waits = ", waits for " + t.Waits[1].Thread
	}
	switch {
	case len(t.Stack) > 1:
		d.printf("<details><summary>%s%s</summary>", d.leaf(t.Stack), waits)
		d.stack(t.Stack)
		d.printf("</details>")
	case len(t.Stack) == 1:
		d.printf("%s%s", d.Text.Frame(&t.Stack[0]), waits)
	}
	d.printf("</td></tr>\n")
}
