package trace

// Recording is a trace: its events, their symbols, and its properties. The events can
// be read once. Use it by pointer: a streaming source fills in Info, Symbols
// and Source while Events is read.
type Recording struct {
	Info    Info
	Symbols *Symbols
	Events  Reader

	// Source is the layout of the file that this recording was read from;
	// nil when it was generated or changed. A writer of the same format
	// reproduces it, so that the file is written back byte for byte. A filter that
	// changes events or symbols drops it.
	Source *Source

	// DisplayFrames are the frames of the display in the source, in the order of their begin; nil if
	// it has none. They are complete before the first event is read.
	DisplayFrames []DisplayFrame

	// Warnings describe problems of the source that did not end the reading. They are
	// complete at io.EOF.
	Warnings []Warning
}

// Source is the layout of a method-trace file that is not in [Info] and [Symbols]:
// the properties in which another valid file with the same events could differ.
type Source struct {
	Format     string // the variant of the file, by a name that artifice list prints
	Header     []byte // binary header up to the first record or item
	RecordSize int    // bytes of one record, fields and padding
	StatedSize int    // record size in the binary header if it differs; 0: RecordSize

	// Reordered is set if the events are in another order than in the file.
	// Announced and Blocks are empty then, and the file cannot be written back as it was.
	Reordered bool

	Options []string // option lines of the key section (or summary) in order, without line ends
	Threads []string // lines of its *threads table
	Methods []string // lines of its *methods table

	// HasSummary is set if a streaming file has its summary: its writer did not die
	// before the end. It is set for classic files, which begin with the key section.
	HasSummary bool

	// Announced are the items of a streaming file that define symbols, in file
	// order.
	Announced []Announcement

	// Blocks are the blocks of events of a file in format V2, in file order.
	Blocks []Block
}

// Block is a packet of format V2 that has events of one thread.
type Block struct {
	TID       uint32
	Events    int64
	Count     uint32 // number of events as the packet states it; ART cuts it to 16 bits
	Announced int    // number of the Source's announcements before it
}

// Announcement is one item of a streaming file that names a thread or method.
type Announcement struct {
	Before int64  // number of events before it in the file
	TID    uint32 // of a thread announcement
	ID     uint64 // of a method announcement in format V2: its line has no id
	Method bool   // whether it names a method; else a thread
	Text   string // the method line with its line end, or the thread's name

	// Ahead is set for a thread in format V2 if the runtime writes its packet before the packets of the
	// methods known at the start.
	Ahead bool
}
