.class public interface abstract Lv/P0;
.super Ljava/lang/Object;
.source "M.java"

# interfaces
.implements Lv/M;

# virtual methods
.method public abstract m()V
    .annotation system Ldalvik/annotation/Throws;
        value = {
            Ljava/lang/Throwable;
        }
    .end annotation
.end method
