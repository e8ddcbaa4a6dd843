.class final Ljava/lang/invoke/ArrayElementVarHandle;
.super Ljava/lang/invoke/VarHandle;

# direct methods
.method constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/invoke/VarHandle;-><init>()V

    return-void
.end method
