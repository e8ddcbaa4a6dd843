.class public final Ljava/lang/Long;
.super Ljava/lang/Number;

# static fields
.field public static final MAX_VALUE:J = 0x7fffffffffffffffL

.field public static final MIN_VALUE:J = -0x8000000000000000L

# instance fields
.field private final value:J

# direct methods
.method public constructor <init>(J)V
    .registers 4

    invoke-direct {p0}, Ljava/lang/Number;-><init>()V

    iput-wide p1, p0, Ljava/lang/Long;->value:J

    return-void
.end method

.method public static bitCount(J)I
    .registers 4

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static compare(JJ)I
    .registers 6

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static highestOneBit(J)J
    .registers 4

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static lowestOneBit(J)J
    .registers 4

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static numberOfLeadingZeros(J)I
    .registers 4

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static numberOfTrailingZeros(J)I
    .registers 4

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static reverse(J)J
    .registers 4

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static reverseBytes(J)J
    .registers 4

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static rotateLeft(JI)J
    .registers 5

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static rotateRight(JI)J
    .registers 5

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static signum(J)I
    .registers 4

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static valueOf(J)Ljava/lang/Long;
    .registers 4

    new-instance v0, Ljava/lang/Long;

    invoke-direct {v0, p0, p1}, Ljava/lang/Long;-><init>(J)V

    return-object v0
.end method

# virtual methods
.method public intValue()I
    .registers 3

    iget-wide v0, p0, Ljava/lang/Long;->value:J

    long-to-int v0, v0

    return v0
.end method

.method public longValue()J
    .registers 3

    iget-wide v0, p0, Ljava/lang/Long;->value:J

    return-wide v0
.end method

.method public toString()Ljava/lang/String;
    .registers 5

    new-instance v0, Ljava/lang/StringBuilder;

    invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V

    iget-wide v2, p0, Ljava/lang/Long;->value:J

    invoke-virtual {v0, v2, v3}, Ljava/lang/StringBuilder;->append(J)Ljava/lang/StringBuilder;

    move-result-object v0

    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;

    move-result-object v0

    return-object v0
.end method
