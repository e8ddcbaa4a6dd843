package sampler

// PhoneCost is like that of a phone, for tests and benchmarks: a sample of 61
// threads stops the app for 1 ms.
var PhoneCost = Cost{Overshoot: 250 * us, PerTick: 24 * us, PerThread: 16 * us, Granularity: us, ClockOverhead: 3348}
