.class public interface abstract Lv/M;
.super Ljava/lang/Object;
.source "M.java"

# virtual methods
.method public abstract m()V
    .annotation system Ldalvik/annotation/Throws;
        value = {
            Ljava/lang/Throwable;
        }
    .end annotation
.end method
