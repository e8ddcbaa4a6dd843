// Stands for the header that Android's build makes of ART 16's feature flags. The
// tracer asks for always_enable_profile_code; the others have to have a value only.
#pragma once

namespace com::android::art::flags {

inline bool always_enable_profile_code() { return true; }

inline bool art_service_v3() { return false; }
inline bool executable_method_file_offsets() { return false; }
inline bool executable_method_file_offsets_v2() { return false; }
inline bool fast_baseline_compiler() { return false; }
inline bool test() { return false; }
inline bool use_generational_cmc() { return false; }
inline bool virtual_thread_impl_v1() { return false; }

}  // namespace com::android::art::flags

namespace art {
namespace art_flags = com::android::art::flags;
}
