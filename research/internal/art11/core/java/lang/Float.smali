.class public final Ljava/lang/Float;
.super Ljava/lang/Number;

# instance fields
.field private final value:F

# direct methods
.method public constructor <init>(F)V
    .registers 2

    invoke-direct {p0}, Ljava/lang/Number;-><init>()V

    iput p1, p0, Ljava/lang/Float;->value:F

    return-void
.end method

.method public static floatToIntBits(F)I
    .registers 3

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static floatToRawIntBits(F)I
    .registers 3

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static intBitsToFloat(I)F
    .registers 3

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static isInfinite(F)Z
    .registers 3

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static isNaN(F)Z
    .registers 3

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static valueOf(F)Ljava/lang/Float;
    .registers 2

    new-instance v0, Ljava/lang/Float;

    invoke-direct {v0, p0}, Ljava/lang/Float;-><init>(F)V

    return-object v0
.end method

# virtual methods
.method public intValue()I
    .registers 2

    iget v0, p0, Ljava/lang/Float;->value:F

    float-to-int v0, v0

    return v0
.end method
