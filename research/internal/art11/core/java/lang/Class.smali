.class public final Ljava/lang/Class;
.super Ljava/lang/Object;

# interfaces
.implements Ljava/io/Serializable;

# annotations
.annotation system Ldalvik/annotation/Signature;
    value = {
        "<T:",
        "Ljava/lang/Object;",
        ">",
        "Ljava/lang/Object;",
        "Ljava/io/Serializable;"
    }
.end annotation

# static fields
.field private static final ANNOTATION:I = 0x2000

.field private static final ENUM:I = 0x4000

.field private static final FINALIZER:I = -0x80000000

.field private static final SYNTHETIC:I = 0x1000

.field private static final serialVersionUID:J = 0x1L

# instance fields
.field private transient accessFlags:I

.field private transient classFlags:I

.field private transient classLoader:Ljava/lang/ClassLoader;

.field private transient classSize:I

.field private transient clinitThreadId:I

.field private transient componentType:Ljava/lang/Class;
    .annotation system Ldalvik/annotation/Signature;
        value = {
            "Ljava/lang/Class",
            "<*>;"
        }
    .end annotation
.end field

.field private transient copiedMethodsOffset:S

.field private transient dexCache:Ljava/lang/Object;

.field private transient dexClassDefIndex:I

.field private volatile transient dexTypeIndex:I

.field private transient extData:Ldalvik/system/ClassExt;

.field private transient iFields:J

.field private transient ifTable:[Ljava/lang/Object;

.field private transient methods:J

.field private transient name:Ljava/lang/String;

.field private transient numReferenceInstanceFields:I

.field private transient numReferenceStaticFields:I

.field private transient objectSize:I

.field private transient objectSizeAllocFastPath:I

.field private transient primitiveType:I

.field private transient referenceInstanceOffsets:I

.field private transient sFields:J

.field private transient status:I

.field private transient superClass:Ljava/lang/Class;
    .annotation system Ldalvik/annotation/Signature;
        value = {
            "Ljava/lang/Class",
            "<*>;"
        }
    .end annotation
.end field

.field private transient virtualMethodsOffset:S

.field private transient vtable:Ljava/lang/Object;

# direct methods
.method private constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method

.method public static native classForName(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static native getPrimitiveClass(Ljava/lang/String;)Ljava/lang/Class;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

# virtual methods
.method public desiredAssertionStatus()Z
    .registers 2

    const/4 v0, 0x0

    return v0
.end method

.method public fill$0()V
    .registers 1

    return-void
.end method

.method public fill$1()V
    .registers 1

    return-void
.end method

.method public fill$10()V
    .registers 1

    return-void
.end method

.method public fill$11()V
    .registers 1

    return-void
.end method

.method public fill$12()V
    .registers 1

    return-void
.end method

.method public fill$13()V
    .registers 1

    return-void
.end method

.method public fill$14()V
    .registers 1

    return-void
.end method

.method public fill$15()V
    .registers 1

    return-void
.end method

.method public fill$16()V
    .registers 1

    return-void
.end method

.method public fill$17()V
    .registers 1

    return-void
.end method

.method public fill$18()V
    .registers 1

    return-void
.end method

.method public fill$19()V
    .registers 1

    return-void
.end method

.method public fill$2()V
    .registers 1

    return-void
.end method

.method public fill$20()V
    .registers 1

    return-void
.end method

.method public fill$21()V
    .registers 1

    return-void
.end method

.method public fill$22()V
    .registers 1

    return-void
.end method

.method public fill$23()V
    .registers 1

    return-void
.end method

.method public fill$24()V
    .registers 1

    return-void
.end method

.method public fill$25()V
    .registers 1

    return-void
.end method

.method public fill$26()V
    .registers 1

    return-void
.end method

.method public fill$27()V
    .registers 1

    return-void
.end method

.method public fill$28()V
    .registers 1

    return-void
.end method

.method public fill$29()V
    .registers 1

    return-void
.end method

.method public fill$3()V
    .registers 1

    return-void
.end method

.method public fill$30()V
    .registers 1

    return-void
.end method

.method public fill$31()V
    .registers 1

    return-void
.end method

.method public fill$32()V
    .registers 1

    return-void
.end method

.method public fill$33()V
    .registers 1

    return-void
.end method

.method public fill$34()V
    .registers 1

    return-void
.end method

.method public fill$35()V
    .registers 1

    return-void
.end method

.method public fill$36()V
    .registers 1

    return-void
.end method

.method public fill$37()V
    .registers 1

    return-void
.end method

.method public fill$38()V
    .registers 1

    return-void
.end method

.method public fill$39()V
    .registers 1

    return-void
.end method

.method public fill$4()V
    .registers 1

    return-void
.end method

.method public fill$5()V
    .registers 1

    return-void
.end method

.method public fill$6()V
    .registers 1

    return-void
.end method

.method public fill$7()V
    .registers 1

    return-void
.end method

.method public fill$8()V
    .registers 1

    return-void
.end method

.method public fill$9()V
    .registers 1

    return-void
.end method

.method public getComponentType()Ljava/lang/Class;
    .registers 2
    .annotation system Ldalvik/annotation/Signature;
        value = {
            "()",
            "Ljava/lang/Class",
            "<*>;"
        }
    .end annotation

    iget-object v0, p0, Ljava/lang/Class;->componentType:Ljava/lang/Class;

    return-object v0
.end method

.method public native getDeclaredAnnotation(Ljava/lang/Class;)Ljava/lang/annotation/Annotation;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getDeclaredAnnotations()[Ljava/lang/annotation/Annotation;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getDeclaredClasses()[Ljava/lang/Class;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getDeclaredConstructorInternal([Ljava/lang/Class;)Ljava/lang/reflect/Constructor;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getDeclaredConstructorsInternal(Z)[Ljava/lang/reflect/Constructor;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getDeclaredField(Ljava/lang/String;)Ljava/lang/reflect/Field;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getDeclaredFields()[Ljava/lang/reflect/Field;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getDeclaredFieldsUnchecked(Z)[Ljava/lang/reflect/Field;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getDeclaredMethodInternal(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getDeclaredMethodsUnchecked(Z)[Ljava/lang/reflect/Method;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getDeclaringClass()Ljava/lang/Class;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getEnclosingClass()Ljava/lang/Class;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getEnclosingConstructorNative()Ljava/lang/reflect/Constructor;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getEnclosingMethodNative()Ljava/lang/reflect/Method;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getInnerClassFlags(I)I
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getInnerClassName()Ljava/lang/String;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getInterfacesInternal()[Ljava/lang/Class;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public getName()Ljava/lang/String;
    .registers 2

    iget-object v0, p0, Ljava/lang/Class;->name:Ljava/lang/String;

    if-nez v0, :cond_a

    invoke-virtual {p0}, Ljava/lang/Class;->getNameNative()Ljava/lang/String;

    move-result-object v0

    iput-object v0, p0, Ljava/lang/Class;->name:Ljava/lang/String;

    :cond_a
    return-object v0
.end method

.method public native getNameNative()Ljava/lang/String;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getPublicDeclaredFields()[Ljava/lang/reflect/Field;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getPublicFieldRecursive(Ljava/lang/String;)Ljava/lang/reflect/Field;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native getSignatureAnnotation()[Ljava/lang/String;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native isAnonymousClass()Z
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native isDeclaredAnnotationPresent(Ljava/lang/Class;)Z
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native newInstance()Ljava/lang/Object;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method
