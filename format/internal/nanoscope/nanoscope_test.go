package nanoscope_test

import (
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/kind"
	"artifice/format/internal/nanoscope"
)

func TestNanoscope(t *testing.T) {
	file := "1000:void a.B.m(int)\n2000:+custom name\n2500:POP\n3000:POP\n4000:POP\n"
	formattest.Check(t, "nanoscope", formattest.Read(t, file, "nanoscope", kind.Config{}), "0 main >a.B.m, 1 main >custom name, 1.5 main <custom name, 2 main <a.B.m, 3 main <(unknown)")
}

const small = "1:a.B.m\n2:POP\n3:+x y\n4:POP\n"

func FuzzNanoscope(f *testing.F) { formattest.Fuzz(f, nanoscope.Format, small) }

func TestCut(t *testing.T) { formattest.Cut(t, nanoscope.Format, true, small) }
