package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
)

// chainClasses are files with a tree of stacks, to which samples refer by number: a few bytes
// represent a deep stack.
var chainClasses = []class{
	plain("cpuprofile-chains", ".cpuprofile", recording, cpuprofileChains),
	plain("firefox-chains", ".json", recording, firefoxChains),
	plain("stackframes-chains", ".json", recording, stackFrameChains),
	plain("devtools-chains", ".json", recording, devtoolsChains),
}

// chains are stacks without a common frame, and their samples.
type chains struct {
	count, depth, samples int
	seen                  func(i int) int // chain of a sample
}

// newChains returns chains for a file of about size bytes, with the given number of bytes for a
// frame and for a sample.
func newChains(r *rand.Rand, size, frame, sample int) chains {
	c := chains{count: pick(r, 1, 2, 16, 1000)}
	part := pick(r, 1, 2, 9) // of ten, for samples
	c.samples = max(size*part/10/sample, 2)
	c.depth = max(size*(10-part)/10/frame/c.count, 1)
	c.seen = func(i int) int { return i % c.count }
	if r.IntN(2) == 0 {
		c.seen = func(i int) int { return i / 100 % c.count }
	}
	return c
}

func cpuprofileChains(r *rand.Rand, size int) []byte {
	c := newChains(r, size, 90, 10)
	var b bytes.Buffer
	b.WriteString(`{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[`)
	for i := range c.count {
		fmt.Fprintf(&b, "%s%d", comma(i), 2+i*c.depth)
	}
	b.WriteString("]}")
	for i := range c.count * c.depth {
		fmt.Fprintf(&b, `,{"id":%d,"callFrame":{"functionName":"f%d","url":"a.js","lineNumber":1}`, 2+i, i/c.depth)
		if (i+1)%c.depth != 0 {
			fmt.Fprintf(&b, `,"children":[%d]`, 3+i)
		}
		b.WriteByte('}')
	}
	fmt.Fprintf(&b, `],"startTime":0,"endTime":%d,"samples":[`, c.samples*1000)
	for i := range c.samples {
		fmt.Fprintf(&b, "%s%d", comma(i), 1+(c.seen(i)+1)*c.depth)
	}
	fmt.Fprintf(&b, `],"timeDeltas":[0%s]}`, strings.Repeat(",1000", c.samples-1))
	return b.Bytes()
}

// firefoxChains makes a processed profile. Some of the entries of its table of stacks have a category:
// one without is in that of its caller.
func firefoxChains(r *rand.Rand, size int) []byte {
	c := newChains(r, size, 15, 14)
	frames := c.count * c.depth
	categories := pick(r, 1, 2, 1000, frames)
	var prefix, frame, category, stack, times bytes.Buffer
	for i := range frames {
		if i%categories == 0 {
			fmt.Fprintf(&category, "%s%d", comma(i), i%2)
		} else {
			fmt.Fprintf(&category, "%snull", comma(i))
		}
		if i%c.depth == 0 {
			fmt.Fprintf(&prefix, "%snull", comma(i))
		} else {
			fmt.Fprintf(&prefix, "%s%d", comma(i), i-1)
		}
		fmt.Fprintf(&frame, "%s%d", comma(i), i/c.depth)
	}
	for i := range c.samples {
		fmt.Fprintf(&stack, "%s%d", comma(i), (c.seen(i)+1)*c.depth-1)
		fmt.Fprintf(&times, "%s%d", comma(i), i)
	}
	var names, numbers bytes.Buffer
	for i := range c.count {
		fmt.Fprintf(&names, "%s\"f%d\"", comma(i), i)
		fmt.Fprintf(&numbers, "%s%d", comma(i), i)
	}
	return fmt.Appendf(nil, `{"meta":{"interval":1,"startTime":0,"version":24,"preprocessedProfileVersion":44,"product":"x","categories":[{"name":"Other","color":"grey","subcategories":["Other"]},{"name":"Idle","color":"transparent","subcategories":["Other"]}]},"libs":[],"threads":[{"name":"main","processName":"x","pid":"1","tid":1,`+
		`"samples":{"stack":[%s],"time":[%s],"length":%d},"stackTable":{"prefix":[%s],"frame":[%s],"category":[%s],"length":%d},"frameTable":{"func":[%s],"length":%d},"funcTable":{"name":[%s],"length":%d},"stringArray":[%s]}]}`,
		&stack, &times, c.samples, &prefix, &frame, &category, frames, &numbers, c.count, &numbers, c.count, &names)
}

