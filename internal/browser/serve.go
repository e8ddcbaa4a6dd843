package browser

import (
	"context"
	"testing"
)

// Serve lets a server serve until the test ends, and fails it where that ends in an error.
func Serve(t *testing.T, s interface{ Serve(context.Context) error }) {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
