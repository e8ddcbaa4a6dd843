.class public final Ldalvik/system/DexFile;
.super Ljava/lang/Object;

# instance fields
.field private mCookie:Ljava/lang/Object;

.field private final mFileName:Ljava/lang/String;

.field private mInternalCookie:Ljava/lang/Object;

# direct methods
.method public constructor <init>()V
    .registers 2

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    const/4 v0, 0x0

    iput-object v0, p0, Ldalvik/system/DexFile;->mFileName:Ljava/lang/String;

    return-void
.end method

.method public static native closeDexFile(Ljava/lang/Object;)Z
.end method

.method public static native defineClassNative(Ljava/lang/String;Ljava/lang/ClassLoader;Ljava/lang/Object;Ldalvik/system/DexFile;)Ljava/lang/Class;
.end method

.method public static native getClassLoaderContext(Ljava/lang/ClassLoader;[Ldalvik/system/DexPathList$Element;)Ljava/lang/String;
.end method

.method public static native getClassNameList(Ljava/lang/Object;)[Ljava/lang/String;
.end method

.method public static native getDexFileOptimizationStatus(Ljava/lang/String;Ljava/lang/String;)[Ljava/lang/String;
.end method

.method public static native getDexFileOutputPaths(Ljava/lang/String;Ljava/lang/String;)[Ljava/lang/String;
.end method

.method public static native getDexFileStatus(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
.end method

.method public static native getDexOptNeeded(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;ZZ)I
.end method

.method public static native getNonProfileGuidedCompilerFilter(Ljava/lang/String;)Ljava/lang/String;
.end method

.method public static native getSafeModeCompilerFilter(Ljava/lang/String;)Ljava/lang/String;
.end method

.method public static native getStaticSizeOfDexFile(Ljava/lang/Object;)J
.end method

.method public static native isBackedByOatFile(Ljava/lang/Object;)Z
.end method

.method public static native isDexOptNeeded(Ljava/lang/String;)Z
.end method

.method public static native isProfileGuidedCompilerFilter(Ljava/lang/String;)Z
.end method

.method public static native isValidCompilerFilter(Ljava/lang/String;)Z
.end method

.method public static native openDexFileNative(Ljava/lang/String;Ljava/lang/String;ILjava/lang/ClassLoader;[Ldalvik/system/DexPathList$Element;)Ljava/lang/Object;
.end method

.method public static native openInMemoryDexFilesNative([Ljava/nio/ByteBuffer;[[B[I[ILjava/lang/ClassLoader;[Ldalvik/system/DexPathList$Element;)Ljava/lang/Object;
.end method

.method public static native setTrusted(Ljava/lang/Object;)V
.end method

.method public static native verifyInBackgroundNative(Ljava/lang/Object;Ljava/lang/ClassLoader;Ljava/lang/String;)V
.end method
