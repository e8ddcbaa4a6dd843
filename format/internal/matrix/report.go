package matrix

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"artifice/format/internal/timeline"
)

// isReport reports whether a file begins with a line of a report, or contains an issue of Matrix in
// its logged or uploaded form: a JSON object with the stack as a string.
func isReport(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	if item, ok := parseItem(bytes.TrimSpace(line)); ok {
		return item.depth == 0
	}
	stack, ok := stackOf(head)
	if !ok {
		return false
	}
	first, _, _ := strings.Cut(stack, "\n")
	item, ok := parseItem([]byte(strings.TrimSpace(first)))
	return ok && item.depth == 0
}

// loggedStack finds the stack of an issue. Only the value of this member is a string; traceStack
// and others differ.
var loggedStack = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"stack"\s*:\s*("(?:[^"\\]|\\.)*")`)
})

// stackOf returns the stack of the issue in a line of a log.
func stackOf(line []byte) (stack string, ok bool) {
	found := loggedStack().FindSubmatch(line)
	return stack, found != nil && json.Unmarshal(found[1], &stack) == nil
}

// item is a line of a report.
type item struct {
	depth, method, count int
	took                 time.Duration
}

func parseItem(line []byte) (i item, ok bool) {
	var n [4]int64
	at := 0
	for k := range n {
		if k > 0 {
			if at == len(line) || line[at] != ',' {
				return i, false
			}
			at++
		}
		first := at
		for ; at < len(line) && line[at]-'0' <= 9; at++ {
			n[k] = 10*n[k] + int64(line[at]-'0')
		}
		if digits := at - first; digits == 0 || digits > 18 || n[k] >= 1<<40 || k < 3 && int64(int(n[k])) != n[k] {
			return i, false
		}
	}
	return item{int(n[0]), int(n[1]), int(n[2]), time.Duration(n[3]) * time.Millisecond}, at == len(line)
}

func readReport(s *timeline.Source) error {
	main := timeline.Thread{Tid: 1}
	if err := s.Calls.Name(main, []byte("main")); err != nil {
		return err
	}
	id, err := s.Calls.Thread(main)
	if err != nil {
		return err
	}
	type call struct{ next, end time.Duration }
	var open []call // next is the start of the next callee
	leave := func(depth int) error {
		for len(open) > depth {
			last := len(open) - 1
			if err := s.Calls.EndOf(id, nil, open[last].end, -1); err != nil {
				return err
			}
			open = open[:last]
		}
		return nil
	}
	now := time.Duration(0)
	take := func(line []byte) error {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			return nil
		}
		item, ok := parseItem(line)
		switch {
		case !ok:
			s.Skip(fmt.Sprintf("want DEPTH,METHOD,COUNT,MS, got %.40q", line))
			return nil
		case item.depth > len(open):
			s.Skip(fmt.Sprintf("depth %d below depth %d", item.depth, len(open)-1))
			return nil
		}
		if err := leave(item.depth); err != nil {
			return err
		}
		begin := now
		if item.depth > 0 {
			begin = open[item.depth-1].next
		}
		end := begin + item.took
		if item.depth > 0 {
			outer := &open[item.depth-1]
			end = min(end, outer.end)
			outer.next = end
		} else {
			now = end
		}
		open = append(open, call{begin, end})
		method, err := s.Calls.Numbered(uint64(item.method))
		if err != nil {
			return err
		}
		return s.Calls.BeginOf(id, method, begin, -1)
	}
	logged := false
	err = s.EachLine(func(line []byte) error {
		stack, ok := stackOf(line)
		switch {
		case !ok && logged: // another line of a log, or another member of the object
			return nil
		case !ok && bytes.ContainsAny(line, "{[:"):
			logged = true
			return nil
		case !ok:
			return take(line)
		}
		logged = true
		for item := range strings.SplitSeq(stack, "\n") {
			if err := take([]byte(item)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return leave(0)
}
