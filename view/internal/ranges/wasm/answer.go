package main

import (
	"io"
	"os"
	"strings"

	"artifice/trace"
	"artifice/trace/calltree"
	"artifice/view/internal/ranges"
)

// answer writes the report of a part of the recording in a file. The request is the end policy,
// "last" or "stop", followed by "?" and the query. Pages query parts only of sampled recordings,
// because they contain all calls of other recordings.
func answer(w io.Writer, file, question string) error {
	policy, query, _ := strings.Cut(question, "?")
	until, err := calltree.ParseEndPolicy(policy)
	if err != nil {
		return err
	}
	q, err := ranges.Parse(query)
	if err != nil {
		return err
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	rec, err := ranges.Unpack(f)
	if err != nil {
		return err
	}
	return q.Write(w, rec, trace.Sampled, until)
}
