.class public final Ljava/lang/System;
.super Ljava/lang/Object;

# direct methods
.method private constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method

.method public static native args()[Ljava/lang/String;
.end method

.method public static native arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static arraycopy([CI[CII)V
    .registers 7

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static native arraycopyBooleanUnchecked([ZI[ZII)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static native arraycopyByteUnchecked([BI[BII)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static native arraycopyCharUnchecked([CI[CII)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static native arraycopyDoubleUnchecked([DI[DII)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static native arraycopyFloatUnchecked([FI[FII)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static native arraycopyIntUnchecked([II[III)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static native arraycopyLongUnchecked([JI[JII)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static native arraycopyShortUnchecked([SI[SII)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static native nanoTime()J
    .annotation build Ldalvik/annotation/optimization/CriticalNative;
    .end annotation
.end method

.method public static native println(Ljava/lang/String;)V
.end method

.method public static native sink(Ljava/lang/String;[JI)V
.end method
