package coverage

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"
)

// RandomApp is an app that is generated from a seed, in the form of a workload file. Its main
// thread is sampled; other threads run next to it.
type RandomApp struct {
	Name     string
	YAML     string
	Waits    bool // the main thread waits
	Periodic bool // the main thread repeats its work after equal times
}

// kinds of random apps: what dominates the main thread, or runs next to it.
const (
	nativeCode   = iota // long native methods
	oneCollected        // a busy thread next to a concurrent collector
	periodic            // equal work at equal times
	managed             // managed code without waits
	handler             // short work between waits
	tails               // rare long calls
	kinds
)

// NewRandomApp returns the app of a seed. Six consecutive seeds have six kinds of apps.
func NewRandomApp(seed uint64) RandomApp {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
	kind := int(seed % kinds)
	name := [kinds]string{"native", "collected", "periodic", "managed", "handler", "tails"}[kind]
	app := RandomApp{Name: fmt.Sprintf("%s-%d", name, seed), Waits: kind == handler || kind == periodic, Periodic: kind == periodic}
	main := g.main(kind)
	var others []string
	if kind == oneCollected || kind != nativeCode && g.IntN(4) == 0 {
		others = append(others, g.collector())
	}
	if kind != oneCollected && g.IntN(2) == 0 {
		others = append(others, g.workers())
	}
	if idle := g.IntN(50); idle > 0 {
		others = append(others, fmt.Sprintf("  - {name: \"idle-%%d\", count: %d}", idle))
	}
	app.YAML = fmt.Sprintf("name: %s\nduration: 4s\nmethods:\n  r.Main.run()V: {do: []}\n%sthreads:\n  - {name: main, stack: [r.Main.run], do: [{loop: forever, do: [%s]}]}\n%s\n",
		app.Name, g.methods.String(), main, strings.Join(others, "\n"))
	return app
}

// generator writes methods and returns the steps that call them.
type generator struct {
	*rand.Rand
	methods strings.Builder
	n       int
}

// between returns a random time; its logarithm is uniform.
func (g *generator) between(low, high time.Duration) time.Duration {
	return time.Duration(float64(low) * math.Pow(float64(high)/float64(low), g.Float64())).Round(time.Microsecond)
}

// time returns a distribution of times with about the given mean.
func (g *generator) time(mean time.Duration) string {
	switch g.IntN(4) {
	case 0:
		return mean.String()
	case 1:
		return "exp " + mean.String()
	case 2:
		return fmt.Sprintf("uniform %s..%s", mean/2, mean*3/2)
	}
	return fmt.Sprintf("lognormal %s %.1f", mean*4/5, 0.3+0.7*g.Float64())
}

// method adds a method and returns the step that calls it.
func (g *generator) method(self, extra string) string {
	g.n++
	name := fmt.Sprintf("r.C%d.m%d", g.n/4, g.n)
	fmt.Fprintf(&g.methods, "  %s()V: {%sdo: [{self: %s}]}\n", name, extra, self)
	return "{call: " + name + "}"
}

// some returns between low and high methods with mean times from shortest to longest, some of them
// called in loops and by another method.
func (g *generator) some(low, high int, shortest, longest time.Duration) string {
	var steps []string
	for range low + g.IntN(high-low+1) {
		call := g.method(g.time(g.between(shortest, longest)), "")
		switch g.IntN(4) {
		case 0:
			call = fmt.Sprintf("{loop: uniform 1..%d, do: [%s]}", 2+g.IntN(8), call)
		case 1:
			g.n++
			caller := fmt.Sprintf("r.D%d.m%d", g.n/4, g.n)
			fmt.Fprintf(&g.methods, "  %s()V: {do: [{self: %s}, %s]}\n", caller, g.time(g.between(shortest, longest)), call)
			call = "{call: " + caller + "}"
		}
		steps = append(steps, call)
	}
	return strings.Join(steps, ", ")
}

