.class public interface abstract annotation Ljava/lang/SafeVarargs;
.super Ljava/lang/Object;

# interfaces
.implements Ljava/lang/annotation/Annotation;
