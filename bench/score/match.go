package score

import (
	"fmt"
	"slices"
	"strings"

	"artifice/trace"
)

// Matching contains the matches between two traces.
type Matching struct {
	Threads Partners `json:"threads"`
	Methods Partners `json:"methods"`
	Joined  bool     `json:"joined"` // overloads count as one method
	Time    float64  `json:"time"`   // share of the observed exclusive time in methods of the truth, 0 to 1
}

// Partners counts the threads or methods with events that match.
type Partners struct {
	Both         int      `json:"both"`          // with events on both sides
	OnlyTruth    []string `json:"only_truth"`    // with events in the truth only
	OnlyObserved []string `json:"only_observed"` // with events in the observed trace only
}

// String lists threads or methods without a match.
func (p Partners) String() string {
	return fmt.Sprintf("%d on both sides, %d only true, %d only observed", p.Both, len(p.OnlyTruth), len(p.OnlyObserved))
}

// newPartners counts indices used on both sides, and lists the names of those used on one;
// name returns the name of an index.
func newPartners(truth, seen []bool, name func(int) string) (p Partners) {
	for i := range max(len(truth), len(seen)) {
		known, observed := i < len(truth) && truth[i], i < len(seen) && seen[i]
		switch {
		case known && observed:
			p.Both++
		case known:
			p.OnlyTruth = append(p.OnlyTruth, name(i))
		case observed:
			p.OnlyObserved = append(p.OnlyObserved, name(i))
		}
	}
	slices.Sort(p.OnlyTruth)
	slices.Sort(p.OnlyObserved)
	return p
}

// matcher translates the ids of an observed trace to those of the truth. Threads and methods
// without a match get ids above the truth's.
type matcher struct {
	truth, observed *trace.Symbols
	threads         names
	numbered        map[string]trace.ThreadID // the truth's threads by name and number, or number alone
	taken           map[int]bool              // the truth's threads with a match
	methods         names
	bare            bareMethods
	threadOf        []trace.ThreadID // by observed id
	methodOf        []trace.MethodID // by observed id
}

// newMatcher returns a matcher, which reads the symbols of the observed trace as they grow.
func newMatcher(truth, observed *trace.Symbols) *matcher {
	return &matcher{
		truth: truth, observed: observed,
		threads: newThreadNames(truth.Threads), numbered: numberedThreads(truth.Threads), taken: map[int]bool{},
		methods: newNames(methodNames(truth.Methods)),
		bare:    newBareMethods(truth.Methods),
	}
}

// translate gives e the truth's ids. The observed symbols may grow while they
// are read.
func (m *matcher) translate(e *trace.Event) error {
	if err := m.follow(); err != nil {
		return err
	}
	if int(e.Thread) >= len(m.threadOf) || int(e.Method) >= len(m.methodOf) {
		return fmt.Errorf("event at %v of thread %d and method %d: the tables have %d threads and %d methods", e.Wall, e.Thread, e.Method, len(m.threadOf), len(m.methodOf))
	}
	e.Thread, e.Method = m.threadOf[e.Thread], m.methodOf[e.Method]
	return nil
}

// follow numbers new observed symbols.
func (m *matcher) follow() error {
	if err := m.followThreads(m.observed.Threads[len(m.threadOf):]); err != nil {
		return err
	}
	for len(m.methodOf) < len(m.observed.Methods) {
		m.methodOf = append(m.methodOf, trace.MethodID(m.method(&m.observed.Methods[len(m.methodOf)])))
	}
	return nil
}

// followThreads numbers new threads. Threads with a number of the truth come first, so that no
// other thread of the same name is matched in their place.
func (m *matcher) followThreads(threads []trace.Thread) error {
	numbers := make([]int, len(threads))
	for i := range threads {
		numbers[i] = m.byNumber(&threads[i])
	}
	for i, n := range numbers {
		if n < 0 {
			n = m.byName(&threads[i])
		}
		if n >= trace.MaxThreads {
			return fmt.Errorf("more than %d threads in truth and observed trace together", trace.MaxThreads)
		}
		m.threadOf = append(m.threadOf, trace.ThreadID(n))
	}
	return nil
}

