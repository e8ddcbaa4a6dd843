package main

import (
	"archive/zip"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"artifice/internal/testdata"
	"artifice/research/internal/art11"
)

//go:embed files.txt
var files string // ART's source files to compile

//go:embed enums.txt
var enums string // headers with enumerations that get an operator<<, as in ART's own build

//go:embed shim
var shim embed.FS

// packages lists the Debian packages needed in addition to those of research/internal/art11.
const packages = "clang-19 lld-19 libc++-19-dev libc++abi-19-dev libfmt-dev libtinyxml2-dev liblz4-dev zlib1g-dev libcap-dev android-libnativehelper-dev python3"

const compiler = "clang++-19"

// work is a build.
type work struct {
	art, sources, shim, objects, out string
	linked                           []string
}

// build compiles everything and links it. Existing objects of ART are kept.
func build(sources, out string) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	if sources, err = filepath.Abs(sources); err != nil {
		return err
	}
	if _, err := exec.LookPath(compiler); err != nil {
		return fmt.Errorf("%w; on Debian: apt-get install %s", err, packages)
	}
	w := &work{art: filepath.Join(sources, "art16"), sources: sources, out: out, shim: filepath.Join(out, "shim"), objects: filepath.Join(out, "objects")}
	if err := os.MkdirAll(w.objects, 0o755); err != nil {
		return err
	}
	for _, step := range []func() error{w.prepare, w.generate, w.assemble, w.compileAll, w.link, w.classes} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// prepare writes this package's own sources.
func (w *work) prepare() error {
	err := fs.WalkDir(shim, "shim", func(path string, d fs.DirEntry, err error) error {
		to := filepath.Join(w.out, path)
		if err != nil || d.IsDir() {
			return errors.Join(err, os.MkdirAll(to, 0o755))
		}
		text, err := shim.ReadFile(path)
		if err != nil {
			return err
		}
		if have, err := os.ReadFile(to); err == nil && string(have) == string(text) {
			return nil
		}
		return os.WriteFile(to, text, 0o644)
	})
	fmtSource := "#include <fmt/format-inl.h>\nFMT_BEGIN_NAMESPACE\nnamespace detail {\ntemplate locale_ref::locale_ref(const std::locale&);\n" +
		"template auto locale_ref::get<std::locale>() const -> std::locale;\n}\nFMT_END_NAMESPACE\n"
	return errors.Join(err, os.WriteFile(filepath.Join(w.shim, "fmt.cc"), []byte(fmtSource), 0o644))
}

// flags returns the compiler flags. The numbers are those of ART's own build for an x86-64 host;
// memory is cleared as on Android.
func (w *work) flags() []string {
	flags := strings.Fields(`-stdlib=libc++ -std=gnu++20 -O1 -fPIC -fno-rtti -fno-exceptions -fno-strict-aliasing -ftrivial-auto-var-init=zero -w
		-Wno-strict-primary-template-shadow -fno-access-control -DNDEBUG -UDEBUG -D__STDC_CONSTANT_MACROS -D__STDC_FORMAT_MACROS
		-D_FILE_OFFSET_BITS=64 -D_GNU_SOURCE -DART_STATIC_LIBARTBASE -DART_BASE_ADDRESS=0x60000000 -DART_BASE_ADDRESS_MIN_DELTA=-0x1000000
		-DART_BASE_ADDRESS_MAX_DELTA=0x1000000 -DART_DEFAULT_COMPACT_DEX_LEVEL=fast -DART_DEFAULT_GC_TYPE_IS_CMC -DART_ENABLE_CODEGEN_x86_64
		-DART_ENABLE_CODEGEN_x86 -DART_FRAME_SIZE_LIMIT=1736 -DART_USE_READ_BARRIER=1 -DART_READ_BARRIER_TYPE_IS_BAKER=1
		-DART_STACK_OVERFLOW_GAP_arm=8192 -DART_STACK_OVERFLOW_GAP_arm64=8192 -DART_STACK_OVERFLOW_GAP_riscv64=8192
		-DART_STACK_OVERFLOW_GAP_x86_64=8192 -DART_STACK_OVERFLOW_GAP_x86=8192 -DART_PAGE_SIZE_AGNOSTIC=1 -DART_TARGET_LINUX_HOST=1
		-DIMT_SIZE=43 -DUSE_D8_DESUGAR=1 -DBUILDING_LIBART=1`)
	flags = append(flags, "-I"+w.shim, "-I"+filepath.Join(w.shim, "nativehelper"), "-I"+w.out, "-I"+filepath.Join(w.sources, "libbase", "include"), "-I"+w.art)
	for _, folder := range []string{"compiler/export", "cmdline", "libartbase", "libartbase/arch", "libartpalette/include", "libdexfile",
		"libdexfile/external/include", "libelffile", "libnativebridge/include", "libnativeloader/include", "libprofile", "runtime", "sigchainlib",
		"tools/cpp-define-generator", "compiler", "odrefresh/include"} {
		flags = append(flags, "-I"+filepath.Join(w.art, folder))
	}
	for _, folder := range []string{"dlmalloc", "unwinding/libunwindstack/include", "cpu_features/include"} {
		flags = append(flags, "-I"+filepath.Join(w.sources, folder))
	}
	return append(flags, "-I/usr/include/android", "-I/usr/include/android/nativehelper")
}

