.class public final Ljava/lang/Double;
.super Ljava/lang/Number;

# instance fields
.field private final value:D

# direct methods
.method public constructor <init>(D)V
    .registers 4

    invoke-direct {p0}, Ljava/lang/Number;-><init>()V

    iput-wide p1, p0, Ljava/lang/Double;->value:D

    return-void
.end method

.method public static doubleToLongBits(D)J
    .registers 4

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static doubleToRawLongBits(D)J
    .registers 4

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static isInfinite(D)Z
    .registers 4

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static isNaN(D)Z
    .registers 4

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static longBitsToDouble(J)D
    .registers 4

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static valueOf(D)Ljava/lang/Double;
    .registers 4

    new-instance v0, Ljava/lang/Double;

    invoke-direct {v0, p0, p1}, Ljava/lang/Double;-><init>(D)V

    return-object v0
.end method

# virtual methods
.method public intValue()I
    .registers 3

    iget-wide v0, p0, Ljava/lang/Double;->value:D

    double-to-int v0, v0

    return v0
.end method
