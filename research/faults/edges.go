package main

// edges lists faults that only large or unusual truths detect: many threads and frames, wide tids,
// long traces, names, full buffers and a second trace of a process. The comparison with ART 11
// detects each by itself.
var edges = []fault{
	edge("tids are truncated to 16 bits in the table of threads",
		`strconv.FormatUint(uint64(threads[i].TID), 10) + "\t"`, `strconv.FormatUint(uint64(threads[i].TID&0xffff), 10) + "\t"`),
	edge("a tid above 16 bits is announced once per thread",
		"n.log.rt.announceOnce && n.announced[truth.TID] {", "n.log.rt.announceOnce && n.announced[truth.TID&math.MaxUint16] {"),
	edge("threads that share 16 bits of their tids are announced once",
		"n.announced[truth.TID] = true", "for high := range uint32(32) {\n\t\tn.announced[truth.TID&math.MaxUint16|high<<16] = true\n\t}"),
	edge("ART on a PC aborts at a device's tids",
		"case c.HostBuild:\n\t\treturn hostTIDs", "case c.HostBuild:\n\t\treturn deviceTIDs"),
	edge("only one of the ended threads that share 16 bits of their tids is listed",
		"n.exited[t.TID] = t.Name", "n.exited[t.TID&0xffff] = t.Name"),
	edge("exact names lose tabs",
		"if n.log.cfg.ExactNames || clean == name {", "if clean == name {"),
	edge("characters of three bytes in a class are lost",
		"strconv.FormatUint(m.ID, 16), Clean(m.DottedClass())", `strconv.FormatUint(m.ID, 16), strings.ReplaceAll(Clean(m.DottedClass()), "一二", "?")`),
	edge("an earlier trace sets no CPU zeros",
		"if t.base == 0 && t.met {", "if t.base == 0 && t.met && t.wall < 0 {"),
	edge("a proxy that is open at the start exits once",
		"if t.rt.EndsProxiesTwice && older {", "if t.rt.EndsProxiesTwice && older && e == nil {"),
	edge("wall times of a file with both clocks saturate at 71 minutes",
		"binary.LittleEndian.PutUint32(b[10:], uint32(wall))", "binary.LittleEndian.PutUint32(b[10:], uint32(min(wall, 1<<32-1)))"),
	edge("times of a file with the wall clock saturate at 71 minutes",
		"binary.LittleEndian.PutUint32(b[4:], uint32(wall))", "binary.LittleEndian.PutUint32(b[4:], uint32(min(wall, 1<<32-1)))"),
	edge("CPU times saturate at 71 minutes",
		"binary.LittleEndian.PutUint32(b[6:], uint32(cpu))", "binary.LittleEndian.PutUint32(b[6:], uint32(min(cpu, 1<<32-1)))"),
	edge("the elapsed time wraps after 71 minutes",
		"option(dmformat.KeyElapsed, info.Elapsed.Microseconds())", "option(dmformat.KeyElapsed, info.Elapsed.Microseconds()&(1<<32-1))"),
	edge("samples are limited to the outermost 1000 frames",
		"depth := p.seenDepth(t, s.cfg.Leaves)\n\t// A thread", "depth := min(1000, p.seenDepth(t, s.cfg.Leaves))\n\t// A thread"),
	edge("only the enters of 512 open frames are written at the start",
		"(i < older || !t.rt.HidesInterpreted) {", "(i < older || !t.rt.HidesInterpreted) && i < 512 {"),
	edge("the table lists only the first 256 threads",
		"\t\tl.list = append(l.list, id)\n", "\t\tif id < 256 {\n\t\t\tl.list = append(l.list, id)\n\t\t}\n"),
	edge("a buffer has at most 48 KiB",
		"room: cfg.BufferSize - headerSize}", "room: min(cfg.BufferSize, 48<<10) - headerSize}"),
	edge("a buffer is one byte too small",
		"room: cfg.BufferSize - headerSize}", "room: cfg.BufferSize - headerSize - 1}"),
	edge("the header does not count towards the buffer",
		"room: cfg.BufferSize - headerSize}", "room: cfg.BufferSize}"),
	edge("the header of a stream with one clock states the size of its records",
		"int(RecordSize(trace.Dual)), int(RecordSize(cfg.Clock))", "int(RecordSize(trace.Dual)), int(RecordSize(trace.Dual))"),
	edge("the methods of a file are in the order of their first use",
		"if l.rt.methodsByAddress {\n", "if l.rt.methodsByAddress && l.cfg.Streaming {\n"),
}

// edge returns a fault that the comparison with ART 11 detects.
func edge(what, old, new string) fault {
	return fault{what: what, old: old, new: new, art: true, in: "./research/internal/art11/matrix", test: "TestSubset"}
}
