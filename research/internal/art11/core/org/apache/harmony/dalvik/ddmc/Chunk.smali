.class public Lorg/apache/harmony/dalvik/ddmc/Chunk;
.super Ljava/lang/Object;

# instance fields
.field public data:[B

.field public length:I

.field public offset:I

.field public type:I

# direct methods
.method public constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method
