package main

import (
	"context"
	"encoding/json"
	"syscall/js"

	"artifice/view/internal/inpage"
	"artifice/view/internal/lab"
)

// main waits for the page's requests.
func main() {
	worker := &inpage.Worker{}
	engine := lab.Engine{Version: js.Global().Get("artificeVersion").String(), Worker: worker}
	worker.Serve(func(ctx context.Context, request string) (string, []byte, error) {
		var r lab.Request
		if err := json.Unmarshal([]byte(request), &r); err != nil {
			return "", nil, err
		}
		a, err := engine.Do(ctx, &r)
		if err != nil {
			return "", nil, err
		}
		value, err := json.Marshal(a.Value)
		return string(value), a.Bytes, err
	})
}
