.class public final Ldalvik/system/ZygoteHooks;
.super Ljava/lang/Object;

# direct methods
.method public constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method

.method public static native nativePostForkChild(JIZZLjava/lang/String;)V
.end method

.method public static native nativePostZygoteFork()V
.end method

.method public static native nativePreFork()J
.end method

# virtual methods
.method public native nativePostForkSystemServer(I)V
.end method

.method public native startZygoteNoThreadCreation()V
.end method

.method public native stopZygoteNoThreadCreation()V
.end method
