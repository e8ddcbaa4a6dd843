// ScopedUtfChars of today's libnativehelper, which is a string_view as well; Debian's is not.
#pragma once
#include <jni.h>

#include <string_view>

class ScopedUtfChars {
 public:
  ScopedUtfChars(JNIEnv* env, jstring s)
      : env_(env), string_(s), chars_(s == nullptr ? nullptr : env->GetStringUTFChars(s, nullptr)) {
    if (s == nullptr) env->ThrowNew(env->FindClass("java/lang/NullPointerException"), nullptr);
  }
  ScopedUtfChars(ScopedUtfChars&& other) noexcept : env_(other.env_), string_(other.string_), chars_(other.chars_) {
    other.chars_ = nullptr;
  }
  ScopedUtfChars(const ScopedUtfChars&) = delete;
  ~ScopedUtfChars() {
    if (chars_ != nullptr) env_->ReleaseStringUTFChars(string_, chars_);
  }
  const char* c_str() const { return chars_; }
  size_t size() const { return std::string_view(chars_).size(); }
  char operator[](size_t i) const { return chars_[i]; }
  operator std::string_view() const { return chars_; }

 private:
  JNIEnv* env_;
  jstring string_;
  const char* chars_;
};
