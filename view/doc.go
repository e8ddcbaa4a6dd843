// Package view writes the viewer of recordings: an HTML page with timelines, tables and flame
// graphs, which needs no network.
//
// A [Recording] is the data of one trace in the page: [Read] collects its calls thread by thread. A
// [Page] contains one or more recordings, or a summary of thread dumps ([Dumps]). [Page.WriteHTML]
// writes it as one file, and a [Server] serves it. The code of the page is in the folder page:
// typed JavaScript without libraries. Package report/estimate computes the intervals of times, and
// package report the rows of tables; view/internal/lab is the engine of the laboratory's page.
//
// # Data of the page
//
// The data of the page is compressed with gzip, in the element "data" of the file as base64, or at
// the path in <meta name="data">. Uncompressed it is
//
//	"ARTVIEW1", the length of the header (u4, little-endian), header (JSON), columns
//
// A column is a sequence of unsigned LEB128 numbers; the header states its offset from the end of
// the header and its numbers of bytes and values. Differences are to the previous value of the
// column (of the first: to 0); signed ones are zigzag-encoded. The threads of a recording are a
// list in JSON between the columns. Times are relative to start_ns in units of unit_ns. The types
// of the header document each field.
//
// # Calls
//
// The calls of a thread are in the order of their starts, callers before callees. [trace.EffectOf]
// defines the effect of exits that do not match:
//
//   - An exit without an open frame is of a call that began before the trace. The call encloses all
//     previous calls of its thread, from the thread's first event on, as in package trace/calltree.
//   - A frame that is open at the end ends according to [calltree.EndPolicy].
//   - An event earlier than the previous one of its thread gets the time of that one.
//
// # Levels of detail
//
// To bound the number of boxes that a page draws, calls that are too short to be visible are merged
// in advance: on a level of width w a call of at least w has a box of its own, and shorter
// neighbours of the same depth share a box no longer than w. Widths are powers of two; a level is
// kept if it has at most a quarter of the boxes of the level below, so that all levels together
// have at most a third of the number of calls.
//
// # Example
//
//	recording, err := view.Read(rec, "app.trace", view.Options{})
//	page := view.Page{Recordings: []*view.Recording{recording}}
//	err = page.WriteHTML(w)
//
// # Units and errors
//
// Read returns the errors of the recording's reader, WriteHTML those of the writer. A Server
// reports a port in use as a PortTakenError.
package view
