.class public Ljava/lang/ThreadGroup;
.super Ljava/lang/Object;

# static fields
.field static final mainThreadGroup:Ljava/lang/ThreadGroup;

.field static final systemThreadGroup:Ljava/lang/ThreadGroup;

# instance fields
.field groups:[Ljava/lang/ThreadGroup;

.field name:Ljava/lang/String;

.field ngroups:I

.field nthreads:I

.field final parent:Ljava/lang/ThreadGroup;

# direct methods
.method static constructor <clinit>()V
    .registers 3

    new-instance v0, Ljava/lang/ThreadGroup;

    const/4 v1, 0x0

    const-string v2, "system"

    invoke-direct {v0, v1, v2}, Ljava/lang/ThreadGroup;-><init>(Ljava/lang/ThreadGroup;Ljava/lang/String;)V

    sput-object v0, Ljava/lang/ThreadGroup;->systemThreadGroup:Ljava/lang/ThreadGroup;

    new-instance v0, Ljava/lang/ThreadGroup;

    sget-object v1, Ljava/lang/ThreadGroup;->systemThreadGroup:Ljava/lang/ThreadGroup;

    const-string v2, "main"

    invoke-direct {v0, v1, v2}, Ljava/lang/ThreadGroup;-><init>(Ljava/lang/ThreadGroup;Ljava/lang/String;)V

    sput-object v0, Ljava/lang/ThreadGroup;->mainThreadGroup:Ljava/lang/ThreadGroup;

    return-void
.end method

.method constructor <init>(Ljava/lang/ThreadGroup;Ljava/lang/String;)V
    .registers 6

    const/4 v2, 0x1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    iput-object p1, p0, Ljava/lang/ThreadGroup;->parent:Ljava/lang/ThreadGroup;

    iput-object p2, p0, Ljava/lang/ThreadGroup;->name:Ljava/lang/String;

    if-eqz p1, :cond_13

    new-array v0, v2, [Ljava/lang/ThreadGroup;

    const/4 v1, 0x0

    aput-object p0, v0, v1

    iput-object v0, p1, Ljava/lang/ThreadGroup;->groups:[Ljava/lang/ThreadGroup;

    iput v2, p1, Ljava/lang/ThreadGroup;->ngroups:I

    :cond_13
    return-void
.end method

# virtual methods
.method add(Ljava/lang/Thread;)V
    .registers 3

    monitor-enter p0

    :try_start_1
    iget v0, p0, Ljava/lang/ThreadGroup;->nthreads:I

    add-int/lit8 v0, v0, 0x1

    iput v0, p0, Ljava/lang/ThreadGroup;->nthreads:I

    monitor-exit p0

    return-void

    :catchall_9
    move-exception v0

    monitor-exit p0
    :try_end_b
    .catchall {:try_start_1 .. :try_end_b} :catchall_9

    throw v0
.end method

.method threadTerminated(Ljava/lang/Thread;)V
    .registers 3

    monitor-enter p0

    :try_start_1
    iget v0, p0, Ljava/lang/ThreadGroup;->nthreads:I

    add-int/lit8 v0, v0, -0x1

    iput v0, p0, Ljava/lang/ThreadGroup;->nthreads:I

    invoke-virtual {p0}, Ljava/lang/Object;->notifyAll()V

    monitor-exit p0

    return-void

    :catchall_c
    move-exception v0

    monitor-exit p0
    :try_end_e
    .catchall {:try_start_1 .. :try_end_e} :catchall_c

    throw v0
.end method