// main returns the steps of the main thread.
func (g *generator) main(kind int) string {
	const us, ms = time.Microsecond, time.Millisecond
	switch kind {
	case nativeCode:
		native := g.method(g.time(g.between(500*us, 4*ms)), "flags: native, ")
		short := g.method(g.time(g.between(20*us, 200*us)), "flags: native, ")
		return strings.Join([]string{g.some(1, 4, 50*us, 2*ms), native, g.some(1, 4, 50*us, 2*ms), fmt.Sprintf("{loop: uniform 1..10, do: [%s]}", short)}, ", ")
	case periodic:
		return g.period()
	case handler:
		wait := "android.os.MessageQueue.nativePollOnce"
		fmt.Fprintf(&g.methods, "  %s()V: {flags: native, wait: io, do: [{self: exp %s}]}\n", wait, g.between(500*us, 10*ms))
		return fmt.Sprintf("{call: %s}, %s", wait, g.some(3, 8, 20*us, 2*ms))
	case tails:
		rare := g.method(fmt.Sprintf("pareto %s %.1f", g.between(200*us, 2*ms), 1.5+g.Float64()), "")
		return g.some(3, 10, 20*us, 500*us) + ", " + rare
	}
	return g.some(4, 12, 30*us, 3*ms)
}

// period returns work of nearly equal lengths in each period. The methods with the most time are
// nearly equal.
func (g *generator) period() string {
	periods := []time.Duration{5 * time.Millisecond, 8333333, 10 * time.Millisecond, 16666667, 20 * time.Millisecond, g.between(5*time.Millisecond, 30*time.Millisecond)}
	period := periods[g.IntN(len(periods))]
	wait := "android.os.MessageQueue.nativePollOnce"
	fmt.Fprintf(&g.methods, "  %s()V: {flags: native, wait: io, do: [{until_next: %dns}]}\n", wait, period.Nanoseconds())
	busy := time.Duration((0.3 + 0.5*g.Float64()) * float64(period))
	n := 3 + g.IntN(3)
	var steps []string
	for range n {
		mean := time.Duration(float64(busy) / float64(n) * (0.7 + 0.6*g.Float64())).Round(time.Microsecond)
		self := mean.String()
		if g.IntN(2) == 0 {
			self = fmt.Sprintf("uniform %s..%s", mean*9/10, mean*11/10)
		}
		steps = append(steps, g.method(self, ""))
	}
	return strings.Join(append(steps, "{call: "+wait+"}"), ", ")
}

// collector returns the thread of a concurrent garbage collector, during which ART's sampler waits.
func (g *generator) collector() string {
	const ms = time.Millisecond
	g.methods.WriteString("  java.lang.Daemons$HeapTaskDaemon.runInternal()V: {do: []}\n  dalvik.system.VMRuntime.runHeapTasks()V: {flags: native, wait: lock}\n")
	fmt.Fprintf(&g.methods, "  art.gc.Heap.CollectGarbageInternal()V: {flags: [runtime, native, collector], do: [{self: lognormal %s 0.4}]}\n", g.between(3*ms, 15*ms))
	return fmt.Sprintf("  - {name: HeapTaskDaemon, stack: [java.lang.Daemons$HeapTaskDaemon.runInternal, dalvik.system.VMRuntime.runHeapTasks], do: [{loop: forever, do: [{self: exp %s}, {call: art.gc.Heap.CollectGarbageInternal}]}]}", g.between(20*ms, 200*ms))
}

// workers returns threads that run and wait on their own.
func (g *generator) workers() string {
	const us, ms = time.Microsecond, time.Millisecond
	fmt.Fprintf(&g.methods, "  java.lang.Object.wait()V: {flags: native, wait: lock, do: [{self: exp %s}]}\n", g.between(1*ms, 20*ms))
	work := g.some(1, 3, 100*us, 3*ms)
	return fmt.Sprintf("  - {name: \"worker-%%d\", count: %d, stack: [r.Main.run], do: [{loop: forever, do: [{call: java.lang.Object.wait}, %s]}]}", 1+g.IntN(4), work)
}
