// What libart.so.0 leaves undefined and no package of Debian's has. ART loads three libraries of native methods at
// its start, of which our core library calls nothing: the launcher itself stands in for them.
#include <dlfcn.h>
#include <jni.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

JNIEXPORT jint JNI_OnLoad(JavaVM *vm, void *reserved) { return JNI_VERSION_1_6; }

void *OpenNativeLibrary(void *env, int32_t sdk, const char *path, void *loader, const char *caller, void *search, bool *bridged, char **error) {
  if (bridged)
    *bridged = false;
  void *self = dlopen(NULL, RTLD_NOW);
  if (!self)
    *error = strdup(dlerror());
  return self;
}

bool CloseNativeLibrary(void *handle, bool bridged, char **error) { return dlclose(handle) == 0; }
void NativeLoaderFreeErrorMessage(char *message) { free(message); }
void InitializeNativeLoader(void) {}
void ResetNativeLoader(void) {}

bool LoadNativeBridge(const char *file, const void *callbacks) { return false; }
bool PreInitializeNativeBridge(const char *folder, const char *isa) { return false; }
bool InitializeNativeBridge(void *env, const char *isa) { return false; }
void PreZygoteForkNativeBridge(void) {}
void UnloadNativeBridge(void) {}
bool NativeBridgeInitialized(void) { return false; }
uint32_t NativeBridgeGetVersion(void) { return 0; }
void *NativeBridgeGetTrampoline(void *handle, const char *name, const char *shorty, uint32_t length) { return NULL; }
void *NativeBridgeGetSignalHandler(int signal) { return NULL; }
