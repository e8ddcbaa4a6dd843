.class final Ljava/lang/invoke/FieldVarHandle;
.super Ljava/lang/invoke/VarHandle;

# instance fields
.field private final artField:J

# direct methods
.method constructor <init>()V
    .registers 3

    invoke-direct {p0}, Ljava/lang/invoke/VarHandle;-><init>()V

    const-wide/16 v0, 0x0

    iput-wide v0, p0, Ljava/lang/invoke/FieldVarHandle;->artField:J

    return-void
.end method
