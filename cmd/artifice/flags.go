package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// sizeValue is a flag with a size in bytes: 4096, 64KiB, 8MiB, 1GiB.
type sizeValue int64

func (s *sizeValue) String() string {
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

func (s *sizeValue) Set(text string) error {
	number, unit := text, int64(1)
	for _, u := range sizeUnits {
		if rest, ok := strings.CutSuffix(text, u.suffix); ok {
			number, unit = rest, u.bytes
			break
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return fmt.Errorf("%q is no size; write 4096, 64KiB, 8MiB or 1GiB", text)
	}
	*s = sizeValue(n * unit)
	return nil
}

func (s *sizeValue) Type() string { return "size" }

// microsValue is a flag with an interval in whole microseconds, as Android's
// "am profile start --sampling" takes it. It sets a duration.
type microsValue struct{ d *time.Duration }

func (m microsValue) String() string {
	if m.d == nil {
		return ""
	}
	return strconv.FormatInt(m.d.Microseconds(), 10)
}

func (m microsValue) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > math.MaxInt64/1000 {
		return fmt.Errorf("%q is no interval in microseconds; write 1000 for 1ms", text)
	}
	*m.d = time.Duration(n) * time.Microsecond
	return nil
}

func (m microsValue) Type() string { return "us" }
