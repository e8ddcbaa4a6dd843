.class public interface abstract Ljava/lang/reflect/Member;
.super Ljava/lang/Object;
