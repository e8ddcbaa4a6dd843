.class public final Ljava/lang/Short;
.super Ljava/lang/Number;

# instance fields
.field private final value:S

# direct methods
.method public constructor <init>(S)V
    .registers 2

    invoke-direct {p0}, Ljava/lang/Number;-><init>()V

    iput-short p1, p0, Ljava/lang/Short;->value:S

    return-void
.end method

.method public static reverseBytes(S)S
    .registers 3

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static valueOf(S)Ljava/lang/Short;
    .registers 2

    new-instance v0, Ljava/lang/Short;

    invoke-direct {v0, p0}, Ljava/lang/Short;-><init>(S)V

    return-object v0
.end method

# virtual methods
.method public intValue()I
    .registers 2

    iget-short v0, p0, Ljava/lang/Short;->value:S

    return v0
.end method
