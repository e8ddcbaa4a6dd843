.class public Ljava/util/concurrent/atomic/AtomicLong;
.super Ljava/lang/Object;

# direct methods
.method public constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method

.method public static native VMSupportsCS8()Z
.end method
