.class final Lv/T;
.super Ljava/lang/Object;
.source "M.java"

# static fields
.field static cur:Lv/T;

# instance fields
.field final a:Ljava/lang/Object;

.field final b:Ljava/lang/Object;

.field volatile cmd:I

.field final ex:Ljava/lang/Throwable;

.field volatile seq:I

.field volatile target:Lv/M;

# direct methods
.method constructor <init>(Ljava/lang/Throwable;)V
    .registers 3

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    new-instance v0, Ljava/lang/Object;

    invoke-direct {v0}, Ljava/lang/Object;-><init>()V

    iput-object v0, p0, Lv/T;->a:Ljava/lang/Object;

    new-instance v0, Ljava/lang/Object;

    invoke-direct {v0}, Ljava/lang/Object;-><init>()V

    iput-object v0, p0, Lv/T;->b:Ljava/lang/Object;

    iput-object p1, p0, Lv/T;->ex:Ljava/lang/Throwable;

    return-void
.end method
