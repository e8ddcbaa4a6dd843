.class public interface abstract annotation Ljava/lang/annotation/Retention;
.super Ljava/lang/Object;

# interfaces
.implements Ljava/lang/annotation/Annotation;

# virtual methods
.method public abstract value()Ljava/lang/annotation/RetentionPolicy;
.end method
