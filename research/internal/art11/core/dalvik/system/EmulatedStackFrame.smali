.class public Ldalvik/system/EmulatedStackFrame;
.super Ljava/lang/Object;

# instance fields
.field private final callsiteType:Ljava/lang/invoke/MethodType;

.field private final references:[Ljava/lang/Object;

.field private final stackFrame:[B

.field private final type:Ljava/lang/invoke/MethodType;

# direct methods
.method public constructor <init>()V
    .registers 2

    const/4 v0, 0x0

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    iput-object v0, p0, Ldalvik/system/EmulatedStackFrame;->callsiteType:Ljava/lang/invoke/MethodType;

    iput-object v0, p0, Ldalvik/system/EmulatedStackFrame;->references:[Ljava/lang/Object;

    iput-object v0, p0, Ldalvik/system/EmulatedStackFrame;->stackFrame:[B

    iput-object v0, p0, Ldalvik/system/EmulatedStackFrame;->type:Ljava/lang/invoke/MethodType;

    return-void
.end method