// numberedThreads returns threads by name and number, by kernel name and number, and by number
// alone if it is unique. 0 is no number.
func numberedThreads(threads []trace.Thread) map[string]trace.ThreadID {
	numbered, times := map[string]trace.ThreadID{}, map[uint32]int{}
	for i := range threads {
		t := &threads[i]
		if times[t.TID]++; t.TID == 0 {
			continue
		}
		for _, key := range []string{t.Name, asInKernel(t.KernelName())} {
			if _, twice := numbered[nth(key, int(t.TID))]; !twice {
				numbered[nth(key, int(t.TID))] = trace.ThreadID(i)
			}
		}
	}
	for i := range threads {
		if tid := threads[i].TID; times[tid] == 1 && tid != 0 {
			numbered[nth("", int(tid))] = trace.ThreadID(i)
		}
	}
	return numbered
}

// byNumber returns the index of the truth's thread with the name and number of an observed one; -1:
// none, or already matched.
func (m *matcher) byNumber(o *trace.Thread) int {
	i, ok := m.numbered[nth(o.Name, int(o.TID))]
	if !ok && o.Name != "" {
		i, ok = m.numbered[nth(asInKernel(o.Name), int(o.TID))]
	}
	if !ok || m.taken[int(i)] {
		return -1
	}
	m.taken[int(i)] = true
	return int(i)
}

// byName returns the index of the truth's next thread with the name of an observed one, or a new
// index.
func (m *matcher) byName(o *trace.Thread) int {
	n := m.threads.number(o.String())
	for m.taken[n] {
		n = m.threads.number(o.String())
	}
	m.taken[n] = true
	return n
}

// method returns the index of an observed method.
func (m *matcher) method(o *trace.Method) int {
	if b, ok := m.bare[bareName(o)]; ok && b.alone && (o.Signature == "") != (m.truth.Methods[b.id].Signature == "") {
		return b.id
	}
	return m.methods.number(methodName(o))
}

// symbols returns the symbols of the truth, followed by those of the observed trace only.
func (m *matcher) symbols() *trace.Symbols {
	s := &trace.Symbols{Threads: slices.Clone(m.truth.Threads), Methods: slices.Clone(m.truth.Methods)}
	s.Threads = append(s.Threads, make([]trace.Thread, m.threads.next-len(s.Threads))...)
	s.Methods = append(s.Methods, make([]trace.Method, m.methods.next-len(s.Methods))...)
	for id, to := range m.threadOf {
		if int(to) >= len(m.truth.Threads) {
			s.Threads[to] = m.observed.Threads[id]
		}
	}
	for id, to := range m.methodOf {
		if int(to) >= len(m.truth.Methods) {
			s.Methods[to] = m.observed.Methods[id]
		}
	}
	return s
}

// Match returns the index of each thread and method of an observed trace in all, the symbols of the
// truth followed by those of the observed trace only. The observed trace has been read.
func Match(truth, observed *trace.Symbols) (threads []trace.ThreadID, methods []trace.MethodID, all *trace.Symbols, err error) {
	m := newMatcher(truth, observed)
	if err := m.follow(); err != nil {
		return nil, nil, nil, err
	}
	return m.threadOf, m.methodOf, m.symbols(), nil
}

// names numbers names; the n-th occurrence of a name has an index of its own.
type names struct {
	index map[string]int
	cut   map[string]int // the truth's threads by kernel name; nil for methods
	times map[string]int // occurrences of each name on the observed side
	next  int            // first free index above the truth's
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

// number returns the index of an observed name.
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

// kernelNames returns the kernel names of threads.
func kernelNames(threads []trace.Thread) (list []string) {
	for _, t := range threads {
		list = append(list, asInKernel(t.KernelName()))
	}
	return list
}

// asInKernel returns a name as in ftrace text, where a "-" can be mistaken for the one between name
// and tid.
func asInKernel(name string) string { return strings.ReplaceAll(name, "-", "_") }

// bareMethods indexes the truth's methods by class and name, without signature.
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

// bareName returns class and name as one string, with dots for slashes, because formats split class
// and name differently. A method that draws frames has the name of its section in a trace of
// sections.
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
