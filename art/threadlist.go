package art

import "math/bits"

// ThreadList is the runtime's list of attached threads, with the number of frames of each. It
// computes the numbers of threads and frames walked before a given thread, without a loop over all
// threads. Threads are in the order of their index: the order of attachment in a truth, the order
// of the thread table in a recorded trace.
//
// The sampling thread is in the list too. It has no frames, but its walk takes time like that of
// any other thread.
//
// From Android 15 on the worker of the "Trace writer pool" is also attached and walked while a
// trace runs. It is not counted here, because the devices' costs come from traces of older
// releases.
type ThreadList struct {
	Own int // index of the first thread that was attached after the sampling thread

	listed []uint64 // bit set of threads
	before []int64  // number of listed threads below each word of listed
	count  int64    // number of listed threads

	CountsFrames bool    // some sampler has a cost per frame
	depth        []int32 // number of frames of each live thread, at the last tick
	blocks       []int64 // sums of depth over 64 threads
	Frames       int64   // sum of depth over all threads
}

// Grow makes room for n threads.
func (l *ThreadList) Grow(n int) {
	for len(l.listed)*64 < n {
		l.listed = append(l.listed, 0)
		l.before = append(l.before, l.count)
		l.blocks = append(l.blocks, 0)
		l.depth = append(l.depth, make([]int32, 64)...)
	}
}

// Threads returns the number of threads that a sample walks.
func (l *ThreadList) Threads() int64 { return l.count + 1 }

// Add adds a thread to the list.
func (l *ThreadList) Add(id int) {
	if l.listed[id/64]&(1<<(id%64)) == 0 {
		l.listed[id/64] |= 1 << (id % 64)
		l.shift(id, 1)
	}
}

// Remove removes a thread from the list.
func (l *ThreadList) Remove(id int) {
	if l.listed[id/64]&(1<<(id%64)) != 0 {
		l.listed[id/64] &^= 1 << (id % 64)
		l.shift(id, -1)
	}
}

func (l *ThreadList) shift(id int, by int64) {
	l.count += by
	for w := id/64 + 1; w < len(l.before); w++ {
		l.before[w] += by
	}
}

// Set sets the number of frames of a thread.
func (l *ThreadList) Set(id, frames int) {
	by := int64(frames) - int64(l.depth[id])
	l.depth[id] = int32(frames)
	l.blocks[id/64] += by
	l.Frames += by
}

// UpTo returns the numbers of listed threads and of frames walked up to and including a thread, in
// ART's order.
func (l *ThreadList) UpTo(id int) (threads, frames int64) {
	threads, frames = l.below(id)
	if id >= l.Own {
		threads++
	}
	return threads, frames
}

// below is UpTo without the sampling thread.
func (l *ThreadList) below(id int) (threads, frames int64) {
	word, mask := id/64, ^uint64(0)>>(63-id%64)
	threads = l.before[word] + int64(bits.OnesCount64(l.listed[word]&mask))
	if !l.CountsFrames {
		return threads, 0
	}
	for _, sum := range l.blocks[:word] {
		frames += sum
	}
	for _, depth := range l.depth[word*64 : id+1] {
		frames += int64(depth)
	}
	return threads, frames
}

// UpToNewestFirst is UpTo in Dalvik's order: the first thread, then the newest to the oldest.
func (l *ThreadList) UpToNewestFirst(id int) (threads, frames int64) {
	firstThreads, firstFrames := l.below(0)
	if id == 0 {
		return firstThreads, firstFrames
	}
	below, framesBelow := l.below(id - 1)
	threads, frames = l.count-below+firstThreads, l.Frames-framesBelow+firstFrames
	if id < l.Own {
		threads++
	}
	return threads, frames
}
