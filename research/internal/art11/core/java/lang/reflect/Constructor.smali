.class public final Ljava/lang/reflect/Constructor;
.super Ljava/lang/reflect/Executable;

# annotations
.annotation system Ldalvik/annotation/Signature;
    value = {
        "<T:",
        "Ljava/lang/Object;",
        ">",
        "Ljava/lang/reflect/Executable;"
    }
.end annotation

# direct methods
.method private constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/reflect/Executable;-><init>()V

    return-void
.end method

.method public static native newInstanceFromSerialization(Ljava/lang/Class;Ljava/lang/Class;)Ljava/lang/Object;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

# virtual methods
.method public native getExceptionTypes()[Ljava/lang/Class;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native newInstance0([Ljava/lang/Object;)Ljava/lang/Object;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method
