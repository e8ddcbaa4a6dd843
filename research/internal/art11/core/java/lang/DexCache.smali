.class final Ljava/lang/DexCache;
.super Ljava/lang/Object;

# instance fields
.field private classLoader:Ljava/lang/ClassLoader;

.field private dexFile:J

.field private location:Ljava/lang/String;

.field private numPreResolvedStrings:I

.field private numResolvedCallSites:I

.field private numResolvedFields:I

.field private numResolvedMethodTypes:I

.field private numResolvedMethods:I

.field private numResolvedTypes:I

.field private numStrings:I

.field private preResolvedStrings:J

.field private resolvedCallSites:J

.field private resolvedFields:J

.field private resolvedMethodTypes:J

.field private resolvedMethods:J

.field private resolvedTypes:J

.field private strings:J

# direct methods
.method private constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method
