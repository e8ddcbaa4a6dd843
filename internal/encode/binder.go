package encode

import (
	"fmt"

	"artifice/trace"
)

// Transaction is a message of Binder, with which a thread calls another process or is answered.
type Transaction struct {
	ID     uint32
	Reply  bool // the other process answers
	Server uint32
	Thread uint32 // of the server, that takes the call
}

// Binder makes transactions of the calls that wait for another process ([trace.Binder]): one when such a call begins
// and the reply when it ends. Of the other process only what they name is emulated: it has a thread for
// each thread of the app. A transaction is received when it is sent.
type Binder struct {
	last   uint32 // ID
	server uint32 // process id; 0: not chosen yet
}

// Of returns the transaction that an event is. It is no other thing than a begin or an end of a call.
func (b *Binder) Of(symbols *trace.Symbols, e *trace.Event) (t Transaction, ok bool) {
	if symbols.Method(e.Method).Wait != trace.Binder {
		return t, false
	}
	b.last++
	server := b.process(symbols)
	return Transaction{ID: b.last, Reply: e.Action != trace.Enter, Server: server, Thread: server + 1 + uint32(e.Thread)}, true
}

// process returns the id of the other process, which is such that its threads have none of the app's.
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

// ThreadName returns the name of the server's thread that takes part, as libbinder numbers its threads.
func (t *Transaction) ThreadName() string {
	return fmt.Sprintf("binder:%d_%X", t.Server, t.Thread-t.Server)
}
