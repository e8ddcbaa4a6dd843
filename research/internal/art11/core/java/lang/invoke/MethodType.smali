.class public final Ljava/lang/invoke/MethodType;
.super Ljava/lang/Object;

# instance fields
.field private form:Ljava/lang/Object;

.field private methodDescriptor:Ljava/lang/String;

.field private ptypes:[Ljava/lang/Class;
    .annotation system Ldalvik/annotation/Signature;
        value = {
            "[",
            "Ljava/lang/Class",
            "<*>;"
        }
    .end annotation
.end field

.field private rtype:Ljava/lang/Class;
    .annotation system Ldalvik/annotation/Signature;
        value = {
            "Ljava/lang/Class",
            "<*>;"
        }
    .end annotation
.end field

.field private wrapAlt:Ljava/lang/Object;

# direct methods
.method public constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method
