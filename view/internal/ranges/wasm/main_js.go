package main

import (
	"bytes"
	"context"

	"artifice/view/internal/inpage"
)

// recordingFile is the file in which the page's script stores the recording.
const recordingFile = "recording"

// main waits for the page's requests.
func main() {
	new(inpage.Worker).Serve(func(_ context.Context, question string) (string, []byte, error) {
		var rows bytes.Buffer
		err := answer(&rows, recordingFile, question)
		return rows.String(), nil, err
	})
}
