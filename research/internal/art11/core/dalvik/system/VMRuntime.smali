.class public final Ldalvik/system/VMRuntime;
.super Ljava/lang/Object;

# static fields
.field private static nonSdkApiUsageConsumer:Ljava/util/function/Consumer;
    .annotation system Ldalvik/annotation/Signature;
        value = {
            "Ljava/util/function/Consumer",
            "<",
            "Ljava/lang/String;",
            ">;"
        }
    .end annotation
.end field

# direct methods
.method public constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method

.method public static native doNotInitializeInAot()V
    .annotation build Ldalvik/annotation/optimization/CriticalNative;
    .end annotation
.end method

.method public static native getCurrentInstructionSet()Ljava/lang/String;
.end method

.method public static native getNotifyNativeInterval()I
.end method

.method public static hiddenApiUsed(ILjava/lang/String;Ljava/lang/String;IZ)V
    .registers 5

    return-void
.end method

.method public static native isBootClassPathOnDisk(Ljava/lang/String;)Z
.end method

.method public static native isValidClassLoaderContext(Ljava/lang/String;)Z
.end method

.method public static native registerAppInfo(Ljava/lang/String;[Ljava/lang/String;)V
.end method

.method public static native resetJitCounters()V
.end method

.method public static runFinalization(J)V
    .registers 2

    return-void
.end method

.method public static native setHiddenApiAccessLogSamplingRate(I)V
.end method

.method public static native setHiddenApiExemptions([Ljava/lang/String;)V
.end method

.method public static native setProcessDataDirectory(Ljava/lang/String;)V
.end method

.method public static native setProcessPackageName(Ljava/lang/String;)V
.end method

# virtual methods
.method public native addressOf(Ljava/lang/Object;)J
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native bootClassPath()Ljava/lang/String;
.end method

.method public native bootCompleted()V
.end method

.method public native clampGrowthLimit()V
.end method

.method public native classPath()Ljava/lang/String;
.end method

.method public native clearGrowthLimit()V
.end method

.method public native concurrentGC()V
.end method

.method public native didPruneDalvikCache()Z
.end method

.method public native disableJitCompilation()V
.end method

.method public native getFinalizerTimeoutMs()J
.end method

.method public native getTargetHeapUtilization()F
.end method

.method public native hasBootImageSpaces()Z
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native is64Bit()Z
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native isCheckJniEnabled()Z
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native isJavaDebuggable()Z
.end method

.method public native isNativeDebuggable()Z
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native nativeSetTargetHeapUtilization(F)V
.end method

.method public native newNonMovableArray(Ljava/lang/Class;I)Ljava/lang/Object;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native newUnpaddedArray(Ljava/lang/Class;I)Ljava/lang/Object;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native notifyNativeAllocationsInternal()V
.end method

.method public native notifyStartupCompleted()V
.end method

.method public native preloadDexCaches()V
.end method

.method public native properties()[Ljava/lang/String;
.end method

.method public native registerNativeAllocation(J)V
.end method

.method public native registerNativeFree(J)V
.end method

.method public native registerSensitiveThread()V
.end method

.method public native requestConcurrentGC()V
.end method

.method public native requestHeapTrim()V
.end method

.method public native runHeapTasks()V
.end method

.method public native setDedupeHiddenApiWarnings(Z)V
.end method

.method public native setDisabledCompatChangesNative([J)V
.end method

.method public native setSystemDaemonThreadPriority()V
.end method

.method public native setTargetSdkVersionNative(I)V
.end method

.method public native startHeapTaskProcessor()V
.end method

.method public native startJitCompilation()V
.end method

.method public native stopHeapTaskProcessor()V
.end method

.method public native trimHeap()V
.end method

.method public native updateProcessState(I)V
.end method

.method public native vmInstructionSet()Ljava/lang/String;
.end method

.method public native vmLibrary()Ljava/lang/String;
.end method

.method public native vmVersion()Ljava/lang/String;
.end method