// cxx returns the flags for C++.
func (w *work) cxx(more ...string) []string {
	return slices.Concat(w.flags(), []string{"-include", "stddef.h", "-include", "cstdint", "-include", "cstring", "-include", filepath.Join(w.shim, "fix.h")}, more)
}

func run(name string, args ...string) error {
	if text, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, text)
	}
	return nil
}

// object compiles a file and adds it to the link.
func (w *work) object(name, file string, flags []string) error {
	object := filepath.Join(w.objects, strings.NewReplacer("/", "-").Replace(name)+".o")
	w.linked = append(w.linked, object)
	if _, err := os.Stat(object); err == nil && !strings.HasPrefix(file, w.shim) {
		return nil
	}
	return run(compiler, append(slices.Clone(flags), "-c", file, "-o", object)...)
}

// generate generates the output of ART's build scripts: offsets for assembly, names of
// enumerations, nterp.
func (w *work) generate() error {
	offsets := filepath.Join(w.out, "asm_defines.h")
	if _, err := os.Stat(offsets); err != nil {
		if err := os.WriteFile(offsets, nil, 0o644); err != nil {
			return err
		}
		text := filepath.Join(w.out, "asm_defines.s")
		if err := run(compiler, append(w.cxx(), "-S", filepath.Join(w.art, "tools/cpp-define-generator/asm_defines.cc"), "-o", text)...); err != nil {
			return err
		}
		header, err := exec.Command("python3", filepath.Join(w.art, "tools/cpp-define-generator/make_header.py"), text).Output()
		if err := errors.Join(err, os.WriteFile(offsets, header, 0o644)); err != nil {
			return err
		}
	}
	for _, folder := range []string{"runtime", "libartbase", "libdexfile"} {
		args := []string{filepath.Join(w.art, "tools/generate_operator_out.py"), folder}
		for name := range strings.FieldsSeq(enums) {
			if rest, ok := strings.CutPrefix(name, folder+"/"); ok {
				args = append(args, rest)
			}
		}
		cmd := exec.Command("python3", args...)
		cmd.Dir = filepath.Join(w.art, folder)
		code, err := cmd.Output()
		file := filepath.Join(w.out, "operator_"+folder+".cc")
		if err := errors.Join(err, os.WriteFile(file, code, 0o644)); err != nil {
			return err
		}
		if err := w.object("operator_"+folder, file, w.cxx()); err != nil {
			return err
		}
	}
	return nil
}

// assemble assembles the entry points and nterp.
func (w *work) assemble() error {
	nterp := filepath.Join(w.out, "mterp_x86_64ng.S")
	parts, _ := filepath.Glob(filepath.Join(w.art, "runtime/interpreter/mterp/x86_64ng/*.S"))
	if err := run("python3", slices.Concat([]string{filepath.Join(w.art, "runtime/interpreter/mterp/gen_mterp.py"), nterp}, parts)...); err != nil {
		return err
	}
	all := []string{nterp}
	for _, name := range []string{"jni_entrypoints", "memcmp16", "quick_entrypoints", "native_entrypoints"} {
		all = append(all, filepath.Join(w.art, "runtime/arch/x86_64", name+"_x86_64.S"))
	}
	flags := slices.DeleteFunc(w.flags(), func(f string) bool { return strings.HasPrefix(f, "-std=") })
	for _, file := range all {
		if err := w.object(filepath.Base(file), file, flags); err != nil {
			return err
		}
	}
	return nil
}

