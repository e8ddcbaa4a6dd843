.class public final Ldalvik/system/InMemoryDexClassLoader;
.super Ldalvik/system/BaseDexClassLoader;

# direct methods
.method public constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ldalvik/system/BaseDexClassLoader;-><init>()V

    return-void
.end method
