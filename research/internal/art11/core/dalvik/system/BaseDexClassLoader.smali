.class public Ldalvik/system/BaseDexClassLoader;
.super Ljava/lang/ClassLoader;

# instance fields
.field private final pathList:Ldalvik/system/DexPathList;

.field protected final sharedLibraryLoaders:[Ljava/lang/ClassLoader;

# direct methods
.method public constructor <init>()V
    .registers 2

    const/4 v0, 0x0

    invoke-direct {p0}, Ljava/lang/ClassLoader;-><init>()V

    iput-object v0, p0, Ldalvik/system/BaseDexClassLoader;->pathList:Ldalvik/system/DexPathList;

    iput-object v0, p0, Ldalvik/system/BaseDexClassLoader;->sharedLibraryLoaders:[Ljava/lang/ClassLoader;

    return-void
.end method

# virtual methods
.method public native computeClassLoaderContextsNative()[Ljava/lang/String;
.end method

.method public getLdLibraryPath()Ljava/lang/String;
    .registers 2

    const/4 v0, 0x0

    return-object v0
.end method
