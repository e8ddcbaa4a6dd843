.class public final Ljava/lang/Byte;
.super Ljava/lang/Number;

# instance fields
.field private final value:B

# direct methods
.method public constructor <init>(B)V
    .registers 2

    invoke-direct {p0}, Ljava/lang/Number;-><init>()V

    iput-byte p1, p0, Ljava/lang/Byte;->value:B

    return-void
.end method

.method public static valueOf(B)Ljava/lang/Byte;
    .registers 2

    new-instance v0, Ljava/lang/Byte;

    invoke-direct {v0, p0}, Ljava/lang/Byte;-><init>(B)V

    return-object v0
.end method

# virtual methods
.method public intValue()I
    .registers 2

    iget-byte v0, p0, Ljava/lang/Byte;->value:B

    return v0
.end method
