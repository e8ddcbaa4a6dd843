.class public interface abstract Ljava/lang/AutoCloseable;
.super Ljava/lang/Object;

# virtual methods
.method public abstract close()V
    .annotation system Ldalvik/annotation/Throws;
        value = {
            Ljava/lang/Exception;
        }
    .end annotation
.end method
