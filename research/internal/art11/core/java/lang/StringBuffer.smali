.class public final Ljava/lang/StringBuffer;
.super Ljava/lang/Object;

# interfaces
.implements Ljava/lang/CharSequence;

# instance fields
.field private final b:Ljava/lang/StringBuilder;

# direct methods
.method public constructor <init>()V
    .registers 2

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    new-instance v0, Ljava/lang/StringBuilder;

    invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V

    iput-object v0, p0, Ljava/lang/StringBuffer;->b:Ljava/lang/StringBuilder;

    return-void
.end method

# virtual methods
.method public declared-synchronized append(Ljava/lang/String;)Ljava/lang/StringBuffer;
    .registers 3

    monitor-enter p0

    :try_start_1
    iget-object v0, p0, Ljava/lang/StringBuffer;->b:Ljava/lang/StringBuilder;

    invoke-virtual {v0, p1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    :try_end_6
    .catchall {:try_start_1 .. :try_end_6} :catchall_8

    monitor-exit p0

    return-object p0

    :catchall_8
    move-exception v0

    monitor-exit p0

    throw v0
.end method

.method public charAt(I)C
    .registers 3

    iget-object v0, p0, Ljava/lang/StringBuffer;->b:Ljava/lang/StringBuilder;

    invoke-virtual {v0, p1}, Ljava/lang/StringBuilder;->charAt(I)C

    move-result v0

    return v0
.end method

.method public declared-synchronized length()I
    .registers 2

    monitor-enter p0

    :try_start_1
    iget-object v0, p0, Ljava/lang/StringBuffer;->b:Ljava/lang/StringBuilder;

    invoke-virtual {v0}, Ljava/lang/StringBuilder;->length()I
    :try_end_6
    .catchall {:try_start_1 .. :try_end_6} :catchall_9

    move-result v0

    monitor-exit p0

    return v0

    :catchall_9
    move-exception v0

    monitor-exit p0

    throw v0
.end method

.method public subSequence(II)Ljava/lang/CharSequence;
    .registers 4

    iget-object v0, p0, Ljava/lang/StringBuffer;->b:Ljava/lang/StringBuilder;

    invoke-virtual {v0, p1, p2}, Ljava/lang/StringBuilder;->subSequence(II)Ljava/lang/CharSequence;

    move-result-object v0

    return-object v0
.end method

.method public declared-synchronized toString()Ljava/lang/String;
    .registers 2

    monitor-enter p0

    :try_start_1
    iget-object v0, p0, Ljava/lang/StringBuffer;->b:Ljava/lang/StringBuilder;

    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    :try_end_6
    .catchall {:try_start_1 .. :try_end_6} :catchall_9

    move-result-object v0

    monitor-exit p0

    return-object v0

    :catchall_9
    move-exception v0

    monitor-exit p0

    throw v0
.end method
