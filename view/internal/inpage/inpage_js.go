package inpage

import (
	"context"
	"fmt"
	"sync"
	"syscall/js"
	"time"
)

const (
	yieldEvery  = 100 * time.Millisecond // maximum time in which the worker receives no message
	reportEvery = 80 * time.Millisecond
)

// Worker answers one request after another.
type Worker struct {
	requests chan request
	reported time.Time

	mu      sync.Mutex
	yielded time.Time
	ctx     context.Context
	cancel  context.CancelFunc // cancels the current request; nil if there is none
}

// request is the text of a request, and the function that receives the response.
type request struct {
	text   string
	answer js.Value
}

// Handler answers a request with JSON, which can be "null", and bytes. It returns early if ctx
// ends.
type Handler func(ctx context.Context, request string) (value string, data []byte, err error)

// Serve answers the page's requests. It does not return.
func (w *Worker) Serve(h Handler) {
	w.requests = make(chan request, 64)
	js.Global().Set("artificeAsk", js.FuncOf(func(_ js.Value, args []js.Value) any {
		w.requests <- request{args[0].String(), args[1]}
		return nil
	}))
	js.Global().Set("artificeStop", js.FuncOf(func(js.Value, []js.Value) any {
		w.stop()
		return nil
	}))
	js.Global().Get("artificeReady").Invoke()
	for a := range w.requests {
		w.answer(a, h)
	}
}

// Report reports the progress of a step to the page, at most once in a short time.
func (w *Worker) Report(step string, done, total float64) {
	if now := time.Now(); now.Sub(w.reported) > reportEvery {
		w.reported = now
		js.Global().Get("artificeProgress").Invoke(step, done, total)
	}
}

func (w *Worker) answer(a request, h Handler) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w.mu.Lock()
	w.ctx, w.cancel = ctx, cancel
	w.mu.Unlock()
	text, data, err := h.do(ctx, a.text)
	w.mu.Lock()
	w.cancel = nil
	w.mu.Unlock()
	if err != nil {
		a.answer.Invoke(err.Error(), js.Null(), js.Null())
		return
	}
	bytes := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(bytes, data)
	a.answer.Invoke(js.Null(), text, bytes)
}

// do answers a request. A panic becomes an error, so that the page continues to work.
func (h Handler) do(ctx context.Context, request string) (answer string, data []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a bug in artifice, please report it: %v", p)
		}
	}()
	return h(ctx, request)
}

func (w *Worker) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cancel != nil {
		w.cancel()
	}
}

// Yield gives the browser the opportunity to deliver the page's messages: the program has a single
// thread, so the worker receives nothing while the program runs. Yield waits for a timer of the
// browser. A sleep in Go would end before the browser could run. The error is the reason why the
// request has to end.
func (w *Worker) Yield() error {
	w.mu.Lock()
	ctx, due := w.ctx, time.Since(w.yielded) > yieldEvery
	w.mu.Unlock()
	if due {
		turn := make(chan struct{})
		f := js.FuncOf(func(js.Value, []js.Value) any { close(turn); return nil })
		js.Global().Call("setTimeout", f, 0)
		<-turn
		f.Release()
		w.mu.Lock()
		w.yielded = time.Now()
		w.mu.Unlock()
	}
	return ctx.Err()
}
