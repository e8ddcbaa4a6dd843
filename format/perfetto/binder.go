package perfetto

import (
	"artifice/trace"
	"artifice/writer"
)

// binder writes what the kernel tells of the call of another process that an event begins or ends: who sends a
// transaction, and that it is received. Perfetto draws slices of them. All are on the first core.
func (p *file) binder(e *trace.Event) error {
	t, ok := p.calls.Of(p.Rec.Symbols, e)
	if !ok || !p.cores.Takes(writer.BinderCategory) {
		return nil
	}
	tid := p.Rec.Symbols.Threads[e.Thread].TID
	sender, receiver, process, thread, reply := tid, t.Thread, t.Server, uint32(0), uint64(0)
	if t.Reply {
		sender, receiver, process, thread, reply = t.Thread, tid, p.pid, tid, 1
	}
	at := e.Time(p.Rec.Info.Clock)
	p.item = p.item[:0]
	for _, field := range []struct {
		number int
		value  uint64
	}{
		{transactionID, uint64(t.ID)}, {transactionNode, 1}, {transactionProcess, uint64(process)},
		{transactionThread, uint64(thread)}, {transactionReply, reply}, {transactionCode, 1}, {transactionFlags, 0x10},
	} {
		p.item.Uint(field.number, field.value)
	}
	p.bundle(0, at, sender, ftraceTransaction)
	p.item = p.item[:0]
	p.item.Uint(transactionID, uint64(t.ID))
	p.bundle(0, at, receiver, ftraceReceived)
	return p.flushFull()
}
