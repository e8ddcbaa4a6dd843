.class public final Ljava/lang/Character;
.super Ljava/lang/Object;

# instance fields
.field private final value:C

# direct methods
.method public constructor <init>(C)V
    .registers 2

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    iput-char p1, p0, Ljava/lang/Character;->value:C

    return-void
.end method

.method public static valueOf(C)Ljava/lang/Character;
    .registers 2

    new-instance v0, Ljava/lang/Character;

    invoke-direct {v0, p0}, Ljava/lang/Character;-><init>(C)V

    return-object v0
.end method
