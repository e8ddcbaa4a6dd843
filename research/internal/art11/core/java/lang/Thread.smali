.class public Ljava/lang/Thread;
.super Ljava/lang/Object;

# interfaces
.implements Ljava/lang/Runnable;

# static fields
.field private static seq:I

# instance fields
.field private contextClassLoader:Ljava/lang/ClassLoader;

.field private daemon:Z

.field private group:Ljava/lang/ThreadGroup;

.field private final lock:Ljava/lang/Object;

.field private volatile name:Ljava/lang/String;

.field private volatile nativePeer:J

.field volatile parkBlocker:Ljava/lang/Object;

.field private priority:I

.field private stackSize:J

.field private started:Z

.field private systemDaemon:Z

.field private target:Ljava/lang/Runnable;

.field private tid:J

.field private unparkedBeforeStart:Z

# direct methods
.method public constructor <init>()V
    .registers 5

    const/4 v0, 0x0

    check-cast v0, Ljava/lang/Runnable;

    new-instance v1, Ljava/lang/StringBuilder;

    invoke-direct {v1}, Ljava/lang/StringBuilder;-><init>()V

    const-string v2, "Thread-"

    invoke-virtual {v1, v2}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;

    move-result-object v1

    sget v2, Ljava/lang/Thread;->seq:I

    add-int/lit8 v3, v2, 0x1

    sput v3, Ljava/lang/Thread;->seq:I

    invoke-virtual {v1, v2}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;

    move-result-object v1

    invoke-virtual {v1}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;

    move-result-object v1

    invoke-direct {p0, v0, v1}, Ljava/lang/Thread;-><init>(Ljava/lang/Runnable;Ljava/lang/String;)V

    return-void
.end method

.method public constructor <init>(Ljava/lang/Runnable;)V
    .registers 5

    new-instance v0, Ljava/lang/StringBuilder;

    invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V

    const-string v1, "Thread-"

    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;

    move-result-object v0

    sget v1, Ljava/lang/Thread;->seq:I

    add-int/lit8 v2, v1, 0x1

    sput v2, Ljava/lang/Thread;->seq:I

    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;

    move-result-object v0

    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;

    move-result-object v0

    invoke-direct {p0, p1, v0}, Ljava/lang/Thread;-><init>(Ljava/lang/Runnable;Ljava/lang/String;)V

    return-void
.end method

.method public constructor <init>(Ljava/lang/Runnable;Ljava/lang/String;)V
    .registers 5

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    new-instance v0, Ljava/lang/Object;

    invoke-direct {v0}, Ljava/lang/Object;-><init>()V

    iput-object v0, p0, Ljava/lang/Thread;->lock:Ljava/lang/Object;

    invoke-static {}, Ljava/lang/Thread;->currentThread()Ljava/lang/Thread;

    move-result-object v0

    iput-object p1, p0, Ljava/lang/Thread;->target:Ljava/lang/Runnable;

    iput-object p2, p0, Ljava/lang/Thread;->name:Ljava/lang/String;

    iget-object v1, v0, Ljava/lang/Thread;->group:Ljava/lang/ThreadGroup;

    iput-object v1, p0, Ljava/lang/Thread;->group:Ljava/lang/ThreadGroup;

    iget v1, v0, Ljava/lang/Thread;->priority:I

    iput v1, p0, Ljava/lang/Thread;->priority:I

    iget-boolean v1, v0, Ljava/lang/Thread;->daemon:Z

    iput-boolean v1, p0, Ljava/lang/Thread;->daemon:Z

    iget-object v0, v0, Ljava/lang/Thread;->contextClassLoader:Ljava/lang/ClassLoader;

    iput-object v0, p0, Ljava/lang/Thread;->contextClassLoader:Ljava/lang/ClassLoader;

    return-void
.end method

.method constructor <init>(Ljava/lang/ThreadGroup;Ljava/lang/String;IZ)V
    .registers 6

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    new-instance v0, Ljava/lang/Object;

    invoke-direct {v0}, Ljava/lang/Object;-><init>()V

    iput-object v0, p0, Ljava/lang/Thread;->lock:Ljava/lang/Object;

    iput-object p1, p0, Ljava/lang/Thread;->group:Ljava/lang/ThreadGroup;

    iput-object p2, p0, Ljava/lang/Thread;->name:Ljava/lang/String;

    iput p3, p0, Ljava/lang/Thread;->priority:I

    iput-boolean p4, p0, Ljava/lang/Thread;->daemon:Z

    return-void
.end method

.method public static native currentThread()Ljava/lang/Thread;
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public static native holdsLock(Ljava/lang/Object;)Z
.end method

.method public static native interrupted()Z
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method private static native nativeCreate(Ljava/lang/Thread;JZ)V
.end method

.method public static sleep(J)V
    .registers 4
    .annotation system Ldalvik/annotation/Throws;
        value = {
            Ljava/lang/InterruptedException;
        }
    .end annotation

    const/4 v0, 0x0

    invoke-static {p0, p1, v0}, Ljava/lang/Thread;->sleep(JI)V

    return-void
.end method

