.class public final Ljava/lang/StringBuilder;
.super Ljava/lang/Object;

# interfaces
.implements Ljava/lang/CharSequence;
.implements Ljava/io/Serializable;

# instance fields
.field private n:I

.field private v:[C

# direct methods
.method public constructor <init>()V
    .registers 2

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    const/16 v0, 0x10

    new-array v0, v0, [C

    iput-object v0, p0, Ljava/lang/StringBuilder;->v:[C

    return-void
.end method

.method public constructor <init>(I)V
    .registers 3

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    new-array v0, p1, [C

    iput-object v0, p0, Ljava/lang/StringBuilder;->v:[C

    return-void
.end method

.method public constructor <init>(Ljava/lang/String;)V
    .registers 3

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    invoke-virtual {p1}, Ljava/lang/String;->length()I

    move-result v0

    add-int/lit8 v0, v0, 0x10

    new-array v0, v0, [C

    iput-object v0, p0, Ljava/lang/StringBuilder;->v:[C

    invoke-virtual {p0, p1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;

    return-void
.end method

.method private room(I)V
    .registers 5

    iget v0, p0, Ljava/lang/StringBuilder;->n:I

    add-int/2addr v0, p1

    iget-object v1, p0, Ljava/lang/StringBuilder;->v:[C

    array-length v1, v1

    if-le v0, v1, :cond_1f

    iget v0, p0, Ljava/lang/StringBuilder;->n:I

    add-int/2addr v0, p1

    mul-int/lit8 v0, v0, 0x2

    new-array v1, v0, [C

    const/4 v0, 0x0

    :goto_10
    iget v2, p0, Ljava/lang/StringBuilder;->n:I

    if-ge v0, v2, :cond_1d

    iget-object v2, p0, Ljava/lang/StringBuilder;->v:[C

    aget-char v2, v2, v0

    aput-char v2, v1, v0

    add-int/lit8 v0, v0, 0x1

    goto :goto_10

    :cond_1d
    iput-object v1, p0, Ljava/lang/StringBuilder;->v:[C

    :cond_1f
    return-void
.end method

# virtual methods
.method public append(C)Ljava/lang/StringBuilder;
    .registers 5

    const/4 v0, 0x1

    invoke-direct {p0, v0}, Ljava/lang/StringBuilder;->room(I)V

    iget-object v0, p0, Ljava/lang/StringBuilder;->v:[C

    iget v1, p0, Ljava/lang/StringBuilder;->n:I

    add-int/lit8 v2, v1, 0x1

    iput v2, p0, Ljava/lang/StringBuilder;->n:I

    aput-char p1, v0, v1

    return-object p0
.end method

.method public append(D)Ljava/lang/StringBuilder;
    .registers 5

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public append(F)Ljava/lang/StringBuilder;
    .registers 4

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public append(I)Ljava/lang/StringBuilder;
    .registers 4

    int-to-long v0, p1

    invoke-virtual {p0, v0, v1}, Ljava/lang/StringBuilder;->append(J)Ljava/lang/StringBuilder;

    move-result-object v0

    return-object v0
.end method

.method public append(J)Ljava/lang/StringBuilder;
    .registers 14

    const-wide/16 v8, 0xa

    const-wide/16 v6, 0x0

    cmp-long v0, p1, v6

    if-gez v0, :cond_1b

    const/16 v0, 0x2d

    invoke-virtual {p0, v0}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;

    const-wide/high16 v0, -0x8000000000000000L

    cmp-long v0, p1, v0

    if-nez v0, :cond_1a

    const-string v0, "9223372036854775808"

    invoke-virtual {p0, v0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;

    move-result-object p0

    :cond_19
    return-object p0

    :cond_1a
    neg-long p1, p1

    :cond_1b
    const/16 v0, 0x14

    new-array v2, v0, [C

    const/4 v0, 0x0

    :goto_20
    add-int/lit8 v1, v0, 0x1

    rem-long v4, p1, v8

    long-to-int v3, v4

    add-int/lit8 v3, v3, 0x30

    int-to-char v3, v3

    aput-char v3, v2, v0

    div-long/2addr p1, v8

    cmp-long v0, p1, v6

    if-nez v0, :cond_39

    :goto_2f
    if-lez v1, :cond_19

    add-int/lit8 v1, v1, -0x1

    aget-char v0, v2, v1

    invoke-virtual {p0, v0}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;

    goto :goto_2f

    :cond_39
    move v0, v1

    goto :goto_20
.end method

.method public append(Ljava/lang/CharSequence;)Ljava/lang/StringBuilder;
    .registers 4

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public append(Ljava/lang/Object;)Ljava/lang/StringBuilder;
    .registers 3

    invoke-static {p1}, Ljava/lang/String;->valueOf(Ljava/lang/Object;)Ljava/lang/String;

    move-result-object v0

    invoke-virtual {p0, v0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;

    move-result-object v0

    return-object v0
.end method

.method public append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    .registers 7

    if-nez p1, :cond_4

    const-string p1, "null"

    :cond_4
    invoke-virtual {p1}, Ljava/lang/String;->length()I

    move-result v1

    invoke-direct {p0, v1}, Ljava/lang/StringBuilder;->room(I)V

    const/4 v0, 0x0

    :goto_c
    if-ge v0, v1, :cond_1f

    iget-object v2, p0, Ljava/lang/StringBuilder;->v:[C

    iget v3, p0, Ljava/lang/StringBuilder;->n:I

    add-int/lit8 v4, v3, 0x1

    iput v4, p0, Ljava/lang/StringBuilder;->n:I

    invoke-virtual {p1, v0}, Ljava/lang/String;->charAt(I)C

    move-result v4

    aput-char v4, v2, v3

    add-int/lit8 v0, v0, 0x1

    goto :goto_c

    :cond_1f
    return-object p0
.end method

.method public append(Z)Ljava/lang/StringBuilder;
    .registers 3

    if-eqz p1, :cond_9

    const-string v0, "true"

    :goto_4
    invoke-virtual {p0, v0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;

    move-result-object v0

    return-object v0

    :cond_9
    const-string v0, "false"

    goto :goto_4
.end method

.method public append([C)Ljava/lang/StringBuilder;
    .registers 4

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public charAt(I)C
    .registers 3

    iget-object v0, p0, Ljava/lang/StringBuilder;->v:[C

    aget-char v0, v0, p1

    return v0
.end method

.method public length()I
    .registers 2

    iget v0, p0, Ljava/lang/StringBuilder;->n:I

    return v0
.end method

.method public subSequence(II)Ljava/lang/CharSequence;
    .registers 4

    invoke-virtual {p0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;

    move-result-object v0

    invoke-virtual {v0, p1, p2}, Ljava/lang/String;->subSequence(II)Ljava/lang/CharSequence;

    move-result-object v0

    return-object v0
.end method

.method public toString()Ljava/lang/String;
    .registers 4

    const/4 v0, 0x0

    iget v1, p0, Ljava/lang/StringBuilder;->n:I

    iget-object v2, p0, Ljava/lang/StringBuilder;->v:[C

    invoke-static {v0, v1, v2}, Ljava/lang/StringFactory;->newStringFromChars(II[C)Ljava/lang/String;

    move-result-object v0

    return-object v0
.end method
