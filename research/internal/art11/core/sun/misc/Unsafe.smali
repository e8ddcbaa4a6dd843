.class public final Lsun/misc/Unsafe;
.super Ljava/lang/Object;

# static fields
.field private static final theUnsafe:Lsun/misc/Unsafe;

# direct methods
.method static constructor <clinit>()V
    .registers 1

    new-instance v0, Lsun/misc/Unsafe;

    invoke-direct {v0}, Lsun/misc/Unsafe;-><init>()V

    sput-object v0, Lsun/misc/Unsafe;->theUnsafe:Lsun/misc/Unsafe;

    return-void
.end method

.method public constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method

.method public static native getArrayBaseOffsetForComponentType(Ljava/lang/Class;)I
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static native getArrayIndexScaleForComponentType(Ljava/lang/Class;)I
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

# virtual methods
.method public native addressSize()I
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native allocateMemory(J)J
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native compareAndSwapInt(Ljava/lang/Object;JII)Z
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native compareAndSwapLong(Ljava/lang/Object;JJJ)Z
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native compareAndSwapObject(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Z
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native copyMemory(JJJ)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native copyMemoryFromPrimitiveArray(Ljava/lang/Object;JJJ)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native copyMemoryToPrimitiveArray(JLjava/lang/Object;JJ)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native freeMemory(J)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native fullFence()V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public getAndAddInt(Ljava/lang/Object;JI)I
    .registers 7

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public getAndAddLong(Ljava/lang/Object;JJ)J
    .registers 8

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public getAndSetInt(Ljava/lang/Object;JI)I
    .registers 7

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public getAndSetLong(Ljava/lang/Object;JJ)J
    .registers 8

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public getAndSetObject(Ljava/lang/Object;JLjava/lang/Object;)Ljava/lang/Object;
    .registers 7

    new-instance v0, Ljava/lang/Error;

    const-string v1, "stub"

    invoke-direct {v0, v1}, Ljava/lang/Error;-><init>(Ljava/lang/String;)V

    throw v0
.end method

.method public native getBoolean(Ljava/lang/Object;J)Z
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getByte(J)B
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getByte(Ljava/lang/Object;J)B
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getChar(J)C
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getChar(Ljava/lang/Object;J)C
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getDouble(J)D
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getDouble(Ljava/lang/Object;J)D
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getFloat(J)F
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getFloat(Ljava/lang/Object;J)F
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getInt(J)I
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getInt(Ljava/lang/Object;J)I
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getIntVolatile(Ljava/lang/Object;J)I
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getLong(J)J
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getLong(Ljava/lang/Object;J)J
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getLongVolatile(Ljava/lang/Object;J)J
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getObject(Ljava/lang/Object;J)Ljava/lang/Object;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getObjectVolatile(Ljava/lang/Object;J)Ljava/lang/Object;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getShort(J)S
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getShort(Ljava/lang/Object;J)S
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native loadFence()V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native pageSize()I
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native park(ZJ)V
.end method

.method public native putBoolean(Ljava/lang/Object;JZ)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native putByte(JB)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native putByte(Ljava/lang/Object;JB)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native putChar(JC)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native putChar(Ljava/lang/Object;JC)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native putDouble(JD)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native putDouble(Ljava/lang/Object;JD)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native putFloat(JF)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native putFloat(Ljava/lang/Object;JF)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native putInt(JI)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native putInt(Ljava/lang/Object;JI)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native putIntVolatile(Ljava/lang/Object;JI)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native putLong(JJ)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native putLong(Ljava/lang/Object;JJ)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native putLongVolatile(Ljava/lang/Object;JJ)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native putObject(Ljava/lang/Object;JLjava/lang/Object;)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native putObjectVolatile(Ljava/lang/Object;JLjava/lang/Object;)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native putOrderedInt(Ljava/lang/Object;JI)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native putOrderedLong(Ljava/lang/Object;JJ)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native putOrderedObject(Ljava/lang/Object;JLjava/lang/Object;)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native putShort(JS)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native putShort(Ljava/lang/Object;JS)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native setMemory(JJB)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native storeFence()V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native unpark(Ljava/lang/Object;)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method
