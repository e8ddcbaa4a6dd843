.class public Ldalvik/system/AnnotatedStackTraceElement;
.super Ljava/lang/Object;

# instance fields
.field private blockedOn:Ljava/lang/Object;

.field private heldLocks:[Ljava/lang/Object;

.field private stackTraceElement:Ljava/lang/StackTraceElement;

# direct methods
.method public constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method
