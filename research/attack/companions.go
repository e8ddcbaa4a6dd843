package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// companionClasses are workloads, devices and dictionaries.
var companionClasses = []class{
	plain("yaml-nested", ".yaml", workloadFile, yamlNested),
	plain("yaml-methods", ".yaml", workloadFile, yamlMethods),
	plain("yaml-calls", ".yaml", workloadFile, yamlCalls),
	plain("yaml-aliases", ".yaml", workloadFile, yamlAliases),
	plain("yaml-values", ".yaml", workloadFile, yamlValues),
	plain("device-values", ".yaml", deviceFile, deviceValues),
	plain("device-lists", ".yaml", deviceFile, deviceLists),
	plain("device-nested", ".yaml", deviceFile, yamlNested),
	plain("mapping-members", ".txt", mappingFile, mappingMembers),
	plain("mapping-classes", ".txt", mappingFile, mappingClasses),
	plain("mapping-separators", ".txt", mappingFile, mappingSeparators),
	plain("names-lines", ".txt", namesFile, namesLines),
	plain("names-separators", ".txt", namesFile, namesSeparators),
}

// yamlNested has values below thousands of brackets, or of lines indented further and further.
func yamlNested(r *rand.Rand, size int) []byte {
	open := pick(r, "[", "{a: ", "- ", "? ", "- [", "&a [", "!t [", "\"", "'", "|\n ", ">\n ", "#", "\t", " ", "- - ", "%", "---\n")
	if r.IntN(3) == 0 {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			b.WriteString(strings.Repeat(" ", i) + "a:\n")
		}
		return []byte("name: x\nmethods:\n" + b.String())
	}
	return []byte("name: x\nmethods: " + strings.Repeat(open, size/len(open)) + "\n")
}

// yamlMethods has many methods or threads.
func yamlMethods(r *rand.Rand, size int) []byte {
	var b strings.Builder
	b.WriteString("name: x\nduration: 100ms\nmethods:\n  a.A.f()V: {do: [{self: 1ms}]}\n")
	n := pick(r, 10, size/60)
	for i := range n {
		fmt.Fprintf(&b, "  a.A.m%d()V: {do: [{self: exp %dus}, {call: a.A.f}]}\n", i, i%1000+1)
	}
	b.WriteString("threads:\n")
	for i := 0; i == 0 || b.Len() < size; i++ {
		fmt.Fprintf(&b, "  - {name: t%d, do: [{call: a.A.m%d}]}\n", i, i%n)
	}
	return []byte(b.String())
}

// yamlCalls has call counts that double from method to method, cycles, and steps that repeat often.
func yamlCalls(r *rand.Rand, size int) []byte {
	var b strings.Builder
	b.WriteString("name: x\nduration: 100ms\nmethods:\n")
	n := pick(r, 10, 40, size/60)
	for i := range n {
		step := pick(r, "{call: a.A.m%[1]d}, {call: a.A.m%[1]d}", "{loop: 1000000000, do: [{call: a.A.m%[1]d}]}", "{loop: forever, do: [{call: a.A.m%[1]d}]}", "{prob: 0.999, call: a.A.m%[1]d}", "{call: a.A.m%[1]d}")
		fmt.Fprintf(&b, "  a.A.m%d()V: {do: [%s]}\n", i, fmt.Sprintf(step, pick(r, i+1, i+1, i+1, r.IntN(n))))
	}
	fmt.Fprintf(&b, "  a.A.m%d()V: {do: [{self: %s}]}\nthreads:\n  - {name: main, do: [{call: a.A.m0}]}\n", n, pick(r, "1us", "0s", "1ns", "1h"))
	return []byte(b.String())
}

// yamlAliases has aliases that expand exponentially.
func yamlAliases(r *rand.Rand, size int) []byte {
	var b strings.Builder
	b.WriteString("name: x\nx0: &x0 [a, a, a, a, a, a, a, a, a]\n")
	for i := 1; i < 30 && b.Len() < size; i++ {
		fmt.Fprintf(&b, "x%d: &x%d [%s*x%d]\n", i, i, strings.Repeat(fmt.Sprintf("*x%d, ", i-1), 1+r.IntN(9)), i-1)
	}
	b.WriteString("methods: *x9\nthreads: {<<: *x9}\n")
	return []byte(b.String())
}

