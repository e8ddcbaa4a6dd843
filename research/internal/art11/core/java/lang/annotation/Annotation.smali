.class public interface abstract Ljava/lang/annotation/Annotation;
.super Ljava/lang/Object;
