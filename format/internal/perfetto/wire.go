package perfetto

import "artifice/internal/protobuf"

// Field numbers of the messages under protos/perfetto/trace in Perfetto's sources that are read or
// written.
const (
	tracePacket = 1

	packetFtrace, packetProcesses, packetUID, packetClocks = 1, 2, 3, 6
	packetTime, packetSequence, packetEvent                = 8, 10, 11
	packetInterned, packetFlags                            = 12, 13
	packetCleared, packetLost                              = 41, 42
	packetThread, packetDeflated                           = 44, 50
	packetClock, packetDefaults, packetTrack, packetPerf   = 58, 59, 60, 66
	packetFrame, packetPID, packetZstd, packetStackSample  = 76, 79, 133, 135

	// slices of the app; those of the compositor are skipped
	frameExpected, frameActual, frameEnd       = 3, 4, 5
	frameCookie, frameToken, frameDisplayToken = 1, 2, 3
	framePID, frameLayer                       = 4, 5
	framePresent, frameInTime                  = 6, 7
	frameJank, framePrediction                 = 9, 10

	clocksReading, clocksPrimary                          = 1, 2
	readingID, readingAt, readingIncremental, readingUnit = 1, 2, 3, 4
	treeProcess, treeThread                               = 1, 2
	treeProcessPID, treeProcessCommand                    = 1, 3
	treeThreadTID, treeThreadName, treeThreadPID          = 1, 2, 3

	trackUUID, trackName, trackProcess                      = 1, 2, 3
	trackThread, trackParent, trackCounter                  = 4, 5, 8
	processPID, processName                                 = 1, 6
	threadPID, threadTID, threadName, threadWall, threadCPU = 1, 2, 5, 6, 7
	counterType, counterUnit, counterIncremental            = 1, 4, 5

	eventWallDelta, eventCPUDelta, eventLegacy = 1, 2, 6
	eventType, eventNameID, eventTrack         = 9, 10, 11
	eventCounterValues, eventCounterTracks     = 12, 31
	eventWall, eventCPU, eventName             = 16, 17, 23

	legacyNameID, legacyPhase, legacyLength, legacyCPULength = 1, 2, 3, 4
	legacyPID, legacyTID                                     = 18, 19

	internedEventNames, internedFunctions            = 2, 5
	internedFrames, internedStacks                   = 6, 7
	internedBuildIDs, internedPaths, internedMapping = 16, 17, 19
	internedID, internedText                         = 1, 2

	internedSources, internedTasks, internedDescriptors = 18, 2000, 2002

	mappingBuild, mappingPath                                               = 2, 7
	frameFunction, frameMapping, framePC, frameSource, frameLine, frameKind = 2, 3, 4, 5, 6, 7
	stackID, stackFrame                                                     = 1, 2
	inlineFrame                                                             = 1
	inlineName, inlineSource, inlineLine                                    = 1, 2, 3
	perfCPU, perfPID, perfTID, perfStack, perfMode                          = 1, 2, 3, 4, 5
	perfUnwindError, perfRecordsLost, perfSkipped                           = 16, 17, 18
	defaultsPerf, defaultsStackSample                                       = 12, 100
	perfDefaultsTimebase                                                    = 1
	basePeriod, baseFrequency                                               = 1, 2
	baseTracepoint, baseCounter, baseRaw, baseName                          = 3, 4, 5, 10
	tracepointName                                                          = 1

	sampleTask, sampleTaskID, sampleStack          = 1, 2, 5
	sampleStackID                                  = 6
	sampleUnwindError, sampleUnwindErrorID         = 7, 8
	sampleDescriptor, sampleDescriptorID           = 9, 10
	sampleWeight                                   = 11
	taskPID, taskTID                               = 2, 3
	descriptorName, descriptorUnit                 = 2, 3
	descriptorUnitText, descriptorTimes            = 4, 5
	sampleDefaultsSource, sampleDefaultsDescriptor = 1, 2
)

// Field numbers of the messages under protos/perfetto/trace/ftrace.
const (
	bundleCPU, bundleEvent = 1, 2
	bundleCompact          = 4 // message CompactSched
	ftraceTime, ftracePID  = 1, 2
	ftracePrint            = 3
	ftraceSwitch           = 4
	ftraceFrequency        = 11
	ftraceIdle             = 13
	ftraceWakeup           = 17
	ftraceBlocked          = 18
	ftraceWaking           = 20
	ftraceTransaction      = 50
	ftraceReceived         = 51
	printText              = 2

	compactSwitch, compactState, compactNext = 1, 2, 3
	compactNames                             = 5
	compactWaking, compactWakingPID          = 7, 8

	switchPrevComm, switchPrevPID, switchPrevPrio, switchPrevState = 1, 2, 3, 4
	switchNextComm, switchNextPID, switchNextPrio                  = 5, 6, 7
	// the same fields for waking
	wakeupComm, wakeupPID, wakeupPrio, wakeupSuccess, wakeupCPU = 1, 2, 3, 4, 5
	blockedPID, blockedIO                                       = 1, 3
	// transactionID is also the field of a received transaction
	transactionID, transactionNode, transactionProcess = 1, 2, 3
	transactionThread, transactionReply                = 4, 5
	transactionCode, transactionFlags                  = 6, 7
	powerState, powerCPU                               = 1, 2
)

// Values of the enumerations in these messages.
const (
	sliceBegin, sliceEnd = 1, 2
	counterThreadTime    = 1 // COUNTER_THREAD_TIME_NS
	stateCleared         = 1 // SEQ_INCREMENTAL_STATE_CLEARED
	stateNeeded          = 2 // SEQ_NEEDS_INCREMENTAL_STATE
	modeUser             = 2
	clockMonotonic       = 3
	clockBoot            = 6 // clock of packets that do not state their clock
	unitNanoseconds      = 1 // in a CounterDescriptor
	kindKernel           = 2 // in a Frame
	counterCPUClock      = 1 // SW_CPU_CLOCK of PerfEvents.Counter
	unwindErrorNone      = 1

	presentOnTime, presentLate = 1, 2  // PresentType of a FrameTimelineEvent
	jankNone, jankAppDeadline  = 1, 64 // JankType
	predictionValid            = 1     // PredictionType

	// Numbers from which on clocks belong to a sequence.
	firstSequenceClock, lastSequenceClock = 64, 127
)

// Kinds of fields in their tags.
const varintKind, bytesKind = protobuf.Varint, protobuf.Bytes
