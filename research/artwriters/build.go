package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"artifice/internal/testdata"
	"artifice/tracer/artgolden"
)

// driverFolder contains this project's part of a driver.
var driverFolder = filepath.Join(testdata.Root(), "research", "artwriters", "driver")

// compiler has an assembler that accepts the macros of machine.h.
const compiler = "clang++-19"

// release contains the build options of a version of ART.
type release struct {
	number    string // ART_VERSION for the driver's code
	standard  string // of C++
	libbase   string // folder of the libbase of that time
	collector string // used by that version's build
}

var releases = map[string]release{
	"13":  {"130", "gnu++17", "libbase14", "CMS"},
	"14":  {"140", "gnu++17", "libbase14", "CMC"},
	"14q": {"145", "gnu++17", "libbase14", "CMC"},
	"15":  {"150", "gnu++20", "libbase", "CMC"},
	"16":  {"160", "gnu++20", "libbase", "CMC"},
}

// artFiles are the linked files of ART: the tracer, and the writers of files and names that it
// uses. trace_profile.cc exists since 16.
var artFiles = []string{
	"runtime/trace.cc",
	"runtime/trace_profile.cc",
	"libartbase/base/unix_file/fd_file.cc",
	"libartbase/base/os_linux.cc",
	"libdexfile/dex/descriptors_names.cc",
}

// packages are the Debian packages needed, each with one of its files.
var packages = []struct{ file, name string }{
	{"/usr/bin/" + compiler, "clang-19"},
	{"/usr/bin/ld.lld-19", "lld-19"},
	{"/usr/lib/llvm-19/include/c++/v1/string", "libc++-19-dev"},
	{"/usr/lib/llvm-19/lib/libc++abi.so", "libc++abi-19-dev"},
	{"/usr/include/fmt/core.h", "libfmt-dev"},
	{"/usr/include/tinyxml2.h", "libtinyxml2-dev"},
	{"/usr/include/android/nativehelper/jni.h", "android-libnativehelper-dev"},
}

// build builds the driver of each version with available sources.
func build(sources, out string) error {
	if out == "" {
		return errors.New("-o is missing: the folder for the programs")
	}
	if err := checkPackages(); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	built := 0
	for _, v := range artgolden.Versions {
		if _, err := os.Stat(filepath.Join(sources, "art"+v.Name, artFiles[0])); err != nil {
			fmt.Printf("%s is skipped: %v\n", v.Name, err)
			continue
		}
		if err := buildVersion(sources, out, v.Name); err != nil {
			return fmt.Errorf("ART %s: %w", v.Name, err)
		}
		built++
		fmt.Println(filepath.Join(out, v.Name))
	}
	if built == 0 {
		return fmt.Errorf("%s contains no sources of ART: the documentation of this command lists the folders", sources)
	}
	return nil
}

