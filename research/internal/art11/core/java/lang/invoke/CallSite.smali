.class public abstract Ljava/lang/invoke/CallSite;
.super Ljava/lang/Object;

# instance fields
.field target:Ljava/lang/invoke/MethodHandle;

# direct methods
.method public constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method
