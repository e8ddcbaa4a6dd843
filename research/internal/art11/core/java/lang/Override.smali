.class public interface abstract annotation Ljava/lang/Override;
.super Ljava/lang/Object;

# interfaces
.implements Ljava/lang/annotation/Annotation;

# annotations
.annotation build Ljava/lang/annotation/Retention;
    value = .enum Ljava/lang/annotation/RetentionPolicy;->SOURCE:Ljava/lang/annotation/RetentionPolicy;
.end annotation
