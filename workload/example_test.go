package workload_test

import (
	"fmt"
	"log"
	"strings"
	"time"

	"artifice/trace"
	"artifice/workload"
)

// An app is a few lines of YAML. Its truth has every call with its exact times.
func ExampleReadYAML() {
	app, err := workload.ReadYAML(strings.NewReader(`
name: ticker
methods:
  app.Main.run()V: {}
  app.Main.tick()V:
    do: [{self: 2ms}]
threads:
  - name: main
    stack: [app.Main.run()V]
    do:
      - loop: forever
        do: [{self: 8ms}, {call: app.Main.tick}]
`), "ticker.yaml")
	if err != nil {
		log.Fatal(err)
	}
	truth, err := app.Truth(workload.Config{Duration: 25 * time.Millisecond})
	if err != nil {
		log.Fatal(err)
	}
	for e, err := range trace.All(truth.Events) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Wall, e.Action, truth.Symbols.Method(e.Method).Name)
	}
	// Output:
	// 0s enter run
	// 8ms enter tick
	// 10ms exit tick
	// 18ms enter tick
	// 20ms exit tick

}

// A tree is a handwritten trace of a few calls. Each line is an enter or an exit, at a time in µs.
// A ! marks a method that an exception leaves.
func ExampleReadTree() {
	rec, err := workload.ReadTree(strings.NewReader(`
@thread 1 main
0 1 app.Main.main ()V
50 1  app.Parser.parse (I)I
80 1  !app.Parser.parse (I)I
90 1 app.Main.main ()V
`), "calls.tree")
	if err != nil {
		log.Fatal(err)
	}
	for e, err := range trace.All(rec.Events) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Wall, e.Action, rec.Symbols.Method(e.Method).Name)
	}
	// Output:
	// 0s enter main
	// 50µs enter parse
	// 80µs unwind parse
	// 90µs exit main

}