// compileAll compiles ART, libbase, this package's sources and the launcher. Common headers are
// precompiled; files that fail with them are compiled without.
func (w *work) compileAll() error {
	common := filepath.Join(w.out, "common.pch")
	if _, err := os.Stat(common); err != nil {
		if err := run(compiler, append(w.cxx(), "-fpch-instantiate-templates", "-x", "c++-header", filepath.Join(w.shim, "common.h"), "-o", common)...); err != nil {
			return err
		}
	}
	before := slices.Concat(w.flags(), []string{"-include-pch", common, "-include", filepath.Join(w.shim, "fix.h")})
	for name := range strings.FieldsSeq(files) {
		file, more := filepath.Join(w.art, name), []string(nil)
		if name == "runtime/trace.cc" || name == "runtime/trace_profile.cc" {
			more = []string{"-include", filepath.Join(w.shim, "machine.h")}
		}
		if w.object(name, file, slices.Concat(before, more)) == nil {
			continue
		}
		w.linked = w.linked[:len(w.linked)-1]
		if err := w.object(name, file, w.cxx(more...)); err != nil {
			return err
		}
	}
	for _, name := range []string{"stringprintf", "strings", "file", "mapped_file", "properties", "errors_unix", "parsebool"} {
		if err := w.object("libbase/"+name, filepath.Join(w.sources, "libbase", name+".cpp"), w.cxx()); err != nil {
			return err
		}
	}
	for _, name := range []string{"shim.cc", "log.cc", "fmt.cc"} {
		if err := w.object(name, filepath.Join(w.shim, name), w.cxx()); err != nil {
			return err
		}
	}
	return w.launcher()
}

// launcher compiles the launcher of ART 11, which is in C.
func (w *work) launcher() error {
	folder := filepath.Join(testdata.Root(), "research", "internal", "art11", "launcher")
	found, err := filepath.Glob(filepath.Join(folder, "*.c"))
	headers, _ := filepath.Glob("/usr/lib/jvm/*/include/jni.h")
	if err != nil || len(found) == 0 || len(headers) == 0 {
		return fmt.Errorf("%s or a jni.h in /usr/lib/jvm is not there", folder)
	}
	include := filepath.Dir(headers[0])
	for _, file := range append(found, filepath.Join(w.shim, "clock.c")) {
		object := filepath.Join(w.objects, "launcher-"+filepath.Base(file)+".o")
		w.linked = append(w.linked, object)
		if err := run("gcc", "-O1", "-g", "-fPIC", "-I"+folder, "-I"+include, "-I"+filepath.Join(include, "linux"), "-c", file, "-o", object); err != nil {
			return err
		}
	}
	return nil
}

var undefined = regexp.MustCompile(`undefined (?:hidden |protected )?symbol: (\S+)`)

// link links the program. Undefined symbols (the unwinder of native stacks, zip files, the
// compiler) get a stub that prints their name.
func (w *work) link() error {
	args := slices.Concat([]string{"-stdlib=libc++", "-fuse-ld=lld-19", "-rdynamic", "-o", filepath.Join(w.out, "launcher"), "-Wl,--error-limit=0", "-Wl,--no-demangle"},
		w.linked, []string{"-lpthread", "-ltinyxml2", "-llz4", "-lz", "-ldl", "-lcap"})
	text, err := exec.Command(compiler, args...).CombinedOutput()
	if err == nil {
		return nil
	}
	seen := map[string]bool{}
	var stubs strings.Builder
	for _, m := range undefined.FindAllSubmatch(text, -1) {
		symbol := string(m[1])
		if seen[symbol] {
			continue
		}
		seen[symbol] = true
		fmt.Fprintf(&stubs, ".text\n.globl %[1]s\n.hidden %[1]s\n%[1]s: lea .Ln%[2]d(%%rip), %%rdi\n push %%rax\n call Missing@PLT\n"+
			".section .rodata\n.Ln%[2]d: .asciz \"%[1]s\"\n", symbol, len(seen))
	}
	if len(seen) == 0 {
		return fmt.Errorf("%s: %w\n%s", compiler, err, text)
	}
	missing := filepath.Join(w.out, "missing.S")
	if err := os.WriteFile(missing, []byte(stubs.String()), 0o644); err != nil {
		return err
	}
	return run(compiler, append(args, missing)...)
}

// classes builds the core library and copies the methods of a truth from ART 11's launcher, which
// is built for it.
func (w *work) classes() error {
	all, err := readCore(filepath.Join(testdata.Root(), "research", "internal", "art11", "core"))
	if err != nil {
		return err
	}
	if err := all.fit(filepath.Join(w.art, "runtime")); err != nil {
		return err
	}
	folder := filepath.Join(w.out, "core")
	if err := errors.Join(os.RemoveAll(folder), all.write(folder), art11.Assemble(folder, filepath.Join(w.out, "core.dex"))); err != nil {
		return err
	}
	eleven, err := art11.Open()
	if err != nil {
		return err
	}
	jar, err := zip.OpenReader(eleven.Methods())
	if err != nil {
		return err
	}
	defer jar.Close()
	code, err := fs.ReadFile(jar, "classes.dex")
	return errors.Join(err, os.WriteFile(filepath.Join(w.out, "app.dex"), code, 0o644))
}
