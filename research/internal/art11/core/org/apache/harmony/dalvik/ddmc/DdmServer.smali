.class public Lorg/apache/harmony/dalvik/ddmc/DdmServer;
.super Ljava/lang/Object;

# direct methods
.method public constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method

.method private static broadcast(I)V
    .registers 1

    return-void
.end method

.method private static dispatch(I[BII)Lorg/apache/harmony/dalvik/ddmc/Chunk;
    .registers 5

    const/4 v0, 0x0

    return-object v0
.end method

.method public static native nativeSendChunk(I[BII)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method
