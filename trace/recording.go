package trace

// Recording is a trace: its events, their symbols, and its properties. The events can be read once;
// reading them again returns [ErrReadTwice]. Use a pointer to it: a streaming source updates Info,
// Symbols and Source while Events is read.
type Recording struct {
	Info    Info
	Symbols *Symbols
	Events  Reader

	// Source is the layout of the file that this recording was read from; nil if the recording was
	// generated or changed. A writer of the same format uses it to write the file back byte for
	// byte. A filter that changes events or symbols sets it to nil.
	Source *Source

	// DisplayFrames are the display frames of the source, ordered by their begin; nil if it has
	// none. They are complete before the first event is read.
	DisplayFrames []DisplayFrame

	// Warnings describe problems of the source that did not end the reading. They are complete at
	// io.EOF.
	Warnings []Warning
}

// Source is the part of the layout of a method-trace file that is not in [Info] and [Symbols]: the
// properties in which two valid files with the same events can differ.
type Source struct {
	Format     string // variant of the file, by a name printed by artifice list
	Header     []byte // binary header up to the first record or item
	RecordSize int    // bytes of one record, padding included
	StatedSize int    // record size in the binary header if it differs from RecordSize, else 0

	// Chunk is set if the file is the content of a chunk MPSE, as ART sends it to DDMS.
	Chunk bool

	// Reordered is set if the events are not in file order. Announced and Blocks are empty then,
	// and the file cannot be written back byte for byte.
	Reordered bool

	// Padding lists the bytes after the fields of a record of 14 bytes with one clock, where they
	// differ from those of the record before (at first: zeros). ART up to 13 does not set them.
	Padding []Padding

	Extra   []string // lines before the key section, from *extra-info to *extra-info-end
	Options []string // option lines of the key section (or summary) in order, without line ends
	Threads []string // lines of its *threads table
	Methods []string // lines of its *methods table

	// HasSummary is set if a streaming file has its summary, so its writer finished. It is set for
	// classic files, which begin with the key section.
	HasSummary bool

	// Announced are the items of a streaming file that define symbols, in file order.
	Announced []Announcement

	// Blocks are the blocks of events of a file in format V2, in file order.
	Blocks []Block
}

// Padding contains the padding of records from one event on.
type Padding struct {
	Event int64
	Bytes [4]byte
}

// Block is a packet of format V2 with events of one thread.
type Block struct {
	TID       uint32
	Events    int64
	Count     uint32 // number of events stated in the packet; ART truncates it to 16 bits
	Announced int    // number of announcements of the Source before the block
}

// Announcement is one item of a streaming file that defines a thread or method.
type Announcement struct {
	Before int64  // number of events before it in the file
	TID    uint32 // id of the thread, in a thread announcement
	ID     uint64 // id of the method, in a method announcement of format V2, where the line has no id
	Method bool   // the item defines a method, else a thread
	Text   string // the method line with its line end, or the thread's name

	// Ahead is set for a thread in format V2 if its packet precedes the packets of the methods
	// known at the start.
	Ahead bool
}
