.class public interface abstract annotation Ljava/lang/Deprecated;
.super Ljava/lang/Object;

# interfaces
.implements Ljava/lang/annotation/Annotation;
