.class final Ljava/lang/invoke/ByteBufferViewVarHandle;
.super Ljava/lang/invoke/VarHandle;

# instance fields
.field private nativeByteOrder:Z

# direct methods
.method constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/invoke/VarHandle;-><init>()V

    return-void
.end method
