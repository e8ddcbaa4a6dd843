.class public interface abstract Ljava/lang/reflect/InvocationHandler;
.super Ljava/lang/Object;

# virtual methods
.method public abstract invoke(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;
.end method
