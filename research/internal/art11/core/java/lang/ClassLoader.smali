.class public abstract Ljava/lang/ClassLoader;
.super Ljava/lang/Object;

# instance fields
.field private transient allocator:J

.field private transient classTable:J

.field private final packages:Ljava/lang/Object;

.field private final parent:Ljava/lang/ClassLoader;

.field public final proxyCache:Ljava/lang/Object;

# direct methods
.method protected constructor <init>()V
    .registers 2

    const/4 v0, 0x0

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    iput-object v0, p0, Ljava/lang/ClassLoader;->packages:Ljava/lang/Object;

    iput-object v0, p0, Ljava/lang/ClassLoader;->proxyCache:Ljava/lang/Object;

    iput-object v0, p0, Ljava/lang/ClassLoader;->parent:Ljava/lang/ClassLoader;

    return-void
.end method

.method protected constructor <init>(Ljava/lang/ClassLoader;)V
    .registers 3

    const/4 v0, 0x0

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    iput-object v0, p0, Ljava/lang/ClassLoader;->packages:Ljava/lang/Object;

    iput-object v0, p0, Ljava/lang/ClassLoader;->proxyCache:Ljava/lang/Object;

    iput-object p1, p0, Ljava/lang/ClassLoader;->parent:Ljava/lang/ClassLoader;

    return-void
.end method

.method public static getSystemClassLoader()Ljava/lang/ClassLoader;
    .registers 1

    invoke-static {}, Ljava/lang/BootClassLoader;->get()Ljava/lang/BootClassLoader;

    move-result-object v0

    return-object v0
.end method

# virtual methods
.method public loadClass(Ljava/lang/String;)Ljava/lang/Class;
    .registers 4
    .annotation system Ldalvik/annotation/Signature;
        value = {
            "(",
            "Ljava/lang/String;",
            ")",
            "Ljava/lang/Class",
            "<*>;"
        }
    .end annotation

    .annotation system Ldalvik/annotation/Throws;
        value = {
            Ljava/lang/ClassNotFoundException;
        }
    .end annotation

    const/4 v0, 0x0

    const/4 v1, 0x0

    invoke-static {p1, v0, v1}, Ljava/lang/Class;->classForName(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;

    move-result-object v0

    return-object v0
.end method
