.class public Ljava/lang/invoke/MethodHandleImpl;
.super Ljava/lang/invoke/MethodHandle;

# instance fields
.field private info:Ljava/lang/Object;

# direct methods
.method public constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/invoke/MethodHandle;-><init>()V

    return-void
.end method

# virtual methods
.method public native getMemberInternal()Ljava/lang/reflect/Member;
.end method
