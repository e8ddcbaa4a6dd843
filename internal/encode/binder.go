package encode

import (
	"fmt"

	"artifice/trace"
)

// Transaction is a Binder message: a thread calls another process, or receives its reply.
type Transaction struct {
	ID     uint32
	Reply  bool // the reply of the other process
	Server uint32
	Thread uint32 // of the server: the thread that handles the call
}

// Binder converts calls that wait for another process ([trace.Binder]) to transactions: one when
// such a call begins, and the reply when it ends. The other process is emulated only as far as
// transactions name it: it has one thread for each thread of the app. A transaction is received
// when it is sent.
type Binder struct {
	last   uint32 // ID
	server uint32 // process id; 0: not yet chosen
}

// Of returns the transaction of an event, which must be the beginning or the end of a call.
func (b *Binder) Of(symbols *trace.Symbols, e *trace.Event) (t Transaction, ok bool) {
	if symbols.Method(e.Method).Wait != trace.Binder {
		return t, false
	}
	b.last++
	server := b.process(symbols)
	return Transaction{ID: b.last, Reply: e.Action != trace.Enter, Server: server, Thread: server + 1 + uint32(e.Thread)}, true
}

// process returns the id of the other process. No thread of the app has the ids of its threads.
func (b *Binder) process(symbols *trace.Symbols) uint32 {
	const first, step = 1000, 10_000
	if b.server != 0 {
		return b.server
	}
	b.server = first
	for i := 0; i < len(symbols.Threads); i++ {
		if tid := symbols.Threads[i].TID; b.server <= tid && tid < b.server+step {
			b.server, i = b.server+step, -1
		}
	}
	return b.server
}

// ThreadName returns the name of the server's thread, numbered like the threads of libbinder.
func (t *Transaction) ThreadName() string {
	return fmt.Sprintf("binder:%d_%X", t.Server, t.Thread-t.Server)
}
