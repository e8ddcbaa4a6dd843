package seen

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// Odd is a small file with an unusual property that readers or writers may mishandle.
type Odd struct {
	Name  string
	Bytes []byte
}

// The method of an odd file by its number, and the threads of all of them.
var oddMethods = []string{
	"a.A\tmain", "a.B\twork", "a.B\tidle", "ä.Ünï\tcode名字\U0001F600", `a;b.C"` + "\t" + `m;n'"\`, "a.D\t<init>", "a.E\tlambda$x$0 (copy)",
}

const oddThreads = "7\tmain\n8\tWorker #1 ä\n9\t;a \"quoted\" one\n"

// The records of an odd file: thread, method (negative for an exit, ^method), us.
type oddRecord struct{ thread, method, us int }

var oddRecords = []struct {
	name, clock string
	records     []oddRecord
}{
	{"empty", "dual", nil},
	{"one-event", "dual", []oddRecord{{7, 0, 10}}},
	{"one-exit", "dual", []oddRecord{{7, ^0, 10}}},
	{"names", "dual", []oddRecord{
		{7, 0, 10}, {8, 3, 12}, {7, 4, 20}, {9, 5, 21}, {7, ^4, 30}, {8, ^3, 40}, {7, 6, 41}, {9, ^5, 44}, {7, ^6, 47}, {7, ^0, 50},
	}},
	{"unmatched-exits", "dual", []oddRecord{{7, ^1, 5}, {7, ^0, 8}, {7, 0, 10}, {7, ^0, 20}, {7, ^0, 30}, {7, 1, 40}, {7, ^1, 45}}},
	{"open-frames", "dual", []oddRecord{{7, 0, 10}, {7, 1, 20}, {8, 1, 22}, {7, 2, 30}, {8, 2, 34}, {8, ^2, 40}}},
	{"zero-durations", "dual", []oddRecord{
		{7, 0, 10}, {7, 1, 20}, {7, ^1, 20}, {7, 1, 20}, {7, ^1, 20}, {7, 1, 20}, {7, 2, 20}, {7, ^2, 20}, {7, ^1, 20}, {7, 2, 30}, {7, ^2, 30}, {7, ^0, 50},
	}},
	{"equal-times", "dual", []oddRecord{
		{7, 0, 10}, {7, 1, 10}, {7, 2, 10}, {8, 0, 10}, {8, ^0, 10}, {7, ^2, 15}, {7, ^1, 15}, {7, 1, 15}, {7, 2, 15}, {7, ^2, 20}, {7, ^1, 20}, {7, ^0, 20}, {7, 0, 20}, {7, ^0, 30},
	}},
	{"recursion", "dual", []oddRecord{{7, 1, 10}, {7, 1, 20}, {7, 1, 30}, {7, ^1, 40}, {7, 1, 50}, {7, ^1, 60}, {7, ^1, 70}, {7, ^1, 80}}},
	{"cpu-back", "dual", []oddRecord{{7, 0, 10}, {7, 1, 20}, {7, ^1, 40}, {7, 2, 50}, {7, ^2, 70}, {7, ^0, 90}}},
	{"cpu-only", "thread-cpu", []oddRecord{{7, 0, 10}, {7, 1, 20}, {8, 2, 5}, {7, ^1, 40}, {8, ^2, 50}, {7, ^0, 90}}},
	{"wall-only", "wall", []oddRecord{{7, 0, 10}, {7, 1, 20}, {8, 2, 25}, {7, ^1, 40}, {8, ^2, 50}, {7, ^0, 90}}},
}

// oddCPU contains the CPU times that are not half the wall times: by file and wall time.
var oddCPU = map[string]map[int]int{"cpu-back": {40: 4, 50: 20}}

// Odds returns the odd files, in the classic form of ART.
func Odds() []Odd {
	var files []Odd
	for _, o := range oddRecords {
		version := 3
		if o.clock != "dual" {
			version = 2
		}
		var text strings.Builder
		fmt.Fprintf(&text, "*version\n%d\ndata-file-overflow=false\nclock=%s\nelapsed-time-usec=100\nnum-method-calls=%d\nvm=art\npid=7\n*threads\n%s*methods\n",
			version, o.clock, len(o.records), oddThreads)
		for i, method := range oddMethods {
			fmt.Fprintf(&text, "%#x\t%s\t()V\tA.java\n", 4*(i+1), method)
		}
		text.WriteString("*end\n")
		b := binary.LittleEndian.AppendUint16([]byte(text.String()+"SLOW"), uint16(version))
		b = binary.LittleEndian.AppendUint16(b, 32)
		b = binary.LittleEndian.AppendUint64(b, 1_000_000)
		b = binary.LittleEndian.AppendUint16(b, uint16(map[string]int{"dual": 14}[o.clock]))
		b = append(b, make([]byte, 14)...)
		for _, r := range o.records {
			cpu, given := oddCPU[o.name][r.us]
			if !given {
				cpu = r.us / 2
			}
			b = appendRecord(b, r, o.clock, cpu)
		}
		files = append(files, Odd{o.name, b})
	}
	return files
}

func appendRecord(b []byte, r oddRecord, clock string, cpu int) []byte {
	method, action := r.method, 0
	if method < 0 {
		method, action = ^method, 1
	}
	b = binary.LittleEndian.AppendUint16(b, uint16(r.thread))
	b = binary.LittleEndian.AppendUint32(b, uint32(4*(method+1)+action))
	if clock == "dual" {
		b = binary.LittleEndian.AppendUint32(b, uint32(cpu))
	}
	return binary.LittleEndian.AppendUint32(b, uint32(r.us))
}
