package art

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// naming assigns the runtime's ids to threads and methods, and announces them in a stream when the
// runtime does.
type naming struct {
	log       *Log
	variant   *dmformat.Variant
	nextIndex uint64            // of a method: ART numbers methods in the order of their first use
	numbers   map[uint32]uint32 // firstEvent: number by kernel tid
	announced map[uint32]bool   // kernel tids announced in the stream
	exited    map[uint32]string // last name of the ended threads, by kernel tid
	attached  uint32            // number of threads attached so far
	cleaned   int               // names of threads that lost tabs and line ends
	example   string            // one of these names
	sampling  uint32            // number of the sampling thread, in Dalvik's numbering; 0 before it is attached

	interfaces map[string]uint64 // wrongProxyIDs: ids of interface methods, by text
	proxies    map[string]int    // namesProxies: numbers of proxies' classes, by that of the truth
	listed     []listedMethod    // methods of the table, in order of first use
}

// listedMethod is a line of the methods table.
type listedMethod struct {
	truth trace.MethodID
	line  trace.Method // with the id in the table
}

// First address, and distance of two methods, where ids are addresses. The magnitudes are typical
// of a 32-bit Dalvik and a 64-bit ART.
const (
	dalvikMethods    = 0x40d00000
	dalvikMethodSize = 56
	artMethods       = 0x7000_0000
	artMethodSize    = 32
)

// attach assigns Dalvik's number to a thread.
func (n *naming) attach(id trace.ThreadID) {
	if t := &n.log.threads[id]; t.vm == 0 {
		n.attached++
		t.vm = n.attached
	}
}

// attachSampling assigns a number to the sampling thread, which is attached when the trace starts:
// after the existing threads and before those that start later.
func (n *naming) attachSampling() {
	if n.sampling == 0 && n.log.cfg.Technique == trace.Sampled {
		n.attached++
		n.sampling = n.attached
	}
}

// method returns the index of a method in the recording's symbols, and defines the method on its
// first use.
func (n *naming) method(id trace.MethodID) trace.MethodID {
	out := n.log.methods[id]
	if out < 0 {
		out = n.define(id)
	}
	return trace.MethodID(out)
}

// knowMethod defines a method before the event that uses it.
func (n *naming) knowMethod(id trace.MethodID) {
	if !n.log.cfg.KeepSymbols && n.log.methods[id] < 0 {
		n.define(id)
	}
}

// knowLoaded defines the methods that the truth has at the start: format V2 lists the methods of
// all loaded classes then, and of other classes when they are loaded (RecordMethodInfoClassVisitor
// and Trace::ClassPrepare). The runtime's internal methods belong to no class.
func (n *naming) knowLoaded() {
	n.log.sync()
	for i := range n.log.truth.Symbols.Methods {
		if n.log.truth.Symbols.Methods[i].Flags&trace.RuntimeInternal == 0 {
			n.knowMethod(trace.MethodID(i))
		}
	}
}

// define assigns an id to a method, and announces it in a stream.
func (n *naming) define(id trace.MethodID) int32 {
	m := n.named(id)
	proxy := m.Flags&trace.Proxy != 0 && n.log.rt.wrongProxyIDs
	m.ForgetTruth()
	if n.log.rt.VM == "dalvik" {
		m.Class = strings.ReplaceAll(m.Class, ".", "/")
	}
	if proxy {
		m = trace.Method{Unlisted: true}
	}
	m.ID = n.methodID(id)
	out := int32(n.log.out.Symbols.AddMethod(m))
	n.log.methods[id] = out
	switch {
	case proxy && n.log.cfg.Streaming:
		// GetMethodLine queries the id of the interface's method, which assigns the next one.
		// RegisterMethod identifies methods by their index in the dex file, which proxies of one
		// interface method share.
		if _, known := n.interfaces[n.log.truth.Symbols.Method(id).String()]; !known {
			n.listProxy(id)
		}
	case !proxy:
		n.list(id, m.ID)
	}
	return out
}

// named returns a method of the truth as the file names it. Format V2 of 16 names the class of a
// proxy, and no source file (RecordMethodInfoV2); other files name the interface. The truth has the
// interface only, so each is assumed to have one class: java.lang.reflect.Proxy numbers them. The
// name and signature in ART's file are those of an unrelated method of the core library, the one
// with the index of the interface's method in another dex file; here they are the truth's.
func (n *naming) named(id trace.MethodID) trace.Method {
	m := *n.log.truth.Symbols.Method(id)
	if m.Flags&trace.Proxy == 0 || !n.log.cfg.V2 || !n.log.rt.namesProxies {
		return m
	}
	number, known := n.proxies[m.Class]
	if !known {
		if n.proxies == nil {
			n.proxies = map[string]int{}
		}
		number = len(n.proxies)
		n.proxies[m.Class] = number
	}
	m.Class, m.File = fmt.Sprint("$Proxy", number), ""
	return m
}

