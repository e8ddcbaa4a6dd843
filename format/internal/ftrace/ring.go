package ftrace

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"time"
)

// ring is the kernel's buffer of ftrace, one per core (kernel/trace/ring_buffer.c): pages of
// records. When all pages are full, records are dropped or, with circular, the oldest page is
// overwritten. atrace sets the size with -b, and circular with -c.
type ring struct {
	most     int // maximum number of pages of a core
	circular bool
	cores    []coreRing
	put      int64 // number of records so far
	lost     int64
}

// coreRing is the buffer of a core.
type coreRing struct {
	pages []ringPage // oldest first
	last  time.Duration
}

// ringPage is a page: its records as text.
type ringPage struct {
	used    int // bytes
	records []ringRecord
}

type ringRecord struct {
	number int64
	core   int
	line   []byte
}

// Sizes of the kernel's structures, in bytes, for pages of 4 KiB and pointers of 64 bits.
const (
	pageRoom   = 4096 - 16 // BUF_PAGE_SIZE: a page without its time stamp and its length
	recordHead = 4         // struct ring_buffer_event
	longRecord = 112       // RB_MAX_SMALL_DATA: a longer record has 4 more bytes for its length
	// RB_LEN_TIME_EXTEND, before a record that is later than the previous one by
	timeExtends = 8
	extendAfter = 1 << 27 // at least TS_BIT, in ns

	markSize     = 8 + 8 + 2 // struct print_entry, and the line end and NUL after the text
	switchSize   = 64        // trace_event_raw_sched_switch
	wakeupSize   = 36        // trace_event_raw_sched_wakeup_template
	blockedSize  = 32        // trace_event_raw_sched_blocked_reason
	powerSize    = 16        // trace_event_raw_cpu: cpu_frequency and cpu_idle
	sentSize     = 36        // trace_event_raw_binder_transaction
	receivedSize = 12        // trace_event_raw_binder_transaction_received
)

// newRing returns the buffers with that size for each core: two pages at least.
func newRing(kilobytes int64, circular bool) *ring {
	return &ring{most: int(max(2, (kilobytes*1024+pageRoom-1)/pageRoom)), circular: circular}
}

// take adds a record of size bytes to a core's buffer, with a copy of its line.
func (r *ring) take(core int, at time.Duration, size int, line []byte) {
	for core >= len(r.cores) {
		r.cores = append(r.cores, coreRing{})
	}
	c := &r.cores[core]
	r.put++
	if size > longRecord {
		size += 4
	}
	size = (recordHead + size + 3) &^ 3
	last, gap := len(c.pages)-1, 0
	if at-c.last >= extendAfter {
		gap = timeExtends
	}
	if last >= 0 && c.pages[last].used+gap+size <= pageRoom {
		size += gap
	} else { // a page header contains the full time
		if len(c.pages) == r.most && !r.circular {
			r.lost++
			return
		}
		if len(c.pages) == r.most {
			r.lost += int64(len(c.pages[0].records))
			c.pages = slices.Delete(c.pages, 0, 1)
		}
		c.pages = append(c.pages, ringPage{})
		last = len(c.pages) - 1
	}
	p := &c.pages[last]
	p.used, c.last = p.used+size, at
	p.records = append(p.records, ringRecord{r.put, core, slices.Clone(line)})
}

// Notes states what the buffers dropped.
func (r *ring) Notes() []string {
	if r.lost == 0 {
		return nil
	}
	which := "first"
	if r.circular {
		which = "last"
	}
	return []string{fmt.Sprintf("the buffers of %d KiB for each core are full: of %d records, only the %s %d are kept", r.most*4, r.put, which, r.put-r.lost)}
}

// entriesHead is the beginning of the line returned by header.
const entriesHead = "# entries-in-buffer/entries-written: "

// header returns the line of the kernel's header that states the number of records.
func (r *ring) header() string {
	return fmt.Sprintf(entriesHead+"%d/%d   #P:%d\n#\n", r.put-r.lost, r.put, len(r.cores))
}

// write writes the records in the buffers in time order. If records are lost, it states where the
// remaining records of each core start, as the kernel does (test_cpu_buff_start).
func (r *ring) write(w *bufio.Writer) {
	var records []ringRecord
	for _, c := range r.cores {
		for _, p := range c.pages {
			records = append(records, p.records...)
		}
	}
	slices.SortFunc(records, func(a, b ringRecord) int { return cmp.Compare(a.number, b.number) })
	started := make([]bool, len(r.cores))
	for i, record := range records {
		if r.circular && r.lost > 0 && !started[record.core] {
			started[record.core] = true
			if i > 0 {
				fmt.Fprintf(w, "##### CPU %d buffer started ####\n", record.core)
			}
		}
		w.Write(record.line)
	}
}
