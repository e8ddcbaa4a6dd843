.class public Ljava/lang/reflect/Proxy;
.super Ljava/lang/Object;

# interfaces
.implements Ljava/io/Serializable;

# instance fields
.field protected h:Ljava/lang/reflect/InvocationHandler;

# direct methods
.method protected constructor <init>(Ljava/lang/reflect/InvocationHandler;)V
    .registers 2

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    iput-object p1, p0, Ljava/lang/reflect/Proxy;->h:Ljava/lang/reflect/InvocationHandler;

    return-void
.end method

.method public static native generateProxy(Ljava/lang/String;[Ljava/lang/Class;Ljava/lang/ClassLoader;[Ljava/lang/reflect/Method;[[Ljava/lang/Class;)Ljava/lang/Class;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method private static invoke(Ljava/lang/reflect/Proxy;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;
    .registers 4
    .annotation system Ldalvik/annotation/Throws;
        value = {
            Ljava/lang/Throwable;
        }
    .end annotation

    const/4 v0, 0x0

    return-object v0
.end method
