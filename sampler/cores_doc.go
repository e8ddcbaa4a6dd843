// Package cores says when the ticks of a sampler come whose sampling thread may have to wait for a core
// ([artifice/sampler.Cost].NoCore): when, at the time at which one is due by the wall clock or later, a thread of the app begins to wait
// or ends.
//
// Under a sampler each thread is late by a time of its own. One that is late by a second comes to a
// tick when the truth's other events up to it, of a whole second, have not been replayed by a pass in the truth's order.
// So this package goes before the pass: it takes the truth thread by thread in the order of the wall clock,
// by the same rules as package sampler but with nothing to look at, and the pass is given the ticks. What the truth is read ahead is kept in
// memory: as much of it as the latest thread is late.
package sampler
