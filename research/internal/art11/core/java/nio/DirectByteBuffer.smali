.class public Ljava/nio/DirectByteBuffer;
.super Ljava/nio/ByteBuffer;

# direct methods
.method constructor <init>(JI)V
    .registers 5

    invoke-direct {p0}, Ljava/nio/ByteBuffer;-><init>()V

    iput-wide p1, p0, Ljava/nio/DirectByteBuffer;->address:J

    iput p3, p0, Ljava/nio/DirectByteBuffer;->capacity:I

    return-void
.end method
