.class public final Ljava/lang/String;
.super Ljava/lang/Object;

# interfaces
.implements Ljava/io/Serializable;
.implements Ljava/lang/Comparable;
.implements Ljava/lang/CharSequence;

# annotations
.annotation system Ldalvik/annotation/Signature;
    value = {
        "Ljava/lang/Object;",
        "Ljava/io/Serializable;",
        "Ljava/lang/Comparable",
        "<",
        "Ljava/lang/String;",
        ">;",
        "Ljava/lang/CharSequence;"
    }
.end annotation

# static fields
.field public static CASE_INSENSITIVE_ORDER:Ljava/lang/Object; = null

.field private static serialPersistentFields:[Ljava/lang/Object; = null

.field private static final serialVersionUID:J = 0x1L

# instance fields
.field private final count:I

.field private hash:I

# direct methods
.method public constructor <init>()V
    .registers 2

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    const/4 v0, 0x0

    iput v0, p0, Ljava/lang/String;->count:I

    return-void
.end method

.method public constructor <init>(II[C)V
    .registers 5

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    const/4 v0, 0x0

    iput v0, p0, Ljava/lang/String;->count:I

    return-void
.end method

.method public constructor <init>(Ljava/lang/String;)V
    .registers 3

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    const/4 v0, 0x0

    iput v0, p0, Ljava/lang/String;->count:I

    return-void
.end method

.method public constructor <init>(Ljava/lang/StringBuffer;)V
    .registers 3

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    const/4 v0, 0x0

    iput v0, p0, Ljava/lang/String;->count:I

    return-void
.end method

.method public constructor <init>(Ljava/lang/StringBuilder;)V
    .registers 3

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    const/4 v0, 0x0

    iput v0, p0, Ljava/lang/String;->count:I

    return-void
.end method

.method public constructor <init>([B)V
    .registers 3

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    const/4 v0, 0x0

    iput v0, p0, Ljava/lang/String;->count:I

    return-void
.end method

.method public constructor <init>([BI)V
    .registers 4

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    const/4 v0, 0x0

    iput v0, p0, Ljava/lang/String;->count:I

    return-void
.end method

.method public constructor <init>([BII)V
    .registers 5

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    const/4 v0, 0x0

    iput v0, p0, Ljava/lang/String;->count:I

    return-void
.end method

.method public constructor <init>([BIII)V
    .registers 6

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    const/4 v0, 0x0

    iput v0, p0, Ljava/lang/String;->count:I

    return-void
.end method

.method public constructor <init>([BIILjava/lang/String;)V
    .registers 6

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    const/4 v0, 0x0

    iput v0, p0, Ljava/lang/String;->count:I

    return-void
.end method

.method public constructor <init>([BIILjava/nio/charset/Charset;)V
    .registers 6

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    const/4 v0, 0x0

    iput v0, p0, Ljava/lang/String;->count:I

    return-void
.end method

.method public constructor <init>([BLjava/lang/String;)V
    .registers 4

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    const/4 v0, 0x0

    iput v0, p0, Ljava/lang/String;->count:I

    return-void
.end method

.method public constructor <init>([BLjava/nio/charset/Charset;)V
    .registers 4

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    const/4 v0, 0x0

    iput v0, p0, Ljava/lang/String;->count:I

    return-void
.end method

.method public constructor <init>([C)V
    .registers 3

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    const/4 v0, 0x0

    iput v0, p0, Ljava/lang/String;->count:I

    return-void
.end method

.method public constructor <init>([CII)V
    .registers 5

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    const/4 v0, 0x0

    iput v0, p0, Ljava/lang/String;->count:I

    return-void
.end method

.method public constructor <init>([III)V
    .registers 5

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    const/4 v0, 0x0

    iput v0, p0, Ljava/lang/String;->count:I

    return-void
.end method

.method public static valueOf(C)Ljava/lang/String;
    .registers 4

    const/4 v2, 0x1

    const/4 v1, 0x0

    new-array v0, v2, [C

    aput-char p0, v0, v1

    invoke-static {v0, v1, v2}, Ljava/lang/StringFactory;->newStringFromChars([CII)Ljava/lang/String;

    move-result-object v0

    return-object v0
.end method

.method public static valueOf(Ljava/lang/Object;)Ljava/lang/String;
    .registers 2

    if-nez p0, :cond_5

    const-string v0, "null"

    :goto_4
    return-object v0

    :cond_5
    invoke-virtual {p0}, Ljava/lang/Object;->toString()Ljava/lang/String;

    move-result-object v0

    goto :goto_4
.end method

# virtual methods
.method public native charAt(I)C
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public bridge synthetic compareTo(Ljava/lang/Object;)I
    .registers 3
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation

    check-cast p1, Ljava/lang/String;

    invoke-virtual {p0, p1}, Ljava/lang/String;->compareTo(Ljava/lang/String;)I

    move-result v0

    return v0
.end method

.method public native compareTo(Ljava/lang/String;)I
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native concat(Ljava/lang/String;)Ljava/lang/String;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native doReplace(CC)Ljava/lang/String;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public equals(Ljava/lang/Object;)Z
    .registers 5

    const/4 v0, 0x1

    const/4 v1, 0x0

    if-ne p0, p1, :cond_5

    :cond_4
    :goto_4
    return v0

    :cond_5
    instance-of v2, p1, Ljava/lang/String;

    if-nez v2, :cond_b

    move v0, v1

    goto :goto_4

    :cond_b
    check-cast p1, Ljava/lang/String;

    invoke-virtual {p0, p1}, Ljava/lang/String;->compareTo(Ljava/lang/String;)I

    move-result v2

    if-eqz v2, :cond_4

    move v0, v1

    goto :goto_4
.end method

.method public native fastSubstring(II)Ljava/lang/String;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public fill$0()V
    .registers 1

    return-void
.end method

.method public fill$1()V
    .registers 1

    return-void
.end method

.method public fill$10()V
    .registers 1

    return-void
.end method

.method public fill$11()V
    .registers 1

    return-void
.end method

.method public fill$12()V
    .registers 1

    return-void
.end method

.method public fill$13()V
    .registers 1

    return-void
.end method

.method public fill$14()V
    .registers 1

    return-void
.end method

.method public fill$15()V
    .registers 1

    return-void
.end method

.method public fill$16()V
    .registers 1

    return-void
.end method

.method public fill$17()V
    .registers 1

    return-void
.end method

.method public fill$18()V
    .registers 1

    return-void
.end method

.method public fill$19()V
    .registers 1

    return-void
.end method

.method public fill$2()V
    .registers 1

    return-void
.end method

.method public fill$20()V
    .registers 1

    return-void
.end method

.method public fill$21()V
    .registers 1

    return-void
.end method

.method public fill$22()V
    .registers 1

    return-void
.end method

.method public fill$23()V
    .registers 1

    return-void
.end method

.method public fill$24()V
    .registers 1

    return-void
.end method

.method public fill$25()V
    .registers 1

    return-void
.end method

.method public fill$26()V
    .registers 1

    return-void
.end method

.method public fill$27()V
    .registers 1

    return-void
.end method

.method public fill$28()V
    .registers 1

    return-void
.end method

.method public fill$29()V
    .registers 1

    return-void
.end method

.method public fill$3()V
    .registers 1

    return-void
.end method

.method public fill$30()V
    .registers 1

    return-void
.end method

.method public fill$31()V
    .registers 1

    return-void
.end method

.method public fill$32()V
    .registers 1

    return-void
.end method

.method public fill$33()V
    .registers 1

    return-void
.end method

.method public fill$34()V
    .registers 1

    return-void
.end method

.method public fill$35()V
    .registers 1

    return-void
.end method

.method public fill$4()V
    .registers 1

    return-void
.end method

.method public fill$5()V
    .registers 1

    return-void
.end method

.method public fill$6()V
    .registers 1

    return-void
.end method

.method public fill$7()V
    .registers 1

    return-void
.end method

.method public fill$8()V
    .registers 1

    return-void
.end method

.method public fill$9()V
    .registers 1

    return-void
.end method

.method public getChars(II[CI)V
    .registers 7

    :goto_0
    if-ge p1, p2, :cond_e

    add-int/lit8 v0, p4, 0x1

    invoke-virtual {p0, p1}, Ljava/lang/String;->charAt(I)C

    move-result v1

    aput-char v1, p3, p4

    add-int/lit8 p1, p1, 0x1

    move p4, v0

    goto :goto_0

    :cond_e
    return-void
.end method

.method public native getCharsNoCheck(II[CI)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public hashCode()I
    .registers 5

    iget v0, p0, Ljava/lang/String;->hash:I

    if-nez v0, :cond_17

    invoke-virtual {p0}, Ljava/lang/String;->length()I

    move-result v2

    const/4 v1, 0x0

    :goto_9
    if-ge v1, v2, :cond_15

    mul-int/lit8 v0, v0, 0x1f

    invoke-virtual {p0, v1}, Ljava/lang/String;->charAt(I)C

    move-result v3

    add-int/2addr v0, v3

    add-int/lit8 v1, v1, 0x1

    goto :goto_9

    :cond_15
    iput v0, p0, Ljava/lang/String;->hash:I

    :cond_17
    return v0
.end method

.method public indexOf(I)I
    .registers 4

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public indexOf(II)I
    .registers 5

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public indexOf(Ljava/lang/String;)I
    .registers 4

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public indexOf(Ljava/lang/String;I)I
    .registers 5

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public native intern()Ljava/lang/String;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public isEmpty()Z
    .registers 2

    iget v0, p0, Ljava/lang/String;->count:I

    if-nez v0, :cond_6

    const/4 v0, 0x1

    :goto_5
    return v0

    :cond_6
    const/4 v0, 0x0

    goto :goto_5
.end method

.method public length()I
    .registers 2

    iget v0, p0, Ljava/lang/String;->count:I

    ushr-int/lit8 v0, v0, 0x1

    return v0
.end method

.method public subSequence(II)Ljava/lang/CharSequence;
    .registers 4

    invoke-virtual {p0, p1, p2}, Ljava/lang/String;->substring(II)Ljava/lang/String;

    move-result-object v0

    return-object v0
.end method

.method public substring(II)Ljava/lang/String;
    .registers 4

    sub-int v0, p2, p1

    invoke-virtual {p0, p1, v0}, Ljava/lang/String;->fastSubstring(II)Ljava/lang/String;

    move-result-object v0

    return-object v0
.end method

.method public native toCharArray()[C
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public toString()Ljava/lang/String;
    .registers 1

    return-object p0
.end method
