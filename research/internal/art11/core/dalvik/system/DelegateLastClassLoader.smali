.class public final Ldalvik/system/DelegateLastClassLoader;
.super Ldalvik/system/PathClassLoader;

# direct methods
.method public constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ldalvik/system/PathClassLoader;-><init>()V

    return-void
.end method
