.class public abstract Ljava/lang/Number;
.super Ljava/lang/Object;

# interfaces
.implements Ljava/io/Serializable;

# direct methods
.method public constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method

# virtual methods
.method public abstract intValue()I
.end method
