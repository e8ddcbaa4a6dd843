.class public final Llibcore/util/CharsetUtils;
.super Ljava/lang/Object;

# direct methods
.method public constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method

.method public static native asciiBytesToChars([BII[C)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static native isoLatin1BytesToChars([BII[C)V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static native toAsciiBytes(Ljava/lang/String;II)[B
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static native toIsoLatin1Bytes(Ljava/lang/String;II)[B
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static native toUtf8Bytes(Ljava/lang/String;II)[B
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method
