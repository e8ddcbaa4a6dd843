.class public final Ljava/io/FileDescriptor;
.super Ljava/lang/Object;

# instance fields
.field private descriptor:I

.field private ownerId:J

# direct methods
.method public constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method
