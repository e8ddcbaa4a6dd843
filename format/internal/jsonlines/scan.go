package jsonlines

import "artifice/internal/jsonread"

// scan reads a line that is an object of known members in their usual form, each at most once. For
// other lines it returns false, and the content of s is undefined.
func (s *sample) scan(line []byte) bool {
	*s = sample{frames: s.frames[:0]}
	in := jsonread.NewScanner(line)
	for more := in.Open('{', '}'); more; more = in.More('}') {
		key := in.Str()
		in.Expect(':')
		s.member(&in, key)
	}
	return in.Done() && !in.Bad
}

// member reads the value of a key.
func (s *sample) member(in *jsonread.Scanner, key []byte) {
	bit := 0
	switch string(key) { // does not allocate
	case "time_us":
		bit, s.time, s.hasTime = 1, fromMicroseconds(in.Number()), true
	case "cpu_us":
		bit, s.cpu, s.hasCPU = 2, fromMicroseconds(in.Number()), true
	case "pid":
		bit, s.pid = 4, in.Number()
	case "tid":
		bit, s.tid = 8, in.Number()
	case "thread":
		bit, s.thread = 16, in.Str()
	case "partial":
		bit, s.partial = 32, in.Bool()
	case "stopped_us":
		bit, s.stopped = 128, fromMicroseconds(in.Number())
	case "frames":
		bit, s.frames, s.hasFrames = 64, in.Strs(s.frames), true
	}
	if bit == 0 || s.seen&bit != 0 {
		in.Bad = true
	}
	s.seen |= bit
}
