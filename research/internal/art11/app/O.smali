.class final Lv/O;
.super Ljava/lang/Object;
.source "M.java"

# instance fields: with the header, 48 bytes
.field a:J

.field b:J

.field c:J

.field d:J

.field e:J
