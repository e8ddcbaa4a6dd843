// Package dumps says what thread dumps show: of each thread the state, the stack that most dumps
// share and the methods that it was in, and who waits for a lock that whom holds.
//
// A [Collector] is told of each dump ([format.DumpConfig].Watch) and gives a [Summary]. Dumps are few and
// far apart, so that it counts them and states no times: the share of the dumps that show
// a method has the exact interval of a binomial share (Clopper and Pearson 1934). Package estimate is for
// samples that are many.
package report
