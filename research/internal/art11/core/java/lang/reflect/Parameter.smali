.class public final Ljava/lang/reflect/Parameter;
.super Ljava/lang/Object;

# direct methods
.method constructor <init>(Ljava/lang/String;ILjava/lang/reflect/Executable;I)V
    .registers 5

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method

.method public static native getAnnotationNative(Ljava/lang/reflect/Executable;ILjava/lang/Class;)Ljava/lang/annotation/Annotation;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method
