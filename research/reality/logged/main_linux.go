// Command logged is the logged program in Go: goroutines, each on a thread of its own, run the
// phases of README.md and log when they enter and leave each method. It profiles itself with
// runtime/pprof.
//
//	logged SECONDS SEED THREADS LOG PROFILE
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// The methods, by their numbers in the log.
const (
	mRoot = iota
	mWork
	mP50
	mP25
	mP12
	mP6
	mP2
	mP05
	mDeep
	mBottom
	mLeaves
	mLeaf
	mRest
	mDoSleep
	mBurst
	mLocked
	mDoLock
)

const names = "root work p50 p25 p12 p6 p2 p05 deep bottom leaves leaf rest doSleep burst locked doLock"

// Kinds of records of a method.
const (
	kindEnter = iota
	kindLeave
	kindOff
	kindCPU
)

// gap is the minimum distance of two clock readings in a loop (normally about 4 us) that indicates
// that the thread was interrupted or off its core. The thread's CPU clock distinguishes the two.
const gap = 20 * time.Microsecond

type thread struct {
	log    []uint64
	random uint64
	tid    int
	sum    float64

	wall, cpu time.Duration // of the last reading of its CPU clock, and its value
}

var (
	start    time.Time
	deadline time.Duration
	lock     sync.Mutex
)

func (t *thread) record(method, kind uint64, at time.Duration) {
	if len(t.log) < cap(t.log) {
		t.log = append(t.log, uint64(at)<<8|kind<<5|method)
	}
}

func (t *thread) enter(method uint64) { t.record(method, kindEnter, time.Since(start)) }
func (t *thread) leave(method uint64) { t.record(method, kindLeave, time.Since(start)) }

// chunk is the number of iterations of a loop that take about 4 us. Go finds no stack while a
// thread reads the clock, so it reads rarely.
var chunk = 1000

func turn(turns int, x float64) float64 {
	for ; turns > 0; turns-- {
		x = x*0.999 + 1
	}
	return x
}

// calibrate sets chunk to 4 us.
func calibrate() (sum float64) {
	least := time.Hour
	for range 100 {
		before := time.Now()
		sum = turn(100_000, sum)
		least = min(least, time.Since(before))
	}
	chunk = int(4 * time.Microsecond * 100_000 / least)
	return sum
}

// spin works for a time. Time off the core does not count.
func (t *thread) spin(work time.Duration) {
	for last := time.Since(start); work > 0; {
		t.sum = turn(int(min(work, 4*time.Microsecond))*chunk/4000, t.sum)
		now := time.Since(start)
		if now-last > gap {
			t.look(true)
			now = t.wall
		} else {
			work -= now - last
		}
		last = now
	}
}

// look reads the CPU clock, and logs how long the thread was off its core since the last reading.
func (t *thread) look(write bool) {
	cpu := now(3) // CLOCK_THREAD_CPUTIME_ID
	wall := time.Since(start)
	if off := wall - t.wall - (cpu - t.cpu); write && off > 2*time.Microsecond {
		t.record(0, kindOff, off)
	}
	t.wall, t.cpu = wall, cpu
}

// now returns the time of a kernel clock.
func now(clock uintptr) time.Duration {
	var ts syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clock, uintptr(unsafe.Pointer(&ts)), 0)
	return time.Duration(ts.Nano())
}

func (t *thread) draw() uint64 { // xorshift64
	t.random ^= t.random << 13
	t.random ^= t.random >> 7
	t.random ^= t.random << 17
	return t.random
}

// around returns a random time with that mean, from 0.5 to 1.5 times the mean.
func (t *thread) around(mean time.Duration) time.Duration {
	return mean/2 + time.Duration(t.draw()%uint64(mean))
}

//go:noinline
func p50(t *thread) { t.enter(mP50); t.spin(t.around(300 * time.Microsecond)); t.leave(mP50) }

//go:noinline
func p25(t *thread) { t.enter(mP25); t.spin(t.around(300 * time.Microsecond)); t.leave(mP25) }

//go:noinline
func p12(t *thread) { t.enter(mP12); t.spin(t.around(300 * time.Microsecond)); t.leave(mP12) }

//go:noinline
func p6(t *thread) { t.enter(mP6); t.spin(t.around(300 * time.Microsecond)); t.leave(mP6) }

//go:noinline
func p2(t *thread) { t.enter(mP2); t.spin(t.around(300 * time.Microsecond)); t.leave(mP2) }

//go:noinline
func p05(t *thread) { t.enter(mP05); t.spin(t.around(300 * time.Microsecond)); t.leave(mP05) }

