// Logging of Android's libbase, to standard error, and what else ART's host libraries bring.
#include <android-base/logging.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace android::base {

class LogMessageData {
 public:
  LogSeverity severity;
  std::ostringstream text;
};

static LogSeverity least = FATAL_WITHOUT_ABORT;

LogMessage::LogMessage(const char* file, unsigned line, LogSeverity severity, const char*, int)
    : data_(new LogMessageData{severity}) {
  data_->text << file << ":" << line << " ";
}
LogMessage::~LogMessage() {
  fprintf(stderr, "%s\n", data_->text.str().c_str());
  if (data_->severity >= FATAL) abort();
}
std::ostream& LogMessage::stream() { return data_->text; }
bool ShouldLog(LogSeverity severity, const char*) { return severity >= least; }
LogSeverity GetMinimumLogSeverity() { return least; }
LogSeverity SetMinimumLogSeverity(LogSeverity severity) {
  LogSeverity before = least;
  least = severity;
  return before;
}
void InitLogging(char**, LogFunction&&, AbortFunction&&) {}
LogFunction SetLogger(LogFunction&&) { return LogFunction(); }
AbortFunction SetAborter(AbortFunction&&) { return AbortFunction(); }
void StderrLogger(LogId, LogSeverity, const char*, const char*, unsigned, const char* text) {
  fprintf(stderr, "%s\n", text);
}
ScopedLogSeverity::ScopedLogSeverity(LogSeverity severity) : old_(SetMinimumLogSeverity(severity)) {}
ScopedLogSeverity::~ScopedLogSeverity() { SetMinimumLogSeverity(old_); }

}  // namespace android::base

extern "C" {
// Missing is what a symbol that nobody defines calls.
void Missing(const char* symbol) {
  fprintf(stderr, "ART wants %s, which is not linked\n", symbol);
  abort();
}
int posix_strerror_r(int number, char* text, size_t size) {
  snprintf(text, size, "errno %d", number);
  return 0;
}
int __android_log_print(int, const char*, const char* format, ...) {
  fprintf(stderr, "%s\n", format);
  return 0;
}
int __android_log_error_write(int, const char*, int, const char*, unsigned) { return 0; }
void __android_log_assert(const char*, const char*, const char*, ...) { abort(); }
void AsmGetRegs(void*) {}
bool NativeBridgeIsNativeBridgeFunctionPointer(const void*) { return false; }
}
