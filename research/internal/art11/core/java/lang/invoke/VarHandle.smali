.class public abstract Ljava/lang/invoke/VarHandle;
.super Ljava/lang/Object;

# instance fields
.field private final accessModesBitMask:I

.field private final coordinateType0:Ljava/lang/Class;
    .annotation system Ldalvik/annotation/Signature;
        value = {
            "Ljava/lang/Class",
            "<*>;"
        }
    .end annotation
.end field

.field private final coordinateType1:Ljava/lang/Class;
    .annotation system Ldalvik/annotation/Signature;
        value = {
            "Ljava/lang/Class",
            "<*>;"
        }
    .end annotation
.end field

.field private final varType:Ljava/lang/Class;
    .annotation system Ldalvik/annotation/Signature;
        value = {
            "Ljava/lang/Class",
            "<*>;"
        }
    .end annotation
.end field

# direct methods
.method public constructor <init>()V
    .registers 2

    const/4 v0, 0x0

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    iput-object v0, p0, Ljava/lang/invoke/VarHandle;->varType:Ljava/lang/Class;

    iput-object v0, p0, Ljava/lang/invoke/VarHandle;->coordinateType0:Ljava/lang/Class;

    iput-object v0, p0, Ljava/lang/invoke/VarHandle;->coordinateType1:Ljava/lang/Class;

    const/4 v0, 0x0

    iput v0, p0, Ljava/lang/invoke/VarHandle;->accessModesBitMask:I

    return-void
.end method

.method public static acquireFence()V
    .registers 2

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static fullFence()V
    .registers 2

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static loadLoadFence()V
    .registers 2

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static releaseFence()V
    .registers 2

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public static storeStoreFence()V
    .registers 2

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

# virtual methods
.method public final varargs native compareAndExchange([Ljava/lang/Object;)Ljava/lang/Object;
.end method

.method public final varargs native compareAndExchangeAcquire([Ljava/lang/Object;)Ljava/lang/Object;
.end method

.method public final varargs native compareAndExchangeRelease([Ljava/lang/Object;)Ljava/lang/Object;
.end method

.method public final varargs native compareAndSet([Ljava/lang/Object;)Z
.end method

.method public final varargs native get([Ljava/lang/Object;)Ljava/lang/Object;
.end method

.method public final varargs native getAcquire([Ljava/lang/Object;)Ljava/lang/Object;
.end method

.method public final varargs native getAndAdd([Ljava/lang/Object;)Ljava/lang/Object;
.end method

.method public final varargs native getAndAddAcquire([Ljava/lang/Object;)Ljava/lang/Object;
.end method

.method public final varargs native getAndAddRelease([Ljava/lang/Object;)Ljava/lang/Object;
.end method

.method public final varargs native getAndBitwiseAnd([Ljava/lang/Object;)Ljava/lang/Object;
.end method

.method public final varargs native getAndBitwiseAndAcquire([Ljava/lang/Object;)Ljava/lang/Object;
.end method

.method public final varargs native getAndBitwiseAndRelease([Ljava/lang/Object;)Ljava/lang/Object;
.end method

.method public final varargs native getAndBitwiseOr([Ljava/lang/Object;)Ljava/lang/Object;
.end method

.method public final varargs native getAndBitwiseOrAcquire([Ljava/lang/Object;)Ljava/lang/Object;
.end method

.method public final varargs native getAndBitwiseOrRelease([Ljava/lang/Object;)Ljava/lang/Object;
.end method

.method public final varargs native getAndBitwiseXor([Ljava/lang/Object;)Ljava/lang/Object;
.end method

.method public final varargs native getAndBitwiseXorAcquire([Ljava/lang/Object;)Ljava/lang/Object;
.end method

.method public final varargs native getAndBitwiseXorRelease([Ljava/lang/Object;)Ljava/lang/Object;
.end method

.method public final varargs native getAndSet([Ljava/lang/Object;)Ljava/lang/Object;
.end method

.method public final varargs native getAndSetAcquire([Ljava/lang/Object;)Ljava/lang/Object;
.end method

.method public final varargs native getAndSetRelease([Ljava/lang/Object;)Ljava/lang/Object;
.end method

.method public final varargs native getOpaque([Ljava/lang/Object;)Ljava/lang/Object;
.end method

.method public final varargs native getVolatile([Ljava/lang/Object;)Ljava/lang/Object;
.end method

.method public final varargs native set([Ljava/lang/Object;)V
.end method

.method public final varargs native setOpaque([Ljava/lang/Object;)V
.end method

.method public final varargs native setRelease([Ljava/lang/Object;)V
.end method

.method public final varargs native setVolatile([Ljava/lang/Object;)V
.end method

.method public final varargs native weakCompareAndSet([Ljava/lang/Object;)Z
.end method

.method public final varargs native weakCompareAndSetAcquire([Ljava/lang/Object;)Z
.end method

.method public final varargs native weakCompareAndSetPlain([Ljava/lang/Object;)Z
.end method

.method public final varargs native weakCompareAndSetRelease([Ljava/lang/Object;)Z
.end method
