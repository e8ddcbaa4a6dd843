.class Ljava/lang/Daemons$H;
.super Ljava/lang/Thread;

# annotations
.annotation system Ldalvik/annotation/EnclosingClass;
    value = Ljava/lang/Daemons;
.end annotation

.annotation system Ldalvik/annotation/InnerClass;
    accessFlags = 0x8
    name = "H"
.end annotation

# direct methods
.method constructor <init>()V
    .registers 3

    const/4 v0, 0x0

    check-cast v0, Ljava/lang/Runnable;

    const-string v1, "HeapTaskDaemon"

    invoke-direct {p0, v0, v1}, Ljava/lang/Thread;-><init>(Ljava/lang/Runnable;Ljava/lang/String;)V

    const/4 v0, 0x1

    invoke-virtual {p0, v0}, Ljava/lang/Daemons$H;->setDaemon(Z)V

    return-void
.end method

# virtual methods
.method public run()V
    .registers 2

    new-instance v0, Ldalvik/system/VMRuntime;

    invoke-direct {v0}, Ldalvik/system/VMRuntime;-><init>()V

    invoke-virtual {v0}, Ldalvik/system/VMRuntime;->startHeapTaskProcessor()V

    invoke-virtual {v0}, Ldalvik/system/VMRuntime;->runHeapTasks()V

    return-void
.end method