// interfaceID returns the id of the interface method that a proxy's method implements. The truth
// does not contain this relation, so proxy methods of equal text are assumed to implement the same
// method.
func (n *naming) interfaceID(id trace.MethodID) uint64 {
	m := n.log.truth.Symbols.Method(id)
	text := m.String()
	if _, known := n.interfaces[text]; !known {
		n.interfaces[text] = n.methodID(id)
	}
	return n.interfaces[text]
}

// methodID returns the next id: ART's index, or an address.
func (n *naming) methodID(id trace.MethodID) uint64 {
	switch {
	case n.log.cfg.V2:
		return artMethods + artMethodSize*uint64(id)
	case n.log.rt.VM == "dalvik":
		return n.checked(dalvikMethods + dalvikMethodSize*uint64(id))
	}
	n.nextIndex++
	return n.checked((n.nextIndex - 1) << 2)
}

func (n *naming) checked(id uint64) uint64 {
	if id > math.MaxUint32 {
		n.log.fail(fmt.Errorf("method id %#x has more than 32 bits: the trace uses too many methods", id))
	}
	return id
}

// list adds a method to the table with an id, and announces it in a stream.
func (n *naming) list(truth trace.MethodID, id uint64) {
	m := n.named(truth)
	m.ForgetTruth()
	m.ID = id
	if have := len(n.listed); have == cap(n.listed) {
		n.listed = slices.Grow(n.listed, have+1)
	}
	n.listed = append(n.listed, listedMethod{truth, m})
	if n.log.cfg.Streaming && !n.log.cfg.V2 {
		line := dmformat.AppendMethodLine(nil, n.variant, &m)
		n.announce(trace.Announcement{Method: true, Text: string(append(line, '\n'))})
	}
}

// listProxy lists the interface's method of a proxy's method, and adds it to the symbols if it is
// new.
func (n *naming) listProxy(id trace.MethodID) {
	known := len(n.interfaces)
	n.list(id, n.interfaceID(id))
	if len(n.interfaces) > known {
		n.log.out.Symbols.AddMethod(n.listed[len(n.listed)-1].line)
	}
}

// thread returns the index of a thread in the recording's symbols, and defines the thread at its
// first event.
func (n *naming) thread(id trace.ThreadID) trace.ThreadID {
	if n.log.threads[id].out < 0 {
		n.announceThread(id)
	}
	return trace.ThreadID(n.log.threads[id].out)
}

// announceThread defines a thread and announces it in a stream: RegisterThread of ART 5 to 13,
// RecordThreadInfo of 15 and later. It uses the current name of the thread.
func (n *naming) announceThread(id trace.ThreadID) {
	if n.log.cfg.KeepSymbols {
		return
	}
	t, truth := &n.log.threads[id], n.log.truth.Symbols.Thread(id)
	if t.out < 0 {
		out, err := n.log.out.Symbols.AddThread(trace.Thread{TID: n.wireID(id), Name: truth.Name})
		if err != nil {
			n.log.fail(err)
		}
		t.out = int32(out)
	}
	if limit := n.log.cfg.tidLimit(); limit > 0 && truth.TID >= limit {
		n.log.fail(fmt.Errorf("thread %q has tid %d: while streaming, %s aborts the app for tids from %d on (RegisterThread); record without streaming, use art14 or later, or change the tid",
			truth.Name, truth.TID, n.log.rt.Name, limit))
	}
	wire := n.log.out.Symbols.Threads[t.out].TID
	if !n.log.cfg.Streaming && !n.log.cfg.V2 || n.log.rt.announceOnce && n.announced[truth.TID] {
		return
	}
	if wire&math.MaxUint16 == 0 && !n.log.cfg.V2 {
		n.log.fail(fmt.Errorf("thread %q has tid %d: a streaming file stores only its low 16 bits, which are 0; change the tid", truth.Name, truth.TID))
	}
	n.announced[truth.TID] = true
	n.announce(trace.Announcement{TID: wire, Text: n.text(truth.Name)})
}

// text returns a thread's name as the file spells it.
func (n *naming) text(name string) string {
	clean := dmformat.Clean(name)
	if n.log.cfg.ExactNames || clean == name {
		return name
	}
	n.cleaned++
	n.example = name
	return clean
}

// wireID returns the thread id in the records of a thread.
func (n *naming) wireID(id trace.ThreadID) uint32 {
	tid := n.log.truth.Symbols.Thread(id).TID
	switch {
	case n.log.cfg.V2:
		return tid
	case n.log.rt.numbering == vmThreads:
		return n.log.threads[id].vm
	case n.log.rt.numbering == kernelTIDs:
		return tid & math.MaxUint16
	}
	if n.numbers[tid] == 0 {
		n.numbers[tid] = uint32(len(n.numbers) + 1)
	}
	return n.numbers[tid]
}

func (n *naming) announce(a trace.Announcement) {
	a.Before = n.log.written
	a.Ahead = n.log.starting && n.log.cfg.V2
	n.log.source.Announced = append(n.log.source.Announced, a)
}

// exit stores the name of a thread that ends: StoreExitingThreadInfo.
func (n *naming) exit(id trace.ThreadID) {
	t := n.log.truth.Symbols.Thread(id)
	n.exited[t.TID] = t.Name
}
