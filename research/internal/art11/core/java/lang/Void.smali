.class public final Ljava/lang/Void;
.super Ljava/lang/Object;

# direct methods
.method private constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method
