.class Ljava/lang/Integer$IntegerCache;
.super Ljava/lang/Object;

# annotations
.annotation system Ldalvik/annotation/EnclosingClass;
    value = Ljava/lang/Integer;
.end annotation

.annotation system Ldalvik/annotation/InnerClass;
    accessFlags = 0x8
    name = "IntegerCache"
.end annotation

# static fields
.field static final cache:[Ljava/lang/Integer;

.field static final high:I = 0x7f

.field static final low:I = -0x80

# direct methods
.method static constructor <clinit>()V
    .registers 5

    const/16 v4, 0x100

    new-array v1, v4, [Ljava/lang/Integer;

    const/4 v0, 0x0

    :goto_5
    if-ge v0, v4, :cond_13

    new-instance v2, Ljava/lang/Integer;

    add-int/lit8 v3, v0, -0x80

    invoke-direct {v2, v3}, Ljava/lang/Integer;-><init>(I)V

    aput-object v2, v1, v0

    add-int/lit8 v0, v0, 0x1

    goto :goto_5

    :cond_13
    sput-object v1, Ljava/lang/Integer$IntegerCache;->cache:[Ljava/lang/Integer;

    return-void
.end method

.method constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method
