// Package decimal appends numbers as decimal text. Files of events are mostly such
// numbers, and writing three digits at a time takes about half as long as
// [strconv.AppendInt]; BenchmarkAppendInt compares the two.
package decimal

import "fmt"

// groups has the three digits of each number below 1000, and in front of them how many
// leading zeros these have: at most two, as 0 is one digit.
var groups = func() (g [1000][4]byte) {
	for i := range g {
		copy(g[i][1:], fmt.Sprintf("%03d", i))
		switch {
		case i < 10:
			g[i][0] = 2
		case i < 100:
			g[i][0] = 1
		}
	}
	return g
}()

// AppendInt appends v.
func AppendInt(b []byte, v int64) []byte {
	if v < 0 {
		return AppendUint(append(b, '-'), -uint64(v))
	}
	return AppendUint(b, uint64(v))
}

// AppendUint appends v.
func AppendUint(b []byte, v uint64) []byte {
	if v < 1000 {
		group := &groups[v]
		return append(b, group[1+group[0]:]...)
	}
	return append(AppendUint(b, v/1000), groups[v%1000][1:]...)
}

// AppendMillionths appends the six digits of a number of millionths below 1,000,000.
func AppendMillionths(b []byte, v uint32) []byte {
	b = append(b, groups[v/1000][1:]...)
	return append(b, groups[v%1000][1:]...)
}

// AppendThousandths appends the three digits of a number of thousandths below 1000.
func AppendThousandths(b []byte, v uint32) []byte { return append(b, groups[v][1:]...) }
