.class public Ljava/lang/reflect/Proxy;
.super Ljava/lang/Object;
.source "Proxy.java"

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

    iget-object v0, p0, Ljava/lang/reflect/Proxy;->h:Ljava/lang/reflect/InvocationHandler;

    invoke-interface {v0, p0, p1, p2}, Ljava/lang/reflect/InvocationHandler;->invoke(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;

    move-result-object v0

    return-object v0
.end method

# ART expects 21 direct methods (ClassLinker::CreateProxyConstructor)
.method private static fill00()V
    .registers 0

    return-void
.end method

.method private static fill01()V
    .registers 0

    return-void
.end method

.method private static fill02()V
    .registers 0

    return-void
.end method

.method private static fill03()V
    .registers 0

    return-void
.end method

.method private static fill04()V
    .registers 0

    return-void
.end method

.method private static fill05()V
    .registers 0

    return-void
.end method

.method private static fill06()V
    .registers 0

    return-void
.end method

.method private static fill07()V
    .registers 0

    return-void
.end method

.method private static fill08()V
    .registers 0

    return-void
.end method

.method private static fill09()V
    .registers 0

    return-void
.end method

.method private static fill10()V
    .registers 0

    return-void
.end method

.method private static fill11()V
    .registers 0

    return-void
.end method

.method private static fill12()V
    .registers 0

    return-void
.end method

.method private static fill13()V
    .registers 0

    return-void
.end method

.method private static fill14()V
    .registers 0

    return-void
.end method

.method private static fill15()V
    .registers 0

    return-void
.end method

.method private static fill16()V
    .registers 0

    return-void
.end method

.method private static fill17()V
    .registers 0

    return-void
.end method