//go:noinline
func work(t *thread) {
	t.enter(mWork)
	for range 4 {
		switch x := t.draw() % 955; {
		case x < 500:
			p50(t)
		case x < 750:
			p25(t)
		case x < 870:
			p12(t)
		case x < 930:
			p6(t)
		case x < 950:
			p2(t)
		default:
			p05(t)
		}
	}
	t.leave(mWork)
}

//go:noinline
func bottom(t *thread) { t.enter(mBottom); t.spin(t.around(300 * time.Microsecond)); t.leave(mBottom) }

//go:noinline
func deep(t *thread, more int) {
	t.enter(mDeep)
	if more > 0 {
		deep(t, more-1)
	} else {
		bottom(t)
	}
	t.leave(mDeep)
}

//go:noinline
func leaf(t *thread) { t.enter(mLeaf); t.spin(100); t.leave(mLeaf) }

//go:noinline
func leaves(t *thread) {
	t.enter(mLeaves)
	for range 1000 {
		leaf(t)
	}
	t.leave(mLeaves)
}

//go:noinline
func doSleep(t *thread) {
	t.look(true)
	before := t.cpu
	t.enter(mDoSleep)
	d := syscall.NsecToTimespec(int64(t.around(time.Millisecond)))
	syscall.Nanosleep(&d, nil) // in the thread itself: Go's own sleep moves the goroutine to another thread
	t.look(false)
	t.record(mDoSleep, kindCPU, t.cpu-before)
	t.leave(mDoSleep)
}

//go:noinline
func burst(t *thread) { t.enter(mBurst); t.spin(300 * time.Microsecond); t.leave(mBurst) }

//go:noinline
func rest(t *thread) {
	t.enter(mRest)
	doSleep(t)
	burst(t)
	t.leave(mRest)
}

//go:noinline
func doLock(t *thread) {
	t.look(true)
	before := t.cpu
	t.enter(mDoLock)
	lock.Lock()
	t.look(false)
	t.record(mDoLock, kindCPU, t.cpu-before)
	t.leave(mDoLock)
}

//go:noinline
func locked(t *thread) {
	t.enter(mLocked)
	doLock(t)
	t.spin(t.around(200 * time.Microsecond))
	lock.Unlock()
	t.leave(mLocked)
}

//go:noinline
func root(t *thread) {
	t.tid = syscall.Gettid()
	t.look(false)
	t.enter(mRoot)
	for time.Since(start) < deadline {
		switch x := t.draw() % 100; {
		case x < 60:
			work(t)
		case x < 70:
			deep(t, 148) // 151 frames with root and bottom
		case x < 80:
			leaves(t)
		case x < 90:
			rest(t)
		default:
			locked(t)
		}
	}
	t.leave(mRoot)
}

func main() {
	if len(os.Args) != 6 {
		fmt.Fprintln(os.Stderr, "usage: logged SECONDS SEED THREADS LOG PROFILE")
		os.Exit(2)
	}
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "logged:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	seconds, err1 := strconv.ParseFloat(args[0], 64)
	seed, err2 := strconv.ParseUint(args[1], 10, 32)
	threads, err3 := strconv.Atoi(args[2])
	for _, err := range []error{err1, err2, err3} {
		if err != nil {
			return err
		}
	}
	debug.SetGCPercent(-1)
	if calibrate() == 0 {
		return errors.New("the compiler removed the loop")
	}
	runtime.GOMAXPROCS(threads + 1)
	all := make([]thread, threads)
	for i := range all {
		all[i].log = make([]uint64, int(seconds*1.5e6))
		clear(all[i].log) // maps its pages before the begin
		all[i].log = all[i].log[:0]
		all[i].random = (seed*1000 + uint64(i) + 1) * 0x9e3779b97f4a7c15
	}
	profile, err := os.Create(args[4])
	if err != nil {
		return err
	}
	defer profile.Close()
	deadline = time.Duration(seconds * 1e9)
	if err := pprof.StartCPUProfile(profile); err != nil {
		return err
	}
	start = time.Now()
	zero := now(1) // CLOCK_MONOTONIC
	var group sync.WaitGroup
	for i := range all {
		group.Go(func() {
			runtime.LockOSThread()
			root(&all[i])
		})
	}
	group.Wait()
	pprof.StopCPUProfile()
	return write(args[3], all, zero)
}

func write(name string, all []thread, zero time.Duration) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	out := bufio.NewWriter(f)
	fmt.Fprintf(out, "logged 1\npid %d\nmonotonic %d\nunix %d\nmethods %s\n", os.Getpid(), zero, start.UnixNano(), names)
	for i := range all {
		fmt.Fprintf(out, "thread %d worker%d %d\n", all[i].tid, i, len(all[i].log))
	}
	fmt.Fprintln(out)
	for i := range all {
		if err := binary.Write(out, binary.LittleEndian, all[i].log); err != nil {
			return err
		}
	}
	return out.Flush()
}
