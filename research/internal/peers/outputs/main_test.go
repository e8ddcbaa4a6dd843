package outputs_test

import (
	"os"
	"testing"

	"artifice/research/internal/peers/outputs"
)

func TestMain(m *testing.M) {
	status := m.Run()
	outputs.Remove()
	os.Exit(status)
}
