.class public abstract Ljava/nio/Buffer;
.super Ljava/lang/Object;

# instance fields
.field _elementSizeShift:I

.field address:J

.field capacity:I

.field limit:I

.field position:I

# direct methods
.method constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method
