.class public Ljava/lang/reflect/AccessibleObject;
.super Ljava/lang/Object;

# instance fields
.field override:Z

# direct methods
.method public constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method
