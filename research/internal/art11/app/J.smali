.class final Lv/J0;
.super Ljava/lang/Object;
.source "M.java"

# interfaces
.implements Lv/M;

# direct methods
.method constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method

# virtual methods
.method public m()V
    .registers 4
    .annotation system Ldalvik/annotation/Throws;
        value = {
            Ljava/lang/Throwable;
        }
    .end annotation

    sget-object v0, Lv/T;->cur:Lv/T;

    :goto_2
    iget v1, v0, Lv/T;->seq:I

    add-int/lit8 v1, v1, 0x1

    iput v1, v0, Lv/T;->seq:I

    and-int/lit8 v1, v1, 0x1

    if-nez v1, :cond_20

    iget-object v1, v0, Lv/T;->a:Ljava/lang/Object;

    monitor-enter v1

    :try_start_f
    monitor-exit v1
    :try_end_10
    .catchall {:try_start_f .. :try_end_10} :catchall_1d

    :goto_10
    iget v1, v0, Lv/T;->cmd:I

    const/4 v2, 0x1

    if-ne v1, v2, :cond_28

    :try_start_15
    iget-object v1, v0, Lv/T;->target:Lv/M;

    invoke-interface {v1}, Lv/M;->m()V
    :try_end_1a
    .catch Ljava/lang/Throwable; {:try_start_15 .. :try_end_1a} :catch_1b

    goto :goto_2

    :catch_1b
    move-exception v1

    goto :goto_2

    :catchall_1d
    move-exception v0

    :try_start_1e
    monitor-exit v1
    :try_end_1f
    .catchall {:try_start_1e .. :try_end_1f} :catchall_1d

    throw v0

    :cond_20
    iget-object v1, v0, Lv/T;->b:Ljava/lang/Object;

    monitor-enter v1

    :try_start_23
    monitor-exit v1

    goto :goto_10

    :catchall_25
    move-exception v0

    monitor-exit v1
    :try_end_27
    .catchall {:try_start_23 .. :try_end_27} :catchall_25

    throw v0

    :cond_28
    const/4 v2, 0x2

    if-ne v1, v2, :cond_2c

    return-void

    :cond_2c
    iget-object v0, v0, Lv/T;->ex:Ljava/lang/Throwable;

    throw v0
.end method
