# A program that writes down when it enters and leaves its methods: enter and leave take the method's number, which
# package reality knows by name. A thread takes turns of work, and naps in between. A method that is not logged has
# no number, and is not in the log's stacks.
.class final Lp/App;
.super Ljava/lang/Thread;
.source "App.java"

.field static core:Ljava/lang/Object; # who holds it may compute; none: all may at a time

.field final busy:Z # naps rarely
.field seed:I

.method constructor <init>(Ljava/lang/String;ZI)V
    .registers 5
    const/4 v0, 0x0
    invoke-direct {p0, v0, p1}, Ljava/lang/Thread;-><init>(Ljava/lang/Runnable;Ljava/lang/String;)V
    iput-boolean p2, p0, Lp/App;->busy:Z
    iput p3, p0, Lp/App;->seed:I
    return-void
.end method

.method static native enter(I)V
    .annotation build Ldalvik/annotation/optimization/CriticalNative;
    .end annotation
.end method

.method static native leave(I)V
    .annotation build Ldalvik/annotation/optimization/CriticalNative;
    .end annotation
.end method

# more says whether the run goes on.
.method static native more()Z
    .annotation build Ldalvik/annotation/optimization/CriticalNative;
    .end annotation
.end method

# 11: finish waits, and ends the trace once all threads are in it.
.method static native finish()V
.end method

# random is a xorshift of 32 bits, as numbers that a log can be repeated by.
.method random()I
    .registers 4
    iget v0, p0, Lp/App;->seed:I
    shl-int/lit8 v1, v0, 0xd
    xor-int/2addr v0, v1
    ushr-int/lit8 v1, v0, 0x11
    xor-int/2addr v0, v1
    shl-int/lit8 v1, v0, 0x5
    xor-int/2addr v0, v1
    iput v0, p0, Lp/App;->seed:I
    return v0
.end method

# 0: the bottom of a thread
.method public run()V
    .registers 6
    const/4 v0, 0x0
    invoke-static {v0}, Lp/App;->enter(I)V
    :loop
    invoke-static {}, Lp/App;->more()Z
    move-result v0
    if-eqz v0, :over
    invoke-virtual {p0}, Lp/App;->random()I
    move-result v1
    iget-boolean v2, p0, Lp/App;->busy:Z
    if-eqz v2, :nap
    and-int/lit8 v3, v1, 0x3f
    if-nez v3, :turn
    :nap
    ushr-int/lit8 v3, v1, 0x8
    and-int/lit8 v3, v3, 0xf
    if-nez v2, :short
    mul-int/lit8 v3, v3, 0x4
    :short
    add-int/lit8 v3, v3, 0x1
    invoke-static {v3}, Lp/App;->nap(I)V
    :turn
    invoke-virtual {p0, v1}, Lp/App;->turn(I)V
    goto :loop
    :over
    invoke-static {}, Lp/App;->finish()V
    return-void
.end method

# 1: waits for the lock, if there is one, and works
.method turn(I)V
    .registers 5
    const/4 v0, 0x1
    invoke-static {v0}, Lp/App;->enter(I)V
    sget-object v1, Lp/App;->core:Ljava/lang/Object;
    if-nez v1, :locked
    invoke-virtual {p0, p1}, Lp/App;->work(I)V
    goto :done
    :locked
    monitor-enter v1
    :try_start
    invoke-virtual {p0, p1}, Lp/App;->work(I)V
    monitor-exit v1
    :try_end
    .catchall {:try_start .. :try_end} :thrown
    goto :done
    :thrown
    move-exception v0
    monitor-exit v1
    throw v0
    :done
    invoke-static {v0}, Lp/App;->leave(I)V
    return-void
.end method

# 2: one of several kinds of work
.method work(I)V
    .registers 6
    const/4 v0, 0x2
    invoke-static {v0}, Lp/App;->enter(I)V
    ushr-int/lit8 v1, p1, 0x4
    and-int/lit8 v1, v1, 0x7
    ushr-int/lit8 v2, p1, 0x10
    and-int/lit16 v2, v2, 0xfff
    packed-switch v1, :kinds
    const v3, 0x13880
    invoke-static {v3}, Lp/App;->leafB(I)V
    goto :done
    :shorts
    const/16 v3, 0x28
    :again
    invoke-static {}, Lp/App;->tiny()V
    add-int/lit8 v3, v3, -0x1
    if-gtz v3, :again
    goto :done
    :mid
    invoke-static {v2}, Lp/App;->mid(I)V
    goto :done
    :deep
    const/16 v3, 0xc
    invoke-static {v3, v2}, Lp/App;->deep(II)V
    goto :done
    :catches
    invoke-static {v2}, Lp/App;->catches(I)V
    goto :done
    :long
    const v3, 0x30d40
    invoke-static {v3}, Lp/App;->leafA(I)V
    :done
    invoke-static {v0}, Lp/App;->leave(I)V
    return-void
    :kinds
    .packed-switch 0x0
        :shorts
        :mid
        :mid
        :deep
        :deep
        :catches
        :long
    .end packed-switch
