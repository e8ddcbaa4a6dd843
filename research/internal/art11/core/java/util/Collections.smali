.class public Ljava/util/Collections;
.super Ljava/lang/Object;

# annotations
.annotation system Ldalvik/annotation/MemberClasses;
    value = {
        Ljava/util/Collections$EmptyList;
    }
.end annotation

# static fields
.field public static final EMPTY_LIST:Ljava/util/List;

# direct methods
.method static constructor <clinit>()V
    .registers 1

    new-instance v0, Ljava/util/Collections$EmptyList;

    invoke-direct {v0}, Ljava/util/Collections$EmptyList;-><init>()V

    sput-object v0, Ljava/util/Collections;->EMPTY_LIST:Ljava/util/List;

    return-void
.end method

.method public constructor <init>()V
    .registers 1

    invoke-direct {p0}, Ljava/lang/Object;-><init>()V

    return-void
.end method
