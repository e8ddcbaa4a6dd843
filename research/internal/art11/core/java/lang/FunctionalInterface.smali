.class public interface abstract annotation Ljava/lang/FunctionalInterface;
.super Ljava/lang/Object;

# interfaces
.implements Ljava/lang/annotation/Annotation;
