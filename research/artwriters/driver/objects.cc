#include <sys/mman.h>

#include <cstdlib>
#include <list>
#include <new>

#include "android-base/logging.h"
#include "app.h"
#include "art_method-inl.h"
#include "class_linker.h"
#include "dex/dex_file.h"
#include "gc/heap.h"
#include "instrumentation.h"
#include "mirror/class-inl.h"
#include "mirror/dex_cache-inl.h"
#include "runtime.h"
#include "stubs.h"
#include "thread.h"
#include "thread_list.h"

namespace {

using namespace art;

// Where the emulator puts methods: a trace has their addresses.
constexpr uintptr_t kMethods = 0x70000000;
constexpr size_t kPage = 4096;

// References of objects have 32 bits, so classes have to lie low.
constexpr uintptr_t kHeap = 0x20000000;
constexpr size_t kHeapBytes = 16 << 20;

ArtMethod* const methods = reinterpret_cast<ArtMethod*>(kMethods);
std::map<const void*, int> classes;

static_assert(sizeof(ArtMethod) == 32, "the emulator counts methods by 32 bytes");

// Zeroed returns an object of ART's whose constructor does not run: it would want the
// runtime. The tracer sees the fields that are set afterwards, and zeros.
template <typename T>
T* Zeroed(size_t count = 1) {
  return static_cast<T*>(calloc(count, sizeof(T)));
}

// Set assigns a field, be it const or of a wrapped type of the same size.
template <typename V, typename F>
void Set(const F& field, V value) {
  static_assert(sizeof(F) == sizeof(V));
  *reinterpret_cast<V*>(const_cast<F*>(&field)) = value;
}

// MapAt returns zeroed memory at an address.
char* MapAt(uintptr_t address, size_t bytes) {
  void* memory = mmap(reinterpret_cast<void*>(address), bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  CHECK(memory == reinterpret_cast<void*>(address)) << "no memory at " << address;
  return static_cast<char*>(memory);
}

// Heap has room for the objects of classes.
class Heap {
 public:
  Heap() : next_(MapAt(kHeap, kHeapBytes)), end_(next_ + kHeapBytes) {}

  template <typename T>
  T* New() {
    T* object = reinterpret_cast<T*>(next_);
    next_ += RoundUp(sizeof(T), 16);
    CHECK(next_ <= end_) << "too many classes";
    return object;
  }

 private:
  char* next_;
  char* end_;
};

// Dex is a dex file in which every method has a class, a name and a prototype of its own,
// all by the method's number.
class Dex {
 public:
  explicit Dex(size_t count)
      : file_(Zeroed<DexFile>()),
        strings_(Zeroed<dex::StringId>(2 * count)),
        types_(Zeroed<dex::TypeId>(count)),
        methods_(Zeroed<dex::MethodId>(count)),
        protos_(Zeroed<dex::ProtoId>(count)),
        data_(new std::string(8, '\0')) {}

  void Add(int i, const AppMethod& method) {
    std::string descriptor = "L" + method.class_name + ";";
    for (char& c : descriptor) {
      c = c == '.' ? '/' : c;
    }
    AddString(2 * i, descriptor);
    AddString(2 * i + 1, method.name);
    Set<uint32_t>(types_[i].descriptor_idx_, 2 * i);
    Set<uint16_t>(methods_[i].class_idx_, i);
    Set<uint16_t>(methods_[i].proto_idx_, i);
    Set<uint32_t>(methods_[i].name_idx_, 2 * i + 1);
  }

  // Finish returns the file, whose text cannot grow any more.
  DexFile* Finish() {
    auto* text = reinterpret_cast<const uint8_t*>(data_->data());
    Set<const uint8_t*>(file_->begin_, text);
#if ART_VERSION < 140
    Set<const uint8_t*>(file_->data_begin_, text);
#else
    Set(file_->data_, ArrayRef<const uint8_t>(text, data_->size()));
#endif
    Set<const dex::StringId*>(file_->string_ids_, strings_);
    Set<const dex::TypeId*>(file_->type_ids_, types_);
    Set<const dex::MethodId*>(file_->method_ids_, methods_);
    Set<const dex::ProtoId*>(file_->proto_ids_, protos_);
    return file_;
  }

  const DexFile* file() const { return file_; }

 private:
  // AddString adds a string as the dex format has it: ULEB128 of its length, text, zero.
  void AddString(int i, const std::string& text) {
    Set<uint32_t>(strings_[i].string_data_off_, data_->size());
    size_t rest = text.size();
    for (; rest > 127; rest >>= 7) {
      data_->push_back(static_cast<char>(rest | 128));
    }
    data_->push_back(static_cast<char>(rest));
    data_->append(text);
    data_->push_back('\0');
  }

  DexFile* file_;
  dex::StringId* strings_;
  dex::TypeId* types_;
  dex::MethodId* methods_;
  dex::ProtoId* protos_;
  std::string* data_;
};

// MakeMethods makes an ArtMethod of each method and a Class of each run of methods
// that have class and file in common.
void MakeMethods() {
  // A page more stands before the methods, for the length of the first class.
  MapAt(kMethods - kPage, kPage + RoundUp(app.methods.size() * sizeof(ArtMethod), kPage));
  Heap heap;
  Dex dex(app.methods.size());
  auto* cache = heap.New<mirror::DexCache>();
  cache->dex_file_ = reinterpret_cast<uint64_t>(dex.file());
  const AppMethod* last = nullptr;
  mirror::Class* klass = nullptr;
  uint32_t* length = nullptr;
  for (size_t i = 0; i < app.methods.size(); i++) {
    const AppMethod& method = app.methods[i];
    dex.Add(i, method);
    if (last == nullptr || method.class_name != last->class_name || method.file != last->file) {
      klass = heap.New<mirror::Class>();
      Set<uint32_t>(klass->dex_cache_, reinterpret_cast<uintptr_t>(cache));
      // The array of a class's methods starts with its length. That word lies in the
      // method before it, in a field that no tracer reads.
      length = reinterpret_cast<uint32_t*>(reinterpret_cast<uint64_t*>(&methods[i]) - 1);
      klass->methods_ = reinterpret_cast<uint64_t>(length);
    }
    last = &method;
    (*length)++;
    if (!method.hidden) {
      classes.emplace(klass, i);
    }
    Set<uint32_t>(methods[i].declaring_class_, reinterpret_cast<uintptr_t>(klass));
    methods[i].access_flags_ = kAccPublic;
    methods[i].dex_method_index_ = i;
  }
  dex.Finish();
}

}  // namespace

void MakeObjects() {
  for (AppThread& thread : app.threads) {
    thread.thread = NewThread(thread.tid);
  }
  MakeMethods();
  Runtime* runtime = Zeroed<Runtime>();
  Runtime::instance_ = runtime;
  runtime->thread_list_ = Zeroed<ThreadList>();
  new (&runtime->thread_list_->list_) std::list<Thread*>();
  runtime->class_linker_ = Zeroed<ClassLinker>();
#if ART_VERSION >= 160
  runtime->heap_ = Zeroed<gc::Heap>();
  // Before 16 it is a part of the runtime.
  Set(runtime->instrumentation_, Zeroed<instrumentation::Instrumentation>());
#endif
  Locks::trace_lock_ = new Mutex("trace lock");
  Locks::thread_list_lock_ = new Mutex("thread list lock");
  Locks::thread_suspend_count_lock_ = new Mutex("thread suspend count lock");
  Thread::is_started_ = true;
}

art::Thread* NewThread(int tid) {
  Thread* thread = Zeroed<Thread>();
  thread->tls32_.tid = tid;
  return thread;
}

art::ArtMethod* Method(int method) { return &methods[method]; }

const std::map<const void*, int>& Classes() { return classes; }
