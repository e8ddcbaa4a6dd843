package timeline

import (
	"bytes"
	"fmt"
	"time"
)

// matrixFormat is the stack of a report of Tencent's Matrix, a line
// "depth,method,count,ms" for each method of a slow message on the main thread, in
// the order of their begins, the outermost at depth 0. Reports say how long a
// method took and not when: callees are put one after the other from the begin of
// their caller on. A line that stands for several calls is one of their time
// together. Methods are numbers; 1048574 is Handler.dispatchMessage.
var matrixFormat = Format{
	Name: "matrix", Description: "the stack of a report of Matrix: depth, method, count, ms",
	Sniff: func(head []byte) bool {
		line, _, _ := bytes.Cut(head, []byte("\n"))
		item, ok := matrixLine(bytes.TrimSpace(line))
		return ok && item.depth == 0
	},
	Numbered: true,
	Read:     readMatrix,
}

type matrixItem struct {
	depth, method, count int
	took                 time.Duration
}

func matrixLine(line []byte) (item matrixItem, ok bool) {
	var n [4]int64
	at := 0
	for i := range n {
		if i > 0 {
			if at == len(line) || line[at] != ',' {
				return item, false
			}
			at++
		}
		first := at
		for ; at < len(line) && line[at]-'0' <= 9; at++ {
			n[i] = 10*n[i] + int64(line[at]-'0')
		}
		if digits := at - first; digits == 0 || digits > 18 || n[i] >= 1<<40 || i < 3 && int64(int(n[i])) != n[i] {
			return item, false
		}
	}
	return matrixItem{int(n[0]), int(n[1]), int(n[2]), time.Duration(n[3]) * time.Millisecond}, at == len(line)
}

func readMatrix(s *Source) error {
	main := Thread{0, 1}
	if err := s.Calls.name(main, []byte("main")); err != nil {
		return err
	}
	id, err := s.Calls.thread(main)
	if err != nil {
		return err
	}
	type call struct{ next, end time.Duration }
	var open []call // next: where the next callee begins
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
	err = s.eachLine(func(line []byte) error {
		if len(line) == 0 {
			return nil
		}
		item, ok := matrixLine(line)
		switch {
		case !ok:
			s.skip(fmt.Sprintf("want DEPTH,METHOD,COUNT,MS, got %.40q", line))
			return nil
		case item.depth > len(open):
			s.skip(fmt.Sprintf("depth %d below depth %d", item.depth, len(open)-1))
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
		method, err := s.Calls.methodOfID(uint64(item.method))
		if err != nil {
			return err
		}
		return s.Calls.BeginOf(id, method, begin, -1)
	})
	if err != nil {
		return err
	}
	return leave(0)
}
