.class public final Ldalvik/system/VMDebug;
.super Ljava/lang/Object;

# direct methods
.method public constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method

.method public static native allowHiddenApiReflectionFrom(Ljava/lang/Class;)V
.end method

.method public static native countInstancesOfClass(Ljava/lang/Class;Z)J
.end method

.method public static native countInstancesOfClasses([Ljava/lang/Class;Z)[J
.end method

.method public static native crash()V
.end method

.method public static native dumpHprofData(Ljava/lang/String;I)V
.end method

.method public static native dumpHprofDataDdms()V
.end method

.method public static native dumpReferenceTables()V
.end method

.method public static native getAllocCount(I)I
.end method

.method public static native getHeapSpaceStats([J)V
.end method

.method public static native getInstancesOfClasses([Ljava/lang/Class;Z)[[Ljava/lang/Object;
.end method

.method public static native getInstructionCount([I)V
.end method

.method public static native getLoadedClassCount()I
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static native getMethodTracingMode()I
.end method

.method public static native getRuntimeStatInternal(I)Ljava/lang/String;
.end method

.method public static native getRuntimeStatsInternal()[Ljava/lang/String;
.end method

.method public static native getVmFeatureList()[Ljava/lang/String;
.end method

.method public static native infopoint(I)V
.end method

.method public static native isDebuggerConnected()Z
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static native isDebuggingEnabled()Z
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static native lastDebuggerActivity()J
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static native nativeAttachAgent(Ljava/lang/String;Ljava/lang/ClassLoader;)V
.end method

.method public static native printLoadedClasses(I)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static native resetAllocCount(I)V
.end method

.method public static native resetInstructionCount()V
.end method

.method public static native setAllocTrackerStackDepth(I)V
.end method

.method public static start(Ljava/lang/String;IIZI)V
    .registers 5

    invoke-static {p0, p1, p2, p3, p4}, Ldalvik/system/VMDebug;->startMethodTracingFilename(Ljava/lang/String;IIZI)V

    return-void
.end method

.method public static native startAllocCounting()V
.end method

.method public static native startEmulatorTracing()V
.end method

.method public static startFd(Ljava/lang/String;IIIZIZ)V
    .registers 7

    invoke-static/range {p0 .. p6}, Ldalvik/system/VMDebug;->startMethodTracingFd(Ljava/lang/String;IIIZIZ)V

    return-void
.end method

.method public static native startInstructionCounting()V
.end method

.method public static native startMethodTracingDdmsImpl(IIZI)V
.end method

.method public static native startMethodTracingFd(Ljava/lang/String;IIIZIZ)V
.end method

.method public static native startMethodTracingFilename(Ljava/lang/String;IIZI)V
.end method

.method public static native stopAllocCounting()V
.end method

.method public static native stopEmulatorTracing()V
.end method

.method public static native stopInstructionCounting()V
.end method

.method public static native stopMethodTracing()V
.end method

.method public static native threadCpuTimeNanos()J
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method
