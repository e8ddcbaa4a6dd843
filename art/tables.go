package art

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// layOut creates the tables and option lines of the file: FinishTracing.
func (l *Log) layOut() {
	if !l.cfg.V2 { // V2 defines its symbols in packets, and its summary has no tables
		l.source.HasSummary = true
		l.source.Options = l.options()
		if !l.cfg.Streaming || l.rt.summaryThreads {
			l.source.Threads = l.threadLines()
		}
		if methods := l.methodLines(); !l.cfg.Streaming || l.rt.summaryMethods {
			l.source.Methods = methods
		}
	}
	if l.cfg.Objects != nil { // in V2, they follow the options that the writer adds
		l.source.Options = append(l.source.Options, l.cfg.Objects.options(l.rt)...)
	}
}

// options returns the lines between version and tables.
func (l *Log) options() []string {
	info := &l.out.Info
	option := func(key string, value int64) string { return key + "=" + strconv.FormatInt(value, 10) }
	lines := []string{
		dmformat.KeyOverflow + "=" + strconv.FormatBool(info.Overflow),
		dmformat.KeyClock + "=" + info.Clock.String(),
		option(dmformat.KeyElapsed, info.Elapsed.Microseconds()),
	}
	if !l.cfg.Streaming {
		lines = append(lines, option(dmformat.KeyRecords, l.written))
	}
	lines = append(lines,
		option(dmformat.KeyOverhead, info.ClockOverhead.Nanoseconds()),
		dmformat.KeyVM+"="+l.rt.VM)
	if l.rt.VM == "art" {
		lines = append(lines, option(dmformat.KeyPID, int64(info.PID)))
	}
	return lines
}

// threadLines returns the lines of the threads table.
func (l *Log) threadLines() []string {
	var threads []trace.Thread
	switch l.rt.threads {
	case exitedThenLive:
		threads = append(sortedThreads(l.names.exited), l.live()...)
	case allByTIDs:
		threads = l.allByTID()
	case threadsWithEvents:
		threads = l.withEvents()
	case mainThenBackwards:
		threads = l.mainThenBackwards()
	}
	lines := make([]string, len(threads))
	for i := range threads {
		lines[i] = strconv.FormatUint(uint64(threads[i].TID), 10) + "\t" + l.names.text(threads[i].Name)
		l.addUnused(threads[i])
	}
	return lines
}

// live returns the threads in list order.
func (l *Log) live() []trace.Thread {
	var threads []trace.Thread
	for _, id := range l.list {
		t := l.truth.Symbols.Threads[id]
		if l.rt.numbering == vmThreads {
			t.TID = l.threads[id].vm
		}
		threads = append(threads, trace.Thread{TID: t.TID, Name: t.Name})
	}
	return threads
}

// allByTID returns ended and live threads by tid: threads_list_ of ART 14, where the sampling
// thread has ended by then.
func (l *Log) allByTID() []trace.Thread {
	names := l.names.exited
	for _, t := range l.live() {
		names[t.TID] = t.Name
	}
	if l.cfg.Technique == trace.Sampled && len(names) > 0 {
		names[slices.Max(slices.Collect(maps.Keys(names)))+1] = l.rt.samplingThread
	}
	threads := sortedThreads(names)
	for i := range threads {
		threads[i].TID &= 0xffff // printed as static_cast<uint16_t>
	}
	return threads
}

// mainThenBackwards returns Dalvik's list: main, then the newest to the oldest thread. It includes
// the sampling thread, which cannot leave the list before stop has written the table
// (dvmMethodTraceStop and dvmDetachCurrentThread use the same lock).
func (l *Log) mainThenBackwards() []trace.Thread {
	threads := l.live()
	if len(threads) == 0 {
		return nil
	}
	if l.names.attachSampling(); l.names.sampling > 0 {
		threads = slices.Insert(threads, int(l.names.sampling)-1, trace.Thread{TID: l.names.sampling, Name: l.rt.samplingThread})
	}
	slices.Reverse(threads[1:])
	return threads
}

// withEvents returns the threads with events, by number: threads_list_ of ART 15 and later.
func (l *Log) withEvents() []trace.Thread {
	names := map[uint32]string{}
	for _, t := range l.out.Symbols.Threads {
		names[t.TID] = t.Name
	}
	return sortedThreads(names)
}

// addUnused adds a thread of the table without events to the symbols, as a reader of the file
// would.
func (l *Log) addUnused(t trace.Thread) {
	t.TID &= 0xffff
	if !slices.ContainsFunc(l.out.Symbols.Threads, func(u trace.Thread) bool { return u.TID == t.TID && u.Name == t.Name }) {
		if _, err := l.out.Symbols.AddThread(t); err != nil {
			l.fail(err)
		}
	}
}

func sortedThreads(names map[uint32]string) (threads []trace.Thread) {
	for _, tid := range slices.Sorted(maps.Keys(names)) {
		threads = append(threads, trace.Thread{TID: tid, Name: names[tid]})
	}
	return threads
}

// methodLines returns the lines of the methods table.
//
// The addresses of methods are assumed to ascend in the order of the truth's symbols. ART 14 and
// later list methods in the order of a hash table, which depends on addresses that differ from run
// to run: Config.MethodOrder, or by id.
func (l *Log) methodLines() []string {
	listed := l.names.listed
	if l.rt.wrongProxyIDs && !l.cfg.Streaming {
		listed = l.names.withProxies()
	}
	if l.rt.methodsByAddress {
		slices.SortStableFunc(listed, func(a, b listedMethod) int { return cmp.Compare(a.truth, b.truth) })
	}
	if order := l.cfg.MethodOrder; !l.rt.methodsByAddress && order != nil {
		place := make(map[trace.MethodID]int, len(order))
		for i, id := range order {
			place[id] = i - len(order)
		}
		slices.SortStableFunc(listed, func(a, b listedMethod) int { return cmp.Compare(place[a.truth], place[b.truth]) })
	}
	lines := make([]string, len(listed))
	for i := range listed {
		lines[i] = string(dmformat.AppendMethodLine(nil, l.names.variant, &listed[i].line))
	}
	return lines
}

// withProxies returns the methods that ART up to 13 lists in a file. Each proxy method in the data
// is listed, in address order, as the interface's method. Its id is assigned while the list is
// written, so no event has it.
func (n *naming) withProxies() []listedMethod {
	for id, out := range n.log.methods {
		if out < 0 || !n.log.out.Symbols.Methods[out].Unlisted {
			continue
		}
		n.listProxy(trace.MethodID(id))
	}
	return n.listed
}
