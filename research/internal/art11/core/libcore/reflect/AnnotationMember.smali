.class public final Llibcore/reflect/AnnotationMember;
.super Ljava/lang/Object;

# direct methods
.method public constructor <init>(Ljava/lang/String;Ljava/lang/Object;Ljava/lang/Class;Ljava/lang/reflect/Method;)V
    .registers 5

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method