.end method

# 3: leaves of several lengths
.method static mid(I)V
    .registers 5
    const/4 v0, 0x3
    invoke-static {v0}, Lp/App;->enter(I)V
    const/4 v1, 0x4
    :again
    add-int/lit16 v2, p0, 0x7d0
    invoke-static {v2}, Lp/App;->leafA(I)V
    invoke-static {}, Lp/App;->tiny()V
    const/16 v2, 0x3e8
    invoke-static {v2}, Lp/App;->leafB(I)V
    add-int/lit8 v1, v1, -0x1
    if-gtz v1, :again
    invoke-static {v0}, Lp/App;->leave(I)V
    return-void
.end method

# 4: calls itself, and works on its way back
.method static deep(II)V
    .registers 6
    const/4 v0, 0x4
    invoke-static {v0}, Lp/App;->enter(I)V
    if-eqz p0, :bottom
    add-int/lit8 v1, p0, -0x1
    invoke-static {v1, p1}, Lp/App;->deep(II)V
    :bottom
    add-int/lit16 v1, p1, 0x5dc
    :spin
    mul-int/lit8 v2, v1, 0x1f
    add-int/lit8 v1, v1, -0x1
    if-gtz v1, :spin
    invoke-static {v0}, Lp/App;->leave(I)V
    return-void
.end method

# 5: throws
.method static throwing(I)V
    .registers 5
    const/4 v0, 0x5
    invoke-static {v0}, Lp/App;->enter(I)V
    add-int/lit16 v1, p0, 0xbb8
    :spin
    mul-int/lit8 v2, v1, 0x1f
    add-int/lit8 v1, v1, -0x1
    if-gtz v1, :spin
    new-instance v1, Ljava/lang/RuntimeException;
    invoke-direct {v1}, Ljava/lang/RuntimeException;-><init>()V
    invoke-static {v0}, Lp/App;->leave(I)V
    throw v1
.end method

# 6: catches what the one it calls throws
.method static catches(I)V
    .registers 4
    const/4 v0, 0x6
    invoke-static {v0}, Lp/App;->enter(I)V
    :try_start
    invoke-static {p0}, Lp/App;->throwing(I)V
    :try_end
    .catch Ljava/lang/RuntimeException; {:try_start .. :try_end} :caught
    goto :done
    :caught
    move-exception v1
    :done
    invoke-static {v0}, Lp/App;->leave(I)V
    return-void
.end method

# 7: a leaf that only writes itself down
.method static tiny()V
    .registers 2
    const/4 v0, 0x7
    invoke-static {v0}, Lp/App;->enter(I)V
    invoke-static {v0}, Lp/App;->leave(I)V
    return-void
.end method

# 8
.method static leafA(I)V
    .registers 4
    const/16 v0, 0x8
    invoke-static {v0}, Lp/App;->enter(I)V
    :spin
    mul-int/lit8 v1, p0, 0x1f
    add-int/lit8 p0, p0, -0x1
    if-gtz p0, :spin
    invoke-static {v0}, Lp/App;->leave(I)V
    return-void
.end method

# 9
.method static leafB(I)V
    .registers 4
    const/16 v0, 0x9
    invoke-static {v0}, Lp/App;->enter(I)V
    :spin
    mul-int/lit8 v1, p0, 0x1f
    add-int/lit8 p0, p0, -0x1
    if-gtz p0, :spin
    invoke-static {v0}, Lp/App;->leave(I)V
    return-void
.end method

# 10: sleeps for milliseconds
.method static nap(I)V
    .registers 5
    const/16 v0, 0xa
    invoke-static {v0}, Lp/App;->enter(I)V
    int-to-long v1, p0
    :try_start
    invoke-static {v1, v2}, Ljava/lang/Thread;->sleep(J)V
    :try_end
    .catch Ljava/lang/InterruptedException; {:try_start .. :try_end} :caught
    goto :done
    :caught
    move-exception v1
    :done
    invoke-static {v0}, Lp/App;->leave(I)V
    return-void
.end method
