.class public interface abstract Ljava/lang/Runnable;
.super Ljava/lang/Object;

# virtual methods
.method public abstract run()V
.end method