// stackFrameChains makes Chrome JSON with samples and stackFrames. The outermost frame of each chain
// has no caller, a missing one, or its innermost frame.
func stackFrameChains(r *rand.Rand, size int) []byte {
	c := newChains(r, size, 40, 70)
	threads := pick(r, 1, 2)
	if r.IntN(2) == 0 { // few samples of deep stacks, or many of flat ones: the calls grow with the size
		c.samples = min(c.samples, 10)
	} else {
		c.depth = min(c.depth, 100)
	}
	var b bytes.Buffer
	b.WriteString(`{"traceEvents":[{"name":"thread_name","ph":"M","pid":1,"tid":"0","args":{"name":"main"}}],"samples":[`)
	for i := range c.samples {
		fmt.Fprintf(&b, `%s{"cpu":"-1","name":"","ts":"%d","pid":1,"tid":"%d","weight":"1","sf":%d}`, comma(i), i*1000, i%threads, (c.seen(i)+1)*c.depth)
	}
	b.WriteString(`],"stackFrames":{`)
	outermost := pick(r, "none", "missing", "cycle")
	for i := range c.count * c.depth {
		caller := i
		if i%c.depth == 0 {
			caller = map[string]int{"missing": 1 << 40, "cycle": i + c.depth}[outermost]
		}
		fmt.Fprintf(&b, `%s"%d":{"name":"f%d"`, comma(i), i+1, i/c.depth)
		if caller > 0 {
			fmt.Fprintf(&b, `,"parent":%d`, caller)
		}
		b.WriteByte('}')
	}
	b.WriteString("}}")
	return b.Bytes()
}

// devtoolsChains makes a recording of Chrome's developer tools: chunks with a part of the nodes and
// samples each.
func devtoolsChains(r *rand.Rand, size int) []byte {
	c := newChains(r, size, 100, 12)
	nodes, chunks := c.count*c.depth, pick(r, 1, 10, 1000)
	var b bytes.Buffer
	b.WriteString(`[{"name":"Profile","ph":"P","id":"0x1","cat":"x","pid":1,"tid":2,"ts":1,"args":{"data":{"startTime":1}}}`)
	for k := range chunks {
		fmt.Fprintf(&b, `,{"name":"ProfileChunk","ph":"P","id":"0x1","cat":"x","pid":1,"tid":3,"ts":%d,"args":{"data":{"cpuProfile":{"nodes":[`, k+2)
		for i, first := nodes*k/chunks, nodes*k/chunks; i < nodes*(k+1)/chunks; i++ {
			fmt.Fprintf(&b, `%s{"id":%d,"callFrame":{"functionName":"f%d","codeType":"JS"}`, comma(i-first), i+1, i/c.depth)
			if i%c.depth != 0 {
				fmt.Fprintf(&b, `,"parent":%d`, i)
			}
			b.WriteByte('}')
		}
		b.WriteString(`],"samples":[`)
		from, to := c.samples*k/chunks, c.samples*(k+1)/chunks
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, "%s%d", comma(i-from), (c.seen(i)+1)*c.depth)
		}
		fmt.Fprintf(&b, `]},"timeDeltas":[%s]}}}`, strings.TrimSuffix(strings.Repeat("1000,", to-from), ","))
	}
	b.WriteByte(']')
	return b.Bytes()
}

// comma returns what precedes item i of a list.
func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}
