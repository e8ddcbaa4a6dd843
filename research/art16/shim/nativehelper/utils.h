// A class of Android's libnativehelper that Debian's has not.
#pragma once
#include "nativehelper/scoped_local_ref.h"
#include "nativehelper/scoped_utf_chars.h"
#define CREATE_UTF_OR_RETURN(env, s) ScopedLocalRef<jstring>(env, env->NewStringUTF(std::string(s).c_str()))
