package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"artifice/internal/words"
)

// Size is a number of bytes, and the type of flags for sizes: 4096, 64KiB, 8MiB, 1GiB. It
// implements pflag.Value.
type Size int64

// String returns the size as a whole number of the largest possible unit.
func (s *Size) String() string {
	n := int64(*s)
	for _, u := range sizeUnits {
		if n != 0 && n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + u.suffix
		}
	}
	return strconv.FormatInt(n, 10)
}

var sizeUnits = []struct {
	suffix string
	bytes  int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}

// Set reads a size.
func (s *Size) Set(text string) error {
	number, unit := text, int64(1)
	for _, u := range sizeUnits {
		if rest, ok := strings.CutSuffix(text, u.suffix); ok {
			number, unit = rest, u.bytes
			break
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return fmt.Errorf("%s is not a size; write 4096, 64KiB, 8MiB or 1GiB", words.Quote(text))
	}
	*s = Size(n * unit)
	return nil
}

// Type returns the name of the type in help.
func (s *Size) Type() string { return "size" }
