.class final Lv/N0;
.super Ljava/lang/Object;
.source "M.java"

# interfaces
.implements Lv/M;

# direct methods
.method constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method

# virtual methods
.method public native m()V
.end method
