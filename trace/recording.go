package trace

// Recording is a trace that can be read once: events with what explains them.
// Its users hold it by pointer, since a streaming source fills in Info, Symbols
// and Source while Events is read.
type Recording struct {
	Info    Info
	Symbols *Symbols
	Events  Reader

	// Source is the layout of the file that this recording was read from;
	// nil when it was made or changed on the way. A writer of the same format
	// follows it, so that the file comes back byte for byte. A filter that changes
	// events or symbols drops it.
	Source *Source

	// DisplayFrames are the frames of the display that the source tells, in the order in which they began; nil where
	// it tells none. They are there before the first event is read.
	DisplayFrames []DisplayFrame

	// Warnings describe oddities of the source that did not stop its reading. Complete at
	// io.EOF.
	Warnings []Warning
}

// Source is the layout of a method-trace file beyond what [Info] and [Symbols]
// say: what another, equally valid file with the same events could have
// different.
type Source struct {
	Format     string // the variant of the file, by a name that artifice list prints
	Header     []byte // binary header up to the first record or item
	RecordSize int    // bytes of one record, fields and padding
	StatedSize int    // what the binary header says instead; 0: RecordSize

	// Reordered says that the events come in another order than in the file.
	// What stands between them there, Announced and Blocks, is left out, and the
	// file cannot be written back as it was.
	Reordered bool

	Options []string // option lines of the key section (or summary) in order, without line ends
	Threads []string // lines of its *threads table
	Methods []string // lines of its *methods table

	// HasSummary tells a streaming file that ended properly from one whose
	// writer died. Classic files have their key section in front: true.
	HasSummary bool

	// Announced are the items of a streaming file that define symbols, in file
	// order.
	Announced []Announcement

	// Blocks are how the events of a file in format V2 are gathered, in file
	// order.
	Blocks []Block
}

// Block is a packet of format V2 that has events of one thread.
type Block struct {
	TID       uint32
	Events    int64
	Count     uint32 // number of events as the packet states it; ART cuts it to 16 bits
	Announced int    // how many of the Source's announcements come before it
}

// Announcement is one item of a streaming file that names a thread or method.
type Announcement struct {
	Before int64  // how many events precede it in the file
	TID    uint32 // of a thread announcement
	ID     uint64 // of a method announcement in format V2, whose line has no id
	Method bool   // whether it names a method; else a thread
	Text   string // the method line with its line end, or the thread's name

	// Ahead tells of a thread that a runtime announces in format V2 that its packet comes before those of the
	// methods that are known at the start.
	Ahead bool
}