// yamlValues has values of odd types and at the edges.
func yamlValues(r *rand.Rand, size int) []byte {
	length := pick(r, 20, 1000, size/2)
	value := func() string {
		switch r.IntN(4) {
		case 0:
			return number(r, length) + pick(r, "ns", "", "us")
		case 1:
			if r.IntN(10) == 0 {
				return `"` + long(r, length) + `"`
			}
		}
		return pick(r, "1ms", "0", "-1ms", "exp 1ms", "uniform 2ms..1ms", "lognormal 1us 99", "pareto 1us 0.01", "~", "[]", "{}", "yes", "forever")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "name: x\nduration: %s\ncores: %s\nmethods:\n", pick(r, "100ms", value()), value())
	for i := 0; i == 0 || b.Len() < size; i++ {
		fmt.Fprintf(&b, "  a.A.m%d()V: {%s: %s, do: [{self: %s}, {%s: %s, do: [{self: %s}]}]}\n", i, pick(r, "flags", "wait", "line", "x"), value(), value(), pick(r, "loop", "prob", "until_next", "lock", "put", "take"), value(), value())
	}
	fmt.Fprintf(&b, "threads:\n  - {name: main, count: %s, do: [{call: a.A.m0}]}\n", value())
	return []byte(b.String())
}

// deviceValues has figures at the edges.
func deviceValues(r *rand.Rand, size int) []byte {
	var b strings.Builder
	b.WriteString("name: x\nsampling:\n")
	for _, key := range []string{"overshoot", "overshoot-spread", "per-tick", "per-thread", "per-frame", "resume", "clock-overhead", "granularity", "no-core", "no-core-most"} {
		if r.IntN(2) == 0 {
			fmt.Fprintf(&b, "  %s: %s\n", key, pick(r, "1us", "1s", "0s", "1ns", "0.999", number(r, size/2), number(r, 10)+"us"))
		}
	}
	b.WriteString("instrumented:\n")
	for _, key := range []string{"cpu-read", "wall-read", "hook", "compiled", "code", "interpreted"} {
		fmt.Fprintf(&b, "  %s: %s\n", key, pick(r, "1us", "1s", "0s", "999ms", number(r, 10)+"ns"))
	}
	return []byte(b.String())
}

// deviceLists has distributions of many quantiles, or many origins.
func deviceLists(r *rand.Rand, size int) []byte {
	var b strings.Builder
	b.WriteString("name: x\nsampling:\n  overshoot-quantiles: [1ns")
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, ", %dns", pick(r, int64(i), int64(i), int64(i), r.Int64N(1e9)))
	}
	b.WriteString("]\n")
	return []byte(b.String())
}

// mappingMembers has a class with many members, inlined frames and line ranges at the edges.
func mappingMembers(r *rand.Rand, size int) []byte {
	var b strings.Builder
	b.WriteString("com.shop.Cart -> a.A:\n")
	same := r.IntN(2) == 0
	for i := 0; b.Len() < size; i++ {
		name := i
		if same {
			name = 0
		}
		fmt.Fprintf(&b, "    %d:%d:void g%d():%d:%d -> f%s\n", pick(r, int64(i), extreme(r)), pick(r, int64(i), extreme(r)), i, pick(r, int64(i), extreme(r)), i, strings.Repeat("x", name%9))
	}
	return []byte(b.String())
}

// mappingClasses returns a mapping of many classes, or of names that map to each other.
func mappingClasses(r *rand.Rand, size int) []byte {
	var b strings.Builder
	n := pick(r, 2, size)
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "a.A%d -> a.A%d:\n    a.A%d f(a.A%d[]) -> f\n", i%n, (i+1)%n, i, i)
	}
	return []byte(b.String())
}

// mappingSeparators repeats a separator.
func mappingSeparators(r *rand.Rand, size int) []byte {
	run := strings.Repeat(pick(r, separators...), size)[:size]
	return []byte("com.shop.Cart -> a.A:\n    1:4:int sum(" + pick(r, run, "int") + ")" + pick(r, run, ":20:23") + " -> f\n" + pick(r, run, "") + "\n# {" + pick(r, run, "") + "}\n")
}

// namesLines has many lines with numbers at the edges and long names.
func namesLines(r *rand.Rand, size int) []byte {
	var b strings.Builder
	length := pick(r, 4, 1000, size/2)
	for i := 0; i == 0 || b.Len() < size; i++ {
		fmt.Fprintf(&b, "%d,%d,com.example.%s run (%s)V\n", pick(r, int64(i), extreme(r)), extreme(r), long(r, length), strings.Repeat("[", r.IntN(9)))
	}
	return []byte(b.String())
}

// namesSeparators repeats a separator.
func namesSeparators(r *rand.Rand, size int) []byte {
	run := strings.Repeat(pick(r, separators...), size)[:size]
	return []byte("4,1,com.example.A run ()V\n" + pick(r, run, "5,1,"+run, "5,1,a.B f ("+run))
}
