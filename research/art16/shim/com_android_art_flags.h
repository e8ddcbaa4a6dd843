// Android's build makes this of aconfig's flags: those that ART 16 asks for, as a release has them.
#pragma once
namespace com::android::art::flags {
inline bool use_generational_cmc() { return false; }
inline bool test() { return false; }
inline bool executable_method_file_offsets() { return false; }
inline bool executable_method_file_offsets_v2() { return false; }
inline bool art_service_v3() { return false; }
inline bool virtual_thread_impl_v1() { return false; }
inline bool fast_baseline_compiler() { return false; }
inline bool always_enable_profile_code() { return true; }
}
namespace art { namespace art_flags = com::android::art::flags; }
