// Package view makes the page that shows a recording: time lines, tables and flame graphs, in a
// browser, without a network.
//
// A [Recording] is what the page shows of one trace: [Read] collects its calls
// thread by thread. A [Page] has one or more of them. [Page.WriteHTML] writes it as
// one file, and a [Server] serves it. The page's own code is in the folder page:
// typed JavaScript without a library. Package estimate says how sure the times are,
// package report prints tables on a terminal.
//
// # Data of the page
//
// The page gets its data as gzip, in the element "data" of the file as base64, or
// from the path in <meta name="data">. Unpacked they are
//
//	"ARTVIEW1", the length of the header (u4, little-endian), header (JSON), columns
//
// A column is unsigned LEB128 numbers one after another; the header says where it
// begins, counted from the end of the header, and how many bytes and numbers it
// has. Differences are to the number before in the column (the first: to 0);
// signed ones are zigzag. Times are counted from start_ns in units of unit_ns. The
// types of package wire are the header, with a comment for each field.
//
// # Calls
//
// The calls of a thread are in the order of their starts, callers before callees. Exits that do
// not fit are decided by [trace.EffectOf]:
//
//   - An exit with no frame open is of a call that began before the trace. It is
//     put around all that its thread did so far, from the thread's first event on,
//     as in package calltree.
//   - A frame that is open at the end ends as [calltree.EndPolicy] says.
//   - An event earlier than the one before on its thread is put at the time of
//     that one.
//
// # Levels of detail
//
// So that a page draws little however much it shows, calls that are too short to
// be seen are put together beforehand: on a level of width w a call of at least w
// stands alone, and shorter neighbours of the same depth are one box as long as it
// is not longer than w. Widths are powers of two; a level is kept when it has at most
// a quarter of the boxes of the one below, so that all of them together have at most
// a third of the calls.
package view
