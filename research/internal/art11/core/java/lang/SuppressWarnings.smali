.class public interface abstract annotation Ljava/lang/SuppressWarnings;
.super Ljava/lang/Object;

# interfaces
.implements Ljava/lang/annotation/Annotation;

# annotations
.annotation build Ljava/lang/annotation/Retention;
    value = .enum Ljava/lang/annotation/RetentionPolicy;->SOURCE:Ljava/lang/annotation/RetentionPolicy;
.end annotation

# virtual methods
.method public abstract value()[Ljava/lang/String;
.end method
