package score

import (
	"fmt"
	"strings"

	"artifice/trace"
)

// names numbers names, the n-th of one name apart from the others.
type names struct {
	index map[string]int
	cut   map[string]int // the truth's threads by what the kernel makes of their names; nil for methods
	times map[string]int // how often each name came on the observed side
	next  int            // first number above the truth's that is free
}

func newNames(truth []string) names {
	n := names{index: map[string]int{}, times: map[string]int{}}
	times := map[string]int{}
	for i, name := range truth {
		n.index[nth(name, times[name])] = i
		times[name]++
	}
	n.next = len(truth)
	return n
}

// newThreadNames numbers threads.
func newThreadNames(truth []trace.Thread) names {
	n := newNames(threadNames(truth))
	n.cut = newNames(kernelNames(truth)).index
	return n
}

func nth(name string, n int) string { return fmt.Sprintf("%s\x00%d", name, n) }

// number returns the number of an observed name.
func (n *names) number(name string) int {
	key := nth(name, n.times[name])
	n.times[name]++
	i, ok := n.index[key]
	if !ok {
		i, ok = n.cut[nth(asInKernel(name), n.times[name]-1)]
	}
	if !ok {
		i = n.next
		n.next++
		n.index[key] = i
	}
	return i
}

func threadNames(threads []trace.Thread) (list []string) {
	for _, t := range threads {
		list = append(list, t.String())
	}
	return list
}

// kernelNames returns what the kernel calls threads.
func kernelNames(threads []trace.Thread) (list []string) {
	for _, t := range threads {
		list = append(list, asInKernel(t.KernelName()))
	}
	return list
}

// asInKernel returns a name as it may stand in ftrace text, where a "-" can look like the
// one between name and tid.
func asInKernel(name string) string { return strings.ReplaceAll(name, "-", "_") }

// bareMethods are the truth's methods by class and name alone.
type bareMethods map[string]bareMethod

type bareMethod struct {
	id    int  // of the first
	alone bool // all others have the same signature
}

func newBareMethods(methods []trace.Method) bareMethods {
	bare := bareMethods{}
	for i := range methods {
		name := bareName(&methods[i])
		if b, ok := bare[name]; ok {
			bare[name] = bareMethod{b.id, b.alone && methods[i].Signature == methods[b.id].Signature}
		} else {
			bare[name] = bareMethod{i, true}
		}
	}
	return bare
}

// bareName returns class and name as one text, with dots in place of slashes: where a class
// ends, formats see differently. What draws frames has its section's name in a trace of sections.
func bareName(m *trace.Method) string {
	if m.DrawsFrame() {
		return "android.view.Choreographer.doFrame"
	}
	name := m.Name
	if m.Class != "" {
		name = m.Class + "." + m.Name
	}
	return strings.ReplaceAll(name, "/", ".")
}

func methodNames(methods []trace.Method) (list []string) {
	for i := range methods {
		list = append(list, methodName(&methods[i]))
	}
	return list
}

func methodName(m *trace.Method) string { return bareName(m) + m.Signature }
