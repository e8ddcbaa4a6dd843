//go:build !js

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"artifice/view/internal/lab"
)

// main answers requests from standard input, each an object of JSON, on standard output.
func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	engine := lab.Engine{Version: "lab"}
	requests, answers := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var r lab.Request
		if err := requests.Decode(&r); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			fmt.Fprintln(os.Stderr, "artifice-lab: a request is no JSON:", err)
			os.Exit(1)
		}
		a, err := engine.Do(ctx, &r)
		text := ""
		if err != nil {
			text = err.Error()
		}
		answers.Encode(struct {
			Error string `json:"error,omitempty"`
			Value any    `json:"value"`
			Bytes []byte `json:"bytes"`
		}{text, a.Value, a.Bytes})
	}
}
