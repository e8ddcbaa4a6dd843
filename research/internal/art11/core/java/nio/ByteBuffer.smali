.class public abstract Ljava/nio/ByteBuffer;
.super Ljava/nio/Buffer;

# instance fields
.field hb:[B

.field isReadOnly:Z

.field offset:I

# direct methods
.method constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/nio/Buffer;-><init>()V

    return-void
.end method