.method public static sleep(JI)V
    .registers 5
    .annotation system Ldalvik/annotation/Throws;
        value = {
            Ljava/lang/InterruptedException;
        }
    .end annotation

    invoke-static {}, Ljava/lang/Thread;->currentThread()Ljava/lang/Thread;

    move-result-object v0

    iget-object v1, v0, Ljava/lang/Thread;->lock:Ljava/lang/Object;

    monitor-enter v1

    :try_start_7
    invoke-static {v1, p0, p1, p2}, Ljava/lang/Thread;->sleep(Ljava/lang/Object;JI)V

    monitor-exit v1

    return-void

    :catchall_c
    move-exception v0

    monitor-exit v1
    :try_end_e
    .catchall {:try_start_7 .. :try_end_e} :catchall_c

    throw v0
.end method

.method private static native sleep(Ljava/lang/Object;JI)V
    .annotation system Ldalvik/annotation/Throws;
        value = {
            Ljava/lang/InterruptedException;
        }
    .end annotation

    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

# virtual methods
.method public final dispatchUncaughtException(Ljava/lang/Throwable;)V
    .registers 4

    new-instance v0, Ljava/lang/StringBuilder;

    invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V

    const-string v1, "uncaught in "

    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;

    move-result-object v0

    iget-object v1, p0, Ljava/lang/Thread;->name:Ljava/lang/String;

    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;

    move-result-object v0

    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;

    move-result-object v0

    invoke-static {v0}, Ljava/lang/System;->println(Ljava/lang/String;)V

    invoke-virtual {p1}, Ljava/lang/Throwable;->printStackTrace()V

    return-void
.end method

.method public final getName()Ljava/lang/String;
    .registers 2

    iget-object v0, p0, Ljava/lang/Thread;->name:Ljava/lang/String;

    return-object v0
.end method

.method public native getNativeTid()I
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public native interrupt0()V
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public final isAlive()Z
    .registers 5

    iget-wide v0, p0, Ljava/lang/Thread;->nativePeer:J

    const-wide/16 v2, 0x0

    cmp-long v0, v0, v2

    if-eqz v0, :cond_a

    const/4 v0, 0x1

    :goto_9
    return v0

    :cond_a
    const/4 v0, 0x0

    goto :goto_9
.end method

.method public native isInterrupted()Z
    .annotation build Ldalvik/annotation/optimization/FastNative;
    .end annotation
.end method

.method public final join()V
    .registers 3
    .annotation system Ldalvik/annotation/Throws;
        value = {
            Ljava/lang/InterruptedException;
        }
    .end annotation

    iget-object v1, p0, Ljava/lang/Thread;->lock:Ljava/lang/Object;

    monitor-enter v1

    :goto_3
    :try_start_3
    invoke-virtual {p0}, Ljava/lang/Thread;->isAlive()Z

    move-result v0

    if-eqz v0, :cond_12

    iget-object v0, p0, Ljava/lang/Thread;->lock:Ljava/lang/Object;

    invoke-virtual {v0}, Ljava/lang/Object;->wait()V

    goto :goto_3

    :catchall_f
    move-exception v0

    monitor-exit v1
    :try_end_11
    .catchall {:try_start_3 .. :try_end_11} :catchall_f

    throw v0

    :cond_12
    :try_start_12
    monitor-exit v1
    :try_end_13
    .catchall {:try_start_12 .. :try_end_13} :catchall_f

    return-void
.end method

.method public native nativeGetStatus(Z)I
.end method

.method public run()V
    .registers 2

    iget-object v0, p0, Ljava/lang/Thread;->target:Ljava/lang/Runnable;

    if-eqz v0, :cond_9

    iget-object v0, p0, Ljava/lang/Thread;->target:Ljava/lang/Runnable;

    invoke-interface {v0}, Ljava/lang/Runnable;->run()V

    :cond_9
    return-void
.end method

.method public final setDaemon(Z)V
    .registers 2

    iput-boolean p1, p0, Ljava/lang/Thread;->daemon:Z

    return-void
.end method

.method public native setNativeName(Ljava/lang/String;)V
.end method

.method public native setPriority0(I)V
.end method

.method public declared-synchronized start()V
    .registers 4

    monitor-enter p0

    :try_start_1
    iget-boolean v0, p0, Ljava/lang/Thread;->started:Z

    if-eqz v0, :cond_e

    new-instance v0, Ljava/lang/IllegalThreadStateException;

    invoke-direct {v0}, Ljava/lang/IllegalThreadStateException;-><init>()V

    throw v0
    :try_end_b
    .catchall {:try_start_1 .. :try_end_b} :catchall_b

    :catchall_b
    move-exception v0

    monitor-exit p0

    throw v0

    :cond_e
    :try_start_e
    iget-object v0, p0, Ljava/lang/Thread;->group:Ljava/lang/ThreadGroup;

    invoke-virtual {v0, p0}, Ljava/lang/ThreadGroup;->add(Ljava/lang/Thread;)V

    const/4 v0, 0x1

    iput-boolean v0, p0, Ljava/lang/Thread;->started:Z

    iget-wide v0, p0, Ljava/lang/Thread;->stackSize:J

    iget-boolean v2, p0, Ljava/lang/Thread;->daemon:Z

    invoke-static {p0, v0, v1, v2}, Ljava/lang/Thread;->nativeCreate(Ljava/lang/Thread;JZ)V
    :try_end_1d
    .catchall {:try_start_e .. :try_end_1d} :catchall_b

    monitor-exit p0

    return-void
.end method

.method public native yield()V
.end method
