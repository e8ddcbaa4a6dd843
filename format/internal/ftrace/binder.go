package ftrace

import (
	"fmt"

	"artifice/internal/encode"
	"artifice/trace"
)

// binder writes the kernel's events of a call to another process, at the event that begins or ends
// the call: the transaction that is sent, and its reception. Their text is that of
// drivers/android/binder_trace.h. They are in atrace's category binder_driver.
func (f *file) binder(e *trace.Event) error {
	t, ok := f.calls.Of(f.Rec.Symbols, e)
	if !ok || !f.Takes(encode.BinderCategory) {
		return nil
	}
	task := f.tasks[e.Thread]
	server := fmt.Sprintf("%16s-%-5d (%5d) [%03d] ...1 ", t.ThreadName(), t.Thread, t.Server, task.core)
	sends, receives, process, thread, reply := string(task.text), server, t.Server, uint32(0), 0
	if t.Reply {
		sends, receives, process, thread, reply = receives, sends, f.pid, f.Rec.Symbols.Threads[e.Thread].TID, 1
	}
	now := e.Time(f.Rec.Info.Clock)
	at := f.appendTime(nil, now)
	f.line = fmt.Appendf(f.line[:0], "%s%sbinder_transaction: transaction=%d dest_node=1 dest_proc=%d dest_thread=%d reply=%d flags=0x10 code=0x1\n", sends, at, t.ID, process, thread, reply)
	if err := f.put(task.core, now, sentSize, f.line); err != nil {
		return err
	}
	f.line = fmt.Appendf(f.line[:0], "%s%sbinder_transaction_received: transaction=%d\n", receives, at, t.ID)
	return f.put(task.core, now, receivedSize, f.line)
}
