.class final Lv/N0;
.super Lv/M;
.source "M.java"

# direct methods
.method constructor <init>()V
    .registers 1

    invoke-direct {p0}, Lv/M;-><init>()V

    return-void
.end method

# virtual methods
.method public native m()V
.end method
