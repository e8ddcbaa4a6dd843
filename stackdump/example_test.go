package stackdump_test

import (
	"fmt"
	"io"
	"log"
	"strings"

	"artifice/stackdump"
	"artifice/trace"
)

const twoDumps = `{"time_us":0,"thread":"main","frames":["app.Db.query(Db.java:80)","app.Main.main(Main.java:7)"]}
{"time_us":10000,"thread":"main","frames":["app.Net.send(Net.java:12)","app.Main.main(Main.java:9)"]}
`

// Dumps as the trace that ART's sampler would have made of them.
func ExampleNew() {
	s, err := stackdump.New(strings.NewReader(twoDumps), "dumps.jsonl", stackdump.Config{})
	if err != nil {
		log.Fatal(err)
	}
	for e, err := range trace.All(s.Events) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Wall, e.Action, s.Symbols.Method(e.Method))
	}
	// Output:
	// 0s enter app.Main.main
	// 0s enter app.Db.query
	// 10ms exit app.Db.query
	// 10ms enter app.Net.send
}

// Dumps as they are.
func ExampleReader() {
	r, err := stackdump.NewReader(strings.NewReader(twoDumps), "dumps.jsonl", stackdump.ReaderConfig{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("format", r.Format())
	for {
		d, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		for _, t := range d.Threads {
			f := r.Frames().Frame(t.Stack[0])
			fmt.Printf("line %d: %s is in %s.%s at %s:%d\n", d.Line, t.Name, f.Class, f.Method, f.File, f.Line)
		}
	}
	fmt.Println(r.Frames().Len(), "different frames,", len(r.Warnings()), "warnings")
	// Output:
	// format jsonl
	// line 1: main is in app.Db.query at Db.java:80
	// line 2: main is in app.Net.send at Net.java:12
	// 4 different frames, 0 warnings
}
