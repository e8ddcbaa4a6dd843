package stackdump_test

import (
	"fmt"
	"io"
	"log"
	"strings"

	"artifice/format/internal/jvm"
	"artifice/format/internal/stackdump"
)

// A Reader reads the dumps in a file or a log, one after the other.
func ExampleReader() {
	const jstack = `2025-12-22 16:10:17
Full thread dump OpenJDK 64-Bit Server VM (17.0.9+9 mixed mode):

"main" #1 prio=5 os_prio=0 cpu=52.11ms elapsed=3.20s tid=0x00007f4c nid=0x1a2b runnable  [0x00007f4c]
   java.lang.Thread.State: RUNNABLE
	at app.Feed.bind(Feed.java:12)
	at app.Main.main(Main.java:3)

JNI global refs: 11, weak refs: 0
`
	frames := stackdump.NewFrames()
	r, err := stackdump.NewReader(strings.NewReader(jstack), "app.log", stackdump.ReaderConfig{Format: jvm.Format.Dumps, Frames: frames})
	if err != nil {
		log.Fatal(err)
	}
	for {
		dump, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		for _, t := range dump.Threads {
			fmt.Println(t.Name, t.CPU)
			for _, id := range t.Stack {
				f := frames.Frame(id)
				fmt.Printf("  %s.%s:%d\n", f.Class, f.Method, f.Line)
			}
		}
	}
	// Output:
	// main 52.11ms
	//   app.Feed.bind:12
	//   app.Main.main:3
}
