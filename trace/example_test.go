package trace_test

import (
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"artifice/format/text"
	"artifice/trace"
)

// twoCalls is a trace in the text format: main calls work.
const twoCalls = `# artifice text trace
info	clock	dual
thread	1	main
method	0x4	app.Main	main	()V	Main.java	3
method	0x8	app.Main	work	(I)I	Main.java	9
1000000 900000 1 enter app.Main.main()V
2000000 1800000 1 enter app.Main.work(I)I
7000000 6500000 1 exit app.Main.work(I)I
8000000 7400000 1 exit app.Main.main()V
`

// Events refer to threads and methods by index; the recording's symbols resolve them.
func ExampleAll() {
	rec, err := text.NewReader(strings.NewReader(twoCalls), "calls.txt")
	if err != nil {
		log.Fatal(err)
	}
	for e, err := range trace.All(rec.Events) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Wall, rec.Symbols.Thread(e.Thread).Name, e.Action, rec.Symbols.Method(e.Method).Name)
	}
	// Output:
	// 1ms main enter main
	// 2ms main enter work
	// 7ms main exit work
	// 8ms main exit main
}

// A Stack returns at an exit the value stored at the matching enter. Here the value is the entry
// time, which gives the duration of each call.
func ExampleStack() {
	rec, err := text.NewReader(strings.NewReader(twoCalls), "calls.txt")
	if err != nil {
		log.Fatal(err)
	}
	var stack trace.Stack[time.Duration] // the trace has one thread
	for e, err := range trace.All(rec.Events) {
		if err != nil {
			log.Fatal(err)
		}
		if call, effect := stack.Apply(&e, e.Wall); effect.Closes() {
			fmt.Println(rec.Symbols.Method(call.Method).Name, e.Wall-call.Value)
		}
	}
	// Output:
	// work 5ms
	// main 7ms
}

// A trace can be built in memory. Copy writes it to any Writer.
func ExampleCopy() {
	symbols := &trace.Symbols{}
	main, err := symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
	if err != nil {
		log.Fatal(err)
	}
	run := symbols.AddMethod(trace.Method{ID: 4, Class: "app.Main", Name: "run", Signature: "()V"})
	rec := &trace.Recording{
		Info:    trace.Info{Clock: trace.Wall, Events: -1},
		Symbols: symbols,
		Events: trace.NewSliceReader([]trace.Event{
			{Thread: main, Method: run, Action: trace.Enter, Wall: 1 * time.Millisecond},
			{Thread: main, Method: run, Action: trace.Exit, Wall: 3 * time.Millisecond},
		}),
	}
	w := text.NewWriter(os.Stdout, rec)
	if _, err := trace.Copy(w, rec.Events); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// # artifice text trace
	// info	clock	wall
	// thread	1	main
	// method	0x4	app.Main	run	()V		-1
	// 1000000 - 1 enter app.Main.run()V
	// 3000000 - 1 exit app.Main.run()V
}
