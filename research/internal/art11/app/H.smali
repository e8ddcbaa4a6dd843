.class final Lv/H;
.super Ljava/lang/Object;
.source "M.java"

# interfaces
.implements Ljava/lang/reflect/InvocationHandler;

# direct methods
.method constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method

# virtual methods
.method public native invoke(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;
.end method
