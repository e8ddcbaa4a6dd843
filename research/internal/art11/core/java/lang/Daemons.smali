.class public final Ljava/lang/Daemons;
.super Ljava/lang/Object;

# annotations
.annotation system Ldalvik/annotation/MemberClasses;
    value = {
        Ljava/lang/Daemons$H;
    }
.end annotation

# static fields
.field static h:Ljava/lang/Daemons$H;

# direct methods
.method public constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method

.method public static requestGC()V
    .registers 0

    return-void
.end method

.method public static requestHeapTrim()V
    .registers 0

    return-void
.end method

.method public static start()V
    .registers 0

    return-void
.end method

.method public static stop()V
    .registers 0

    return-void
.end method

.method public static waitForDaemonStart()V
    .registers 0

    return-void
.end method
