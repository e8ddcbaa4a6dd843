.class public interface abstract Ljava/lang/CharSequence;
.super Ljava/lang/Object;

# virtual methods
.method public abstract charAt(I)C
.end method

.method public abstract length()I
.end method

.method public abstract subSequence(II)Ljava/lang/CharSequence;
.end method

.method public abstract toString()Ljava/lang/String;
.end method
