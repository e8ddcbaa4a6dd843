.class public interface abstract Ljava/lang/Iterable;
.super Ljava/lang/Object;

# annotations
.annotation system Ldalvik/annotation/Signature;
    value = {
        "<T:",
        "Ljava/lang/Object;",
        ">",
        "Ljava/lang/Object;"
    }
.end annotation
