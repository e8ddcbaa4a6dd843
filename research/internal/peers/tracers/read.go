package tracers

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"artifice/research/internal/peers/seen"
)

// Reader returns the contents of a file of samples of CPU time, counted without the product's code.
type Reader func(file []byte) (*Contents, error)

// Contents are those of samples of CPU time.
type Contents struct {
	seen.Trace
	Strict []seen.Event // the events if no sample was late
}

// contents returns the contents of samples, in any order, of threads by number.
func contents(samples []Sample, threads map[int]string) (*Contents, error) {
	if len(samples) == 0 {
		return nil, errors.New("the file has no sample")
	}
	slices.SortStableFunc(samples, func(a, b Sample) int { return cmp.Compare(a.At, b.At) })
	start := samples[0].At
	var weights []time.Duration
	for i := range samples {
		samples[i].At -= start
		weights = append(weights, samples[i].Weight)
	}
	weights = weights[:min(len(weights), 4096)] // the product learns from the first 4096
	slices.Sort(weights)
	interval := weights[len(weights)/2]
	held := &Contents{Trace: *Running(samples, interval, jitter), Strict: Running(samples, interval, 0).Events}
	held.Threads = threads
	return held, nil
}

var (
	perfSample = regexp.MustCompile(`^(\S.*?)\s+(\d+) \[\d+\] (\d+)\.(\d{6}): `)
	perfFrame  = regexp.MustCompile(`^\s+[0-9a-f]+ (.*) \((.*)\)$`)
	perfRate   = regexp.MustCompile(`# cmdline : .* -F (\d+) `)
	perfMap    = regexp.MustCompile(`perf-\d+\.map$`)
)

// ReadPerf reads the text of perf script of a recording with -F. A sample weighs the period of the
// frequency.
func ReadPerf(file []byte) (*Contents, error) {
	rate := perfRate.FindSubmatch(file)
	if rate == nil {
		return nil, errors.New("the file states no frequency")
	}
	perSecond, err := strconv.Atoi(string(rate[1]))
	if err != nil {
		return nil, err
	}
	var samples []Sample
	threads := make(map[int]string)
	for line := range strings.Lines(string(file)) {
		line = strings.TrimSuffix(line, "\n")
		if m := perfSample.FindStringSubmatch(line); m != nil {
			tid, _ := strconv.Atoi(m[2])
			seconds, _ := strconv.Atoi(m[3])
			micros, _ := strconv.Atoi(m[4])
			threads[tid] = m[1]
			samples = append(samples, Sample{At: time.Duration(seconds)*time.Second + time.Duration(micros)*time.Microsecond, Thread: tid, Weight: time.Second / time.Duration(perSecond)})
		} else if m := perfFrame.FindStringSubmatch(line); m != nil && len(samples) > 0 {
			s := &samples[len(samples)-1]
			s.Frames = append([]string{perfName(m[1], m[2])}, s.Frames...)
		}
	}
	return contents(samples, threads)
}

// perfName returns a function's name as stackcollapse-perf.pl --all prints it.
func perfName(symbol, module string) string {
	if symbol == "[unknown]" && module != "[unknown]" {
		symbol = "[" + path.Base(module) + "]"
	}
	symbol, _, _ = strings.Cut(strings.ReplaceAll(symbol, ";", ":"), "(")
	if strings.HasPrefix(symbol, "L") && strings.Contains(symbol, "/") {
		symbol = symbol[1:]
	}
	switch {
	case strings.HasPrefix(module, "[") && module != "[unknown]":
		return symbol + "_[k]"
	case perfMap.MatchString(module):
		return symbol + "_[j]"
	}
	return symbol
}

// ReadJFR reads what jfr print --json prints. A sample of jdk.ExecutionSample weighs the period of
// 10 ms.
func ReadJFR(file []byte) (*Contents, error) {
	var f struct {
		Recording struct {
			Events []struct {
				Type   string
				Values struct {
					StartTime     time.Time
					SampledThread struct {
						JavaThreadID int
						JavaName     string
					}
					StackTrace struct {
						Frames []struct {
							Method struct {
								Type             struct{ Name string }
								Name, Descriptor string
							}
						}
					}
				}
			}
		}
	}
	if err := json.Unmarshal(file, &f); err != nil {
		return nil, err
	}
	var samples []Sample
	threads := make(map[int]string)
	for _, e := range f.Recording.Events {
		if e.Type != "jdk.ExecutionSample" {
			continue
		}
		v := &e.Values
		threads[v.SampledThread.JavaThreadID] = v.SampledThread.JavaName
		s := Sample{At: time.Duration(v.StartTime.UnixNano()), Thread: v.SampledThread.JavaThreadID, Weight: 10 * time.Millisecond}
		for _, frame := range slices.Backward(v.StackTrace.Frames) {
			class, _, _ := strings.Cut(frame.Method.Type.Name, "+0x") // of a hidden class, its address
			s.Frames = append(s.Frames, class+"."+frame.Method.Name+frame.Method.Descriptor)
		}
		samples = append(samples, s)
	}
	return contents(samples, threads)
}

// ReadSimpleperf reads the records of simpleperf report-sample --protobuf
// (cmd_report_sample.proto). A sample weighs its event_count, in ns.
func ReadSimpleperf(file []byte) (*Contents, error) {
	file = file[len("SIMPLEPERF")+2:] // and the version
	var samples []Sample
	var frames [][][2]uint64 // of each sample: file and symbol
	threads, symbols := make(map[int]string), make(map[uint64][]string)
	for len(file) >= 4 {
		size := binary.LittleEndian.Uint32(file)
		record := file[4 : 4+size]
		file = file[4+size:]
		for _, part := range fieldsOf(record) {
			switch in := fieldsOf(part.body); part.number {
			case 1:
				s := Sample{At: time.Duration(in.get(1)), Thread: int(in.get(2)), Weight: time.Duration(in.get(4))}
				var chain [][2]uint64
				for _, f := range in {
					if f.number == 3 {
						entry := fieldsOf(f.body)
						chain = append(chain, [2]uint64{entry.get(2), entry.get(3)})
					}
				}
				samples, frames = append(samples, s), append(frames, chain)
			case 3:
				for _, f := range in {
					if f.number == 3 {
						symbols[in.get(1)] = append(symbols[in.get(1)], string(f.body))
					}
				}
			case 4:
				for _, f := range in {
					if f.number == 3 {
						threads[int(in.get(1))] = string(f.body)
					}
				}
			}
		}
	}
	for i := range samples {
		for _, f := range slices.Backward(frames[i]) {
			samples[i].Frames = append(samples[i].Frames, symbols[f[0]][f[1]])
		}
	}
	return contents(samples, threads)
}

// fields are those of a message.
type fields []struct {
	number protowire.Number
	value  uint64
	body   []byte
}

// fieldsOf returns the fields of a message up to a malformed one.
func fieldsOf(b []byte) (all fields) {
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return all
		}
		b = b[n:]
		var value uint64
		var body []byte
		switch kind {
		case protowire.VarintType:
			value, n = protowire.ConsumeVarint(b)
		case protowire.BytesType:
			body, n = protowire.ConsumeBytes(b)
		default:
			n = protowire.ConsumeFieldValue(number, kind, b)
		}
		if n < 0 {
			return all
		}
		b = b[n:]
		all = append(all, struct {
			number protowire.Number
			value  uint64
			body   []byte
		}{number, value, body})
	}
	return all
}

// get returns the last integer of a number, 0 without one.
func (f fields) get(number protowire.Number) (value uint64) {
	for _, field := range f {
		if field.number == number {
			value = field.value
		}
	}
	return value
}
