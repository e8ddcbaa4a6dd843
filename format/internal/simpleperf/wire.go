package simpleperf

// Field numbers of the messages in simpleperf's cmd_report_sample.proto. A Record contains one of
// the other messages.
const (
	recordSample, recordLost, recordFile, recordThread, recordMeta = 1, 2, 3, 4, 5

	sampleTime, sampleThread, sampleFrame, sampleCount, sampleEvent = 1, 2, 3, 4, 5
	entryAddress, entryFile, entrySymbol, entryKind                 = 1, 2, 3, 4 // CallChainEntry
	lostSamples, lostLost                                           = 1, 2       // LostSituation
	fileID, filePath, fileSymbol                                    = 1, 2, 3
	threadID, threadPID, threadName                                 = 1, 2, 3
	metaEvent, metaOffCPU                                           = 1, 6

	interpretedMethod = 1 // INTERPRETED_JVM_METHOD
)
