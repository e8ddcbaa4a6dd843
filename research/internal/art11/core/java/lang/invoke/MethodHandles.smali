.class public Ljava/lang/invoke/MethodHandles;
.super Ljava/lang/Object;

# annotations
.annotation system Ldalvik/annotation/MemberClasses;
    value = {
        Ljava/lang/invoke/MethodHandles$Lookup;
    }
.end annotation

# direct methods
.method public constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method

.method public static lookup()Ljava/lang/invoke/MethodHandles$Lookup;
    .registers 1

    const/4 v0, 0x0

    return-object v0
.end method
