package main

// suite is a set of benchmarks of a package.
type suite struct {
	pkg   string
	match string // value of -test.bench
	time  string // value of -test.benchtime
}

var suites = []suite{
	{"format/dmtrace", "^Benchmark(Read|ReadCores|ReadV2|Bytes|InTimeOrder|Write)$", "100ms"},
	{"sampler", "^BenchmarkRun$/^ideal$/^samplers=(1|100)$", "100ms"},
	{"format/pprof", "^Benchmark(Pprof|PprofDistinct)$", "100ms"},
	{"bench", "^BenchmarkSweep$/^samplers=960$", "1x"},
}

// goal is the maximum of a measure: a multiple of another one in the same run, or a number of
// nanoseconds.
type goal struct {
	what    string
	measure string
	of      string  // the other measure
	times   float64 // maximum multiple; 0: no such goal
	ns      float64 // maximum in ns; 0: no such goal
	plus    []term  // added to the maximum
}

// term is a metric on which a goal depends, with its weight in nanoseconds.
type term struct {
	metric string
	ns     float64
}

// bytes is the cost of moving an event's record without parsing it.
const bytes = "format/dmtrace.Bytes"

var goals = []goal{
	{what: "trace to .pb.gz, one core", measure: repeated + oneCore, of: repeated + dumper, times: 1. / 5},
	{what: "trace to .pb.gz, two cores", measure: repeated + twoCores, of: repeated + dumper, times: 1. / 8},
	{what: "the same, as it was before", measure: repeated + before, of: repeated + dumper},
	{what: "Perfetto's import of that trace", measure: repeated + perfetto, of: repeated + dumper},
	{what: "stacks that never repeat to .pb.gz", measure: distinct + twoCores, of: distinct + before, times: 1. / 3},
	{what: "the same, against Perfetto's import", measure: distinct + twoCores, of: distinct + perfetto},
	{what: "read a classic trace", measure: "format/dmtrace.Read", of: bytes, ns: 5},
	{what: "the same from a file, two cores", measure: "format/dmtrace.ReadCores/classic/cores=2", of: "format/dmtrace.ReadCores/classic/cores=1", ns: 2.5},
	{what: "read format V2 of Android 15, two clocks", measure: "format/dmtrace.ReadV2/15,_2_clocks", of: bytes, ns: 15},
	{what: "read format V2 of Android 16, two clocks", measure: "format/dmtrace.ReadV2/16,_2_clocks", of: bytes, ns: 15},
	{what: "read format V2 of Android 17, two clocks", measure: "format/dmtrace.ReadV2/17,_2_clocks", of: bytes, ns: 15},
	{what: "the same, two cores", measure: "format/dmtrace.ReadCores/V2_of_17/cores=2", of: "format/dmtrace.ReadCores/V2_of_17/cores=1", ns: 7.5},
	{what: "time order, a real trace", measure: "format/dmtrace.InTimeOrder/real", of: bytes, ns: 25},
	{what: "time order, 100 threads as it happened", measure: "format/dmtrace.InTimeOrder/100_threads,_as_it_happened", of: bytes, ns: 25},
	{what: "time order, 100 threads in blocks", measure: "format/dmtrace.InTimeOrder/100_threads,_blocks", of: bytes, ns: 25},
	{what: "one sampler", measure: "sampler.Run/ideal/samplers=1", of: bytes, ns: 10},
	{what: "100 samplers", measure: "sampler.Run/ideal/samplers=100", of: "sampler.Run/ideal/samplers=1", times: 3,
		plus: []term{{"sampler.Run/ideal/samplers=100 changed/event", 60}}},
	{what: "sweep of 960 samplers, two cores", measure: "bench.Sweep/samplers=960/cores=2", of: bytes, ns: 1000},
	{what: "the same, two cores against one", measure: "bench.Sweep/samplers=960/cores=2", of: "bench.Sweep/samplers=960/cores=1", times: 1 / 1.9},
	{what: "write a classic trace", measure: "format/dmtrace.Write/art", of: "format/dmtrace.Write/bytes", ns: 10},
	{what: "write a streaming trace", measure: "format/dmtrace.Write/art-stream", of: bytes},
	{what: "events to pprof, instrumented", measure: "format/pprof.Pprof/instrumented-art-file.trace", of: bytes},
	{what: "events to pprof, sampled", measure: "format/pprof.Pprof/sampled-art-file.trace", of: bytes},
	{what: "events to pprof, stacks that never repeat", measure: "format/pprof.PprofDistinct", of: bytes},
}
