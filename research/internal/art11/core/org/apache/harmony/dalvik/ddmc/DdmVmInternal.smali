.class public Lorg/apache/harmony/dalvik/ddmc/DdmVmInternal;
.super Ljava/lang/Object;

# direct methods
.method public constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method

.method public static native enableRecentAllocations(Z)V
.end method

.method public static native getRecentAllocationStatus()Z
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static native getRecentAllocations()[B
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static native getStackTraceById(I)[Ljava/lang/StackTraceElement;
.end method

.method public static native getThreadStats()[B
.end method

.method public static native heapInfoNotify(I)Z
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static native heapSegmentNotify(IIZ)Z
.end method

.method public static native threadNotify(Z)V
.end method