// checkPackages returns an error that lists the missing packages.
func checkPackages() error {
	var missing []string
	for _, p := range packages {
		if _, err := os.Stat(p.file); err != nil {
			missing = append(missing, p.name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("these Debian packages are missing: %s", strings.Join(missing, " "))
	}
	return nil
}

// buildVersion builds the driver of one version.
func buildVersion(sources, out, name string) error {
	r, ok := releases[name]
	if !ok {
		return errors.New("no build rule in build.go")
	}
	libbase := filepath.Join(sources, r.libbase, "stringprintf.cpp")
	if _, err := os.Stat(libbase); err != nil {
		return fmt.Errorf("it wants Android's libbase: %w", err)
	}
	own, err := filepath.Glob(filepath.Join(driverFolder, "*.cc"))
	if err != nil || len(own) == 0 {
		return fmt.Errorf("%s has no sources", driverFolder)
	}
	temp, err := os.MkdirTemp(out, "build")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	art := filepath.Join(sources, "art"+name)
	files := append(own, libbase)
	for _, file := range artFiles {
		path := filepath.Join(art, file)
		if _, err := os.Stat(path); err == nil || file != "runtime/trace_profile.cc" {
			files = append(files, path)
		}
	}
	flags := r.flags(art, filepath.Join(sources, r.libbase))
	var objects []string
	for _, file := range files {
		object := filepath.Join(temp, filepath.Base(file)+".o")
		args := append(slices.Clone(flags), "-c", file, "-o", object)
		if strings.HasPrefix(file, filepath.Join(art, "runtime")) {
			args = append(args, "-include", filepath.Join(driverFolder, "machine.h"), "-mno-red-zone")
		}
		if err := compile(args); err != nil {
			return err
		}
		objects = append(objects, object)
	}
	program := filepath.Join(temp, name)
	if err := link(objects, program); err != nil {
		return err
	}
	return os.Rename(program, filepath.Join(out, name))
}

// flags returns the compiler's arguments without the files. The driver accesses private fields of
// ART's classes (-fno-access-control). The numbers are those of ART's own build for an x86-64 host;
// the code that is linked here depends on few of them, but does not compile without.
func (r release) flags(art, libbase string) []string {
	flags := strings.Fields(`-stdlib=libc++ -O1 -fPIC -fno-rtti -fno-exceptions -fno-strict-aliasing
		-fno-access-control -w -Wno-strict-primary-template-shadow -DNDEBUG -DBUILDING_LIBART=1
		-DART_BASE_ADDRESS=0x60000000 -DART_BASE_ADDRESS_MIN_DELTA=-0x1000000 -DART_BASE_ADDRESS_MAX_DELTA=0x1000000
		-DART_FRAME_SIZE_LIMIT=1736 -DART_PAGE_SIZE_AGNOSTIC=1 -DIMT_SIZE=43
		-DART_USE_READ_BARRIER=1 -DART_READ_BARRIER_TYPE_IS_BAKER=1
		-DART_STACK_OVERFLOW_GAP_arm=8192 -DART_STACK_OVERFLOW_GAP_arm64=8192 -DART_STACK_OVERFLOW_GAP_riscv64=8192
		-DART_STACK_OVERFLOW_GAP_x86=8192 -DART_STACK_OVERFLOW_GAP_x86_64=8192
		-include stddef.h -include cstdint -include cstring`)
	flags = append(flags, "-std="+r.standard, "-DART_VERSION="+r.number, "-DART_DEFAULT_GC_TYPE_IS_"+r.collector)
	for _, folder := range []string{"runtime", "libartbase", "libartpalette/include", "libdexfile"} {
		flags = append(flags, "-I"+filepath.Join(art, folder))
	}
	return append(flags, "-I"+filepath.Join(libbase, "include"),
		"-I/usr/include/android", "-I/usr/include/android/nativehelper", "-I"+driverFolder)
}

// compile runs the compiler.
func compile(args []string) error {
	if text, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", compiler, strings.Join(args, " "), err, text)
	}
	return nil
}

// undefined matches the linker's messages about undefined symbols.
var undefined = regexp.MustCompile(`undefined (?:hidden |protected )?symbol: (\S+)`)

// link links the objects to a program. The tracer's calls of the C library that create a thread,
// sleep and return the process id are redirected to the driver (sampler.cc). Undefined symbols get
// a stub that prints their name (Missing in stubs.cc).
func link(objects []string, program string) error {
	args := []string{"-stdlib=libc++", "-fuse-ld=lld-19", "-lpthread", "-o", program, "-Wl,--no-demangle", "-Wl,--error-limit=0"}
	for _, symbol := range []string{"pthread_create", "pthread_join", "pthread_self", "usleep", "getpid"} {
		args = append(args, "-Wl,--wrap="+symbol)
	}
	args = append(args, objects...)
	text, err := exec.Command(compiler, args...).CombinedOutput()
	if err == nil {
		return nil
	}
	var symbols []string
	for _, match := range undefined.FindAllSubmatch(text, -1) {
		symbols = append(symbols, string(match[1]))
	}
	if len(symbols) == 0 {
		return fmt.Errorf("%s %s: %w\n%s", compiler, strings.Join(args, " "), err, text)
	}
	slices.Sort(symbols)
	stubs := program + ".S"
	if err := os.WriteFile(stubs, []byte(assembly(slices.Compact(symbols))), 0o600); err != nil {
		return err
	}
	return compile(append(args, stubs))
}

// assembly returns the text of functions that call Missing with their names.
func assembly(symbols []string) string {
	var text strings.Builder
	for i, symbol := range symbols {
		fmt.Fprintf(&text, ".text\n.globl %[2]s\n.hidden %[2]s\n%[2]s:\n\tlea name%[1]d(%%rip), %%rdi\n\tpush %%rax\n\tcall Missing@PLT\n"+
			".section .rodata\nname%[1]d: .asciz %[2]q\n", i, symbol)
	}
	return text.String() + ".section .note.GNU-stack,\"\",@progbits\n"
}
