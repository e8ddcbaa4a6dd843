.class public abstract Ljava/lang/invoke/MethodHandle;
.super Ljava/lang/Object;

# instance fields
.field protected final artFieldOrMethod:J

.field private cachedSpreadInvoker:Ljava/lang/invoke/MethodHandle;

.field protected final handleKind:I

.field private nominalType:Ljava/lang/invoke/MethodType;

.field private final type:Ljava/lang/invoke/MethodType;

# direct methods
.method constructor <init>()V
    .registers 3

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    const/4 v0, 0x0

    iput-object v0, p0, Ljava/lang/invoke/MethodHandle;->type:Ljava/lang/invoke/MethodType;

    const/4 v0, 0x0

    iput v0, p0, Ljava/lang/invoke/MethodHandle;->handleKind:I

    const-wide/16 v0, 0x0

    iput-wide v0, p0, Ljava/lang/invoke/MethodHandle;->artFieldOrMethod:J

    return-void
.end method

# virtual methods
.method public final varargs native invoke([Ljava/lang/Object;)Ljava/lang/Object;
.end method

.method public final varargs native invokeExact([Ljava/lang/Object;)Ljava/lang/Object;
.end method
