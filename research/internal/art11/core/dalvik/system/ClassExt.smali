.class public final Ldalvik/system/ClassExt;
.super Ljava/lang/Object;

# instance fields
.field private instanceJfieldIDs:Ljava/lang/Object;

.field private jmethodIDs:Ljava/lang/Object;

.field private obsoleteClass:Ljava/lang/Class;
    .annotation system Ldalvik/annotation/Signature;
        value = {
            "Ljava/lang/Class",
            "<*>;"
        }
    .end annotation
.end field

.field private obsoleteDexCaches:[Ljava/lang/Object;

.field private obsoleteMethods:Ljava/lang/Object;

.field private originalDexFile:Ljava/lang/Object;

.field private preRedefineClassDefIndex:I

.field private preRedefineDexFilePtr:J

.field private staticJfieldIDs:Ljava/lang/Object;

.field private verifyError:Ljava/lang/Object;

# direct methods
.method private constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method
