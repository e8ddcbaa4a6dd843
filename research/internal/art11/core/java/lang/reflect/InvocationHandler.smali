.class public interface abstract Ljava/lang/reflect/InvocationHandler;
.super Ljava/lang/Object;
