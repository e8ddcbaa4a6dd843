// Package writer has what the writers of all formats share; they stand in the formats' rooms,
// below package format. [Nested] is for timeline viewers, which want a begin and an end of every call;
// [ProfileStacks] and [StackBuilder] add events up to stacks; [SampleLists], [SampleFiller] and
// [SampledContexts] have samples; [Cores] has what cores did.
//
// A writer gets a [trace.Recording], whose Info and Symbols explain the events, and
// the events themselves in batches; Close completes the output. The package
// reads no files; package reader does.
package encode
