.class public interface abstract annotation Ldalvik/annotation/optimization/CriticalNative;
.super Ljava/lang/Object;

# interfaces
.implements Ljava/lang/annotation/Annotation;

# annotations
.annotation build Ljava/lang/annotation/Retention;
    value = .enum Ljava/lang/annotation/RetentionPolicy;->CLASS:Ljava/lang/annotation/RetentionPolicy;
.end annotation
