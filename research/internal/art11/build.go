package art11

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

//go:embed launcher app core program
var sources embed.FS

// ErrMissing is Open's error if ART or its build tools are not installed. The error's text lists
// what to install.
var ErrMissing = errors.New("ART 11 cannot be run here")

// Packages lists the required Debian packages.
const Packages = "android-libart android-libziparchive android-libbacktrace libsmali-java default-jdk-headless gcc libc6-dev"

const (
	libraries = "/usr/lib/x86_64-linux-gnu/android"
	version   = "11.0.0+r48" // of android-libart: offsets and lines depend on it

	// maxMethods is the number of classes for a truth's methods, of each kind.
	maxMethods = 2560
)

// jars are libsmali-java's, and their dependencies.
var jars = []string{"antlr3-runtime", "dexlib2", "guava", "jcommander", "smali", "smali-util"}

// Open builds the files needed to run ART, in the user's cache folder, unless they exist.
func Open() (*ART, error) {
	if err := installed(); err != nil {
		return nil, fmt.Errorf("%w: %w; on Debian: apt-get install %s", ErrMissing, err, Packages)
	}
	sum, err := digest()
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err == nil {
		cache = filepath.Join(cache, "artifice")
		err = os.MkdirAll(cache, 0o777)
	}
	if err != nil {
		cache = os.TempDir()
	}
	home := filepath.Join(cache, "art11-"+sum)
	if _, err := os.Stat(home); err != nil {
		if err := build(home); err != nil {
			return nil, fmt.Errorf("building the launcher of ART 11: %w", err)
		}
	}
	a := &ART{
		name: "ART 11", launcher: filepath.Join(home, "launcher"), folders: home, patience: patience,
		classpath: []string{filepath.Join(home, "core.jar"), filepath.Join(home, "app.jar")},
	}
	a.command = a.eleven
	return a, nil
}

// installed returns an error that lists what is missing.
func installed() error {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return fmt.Errorf("it is built for linux/amd64, not for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	for _, program := range []string{"gcc", "java", "dpkg-query"} {
		if _, err := exec.LookPath(program); err != nil {
			return err
		}
	}
	var errs []error
	for _, name := range []string{"libart.so.0", "libziparchive.so.0", "libbacktrace.so.0"} {
		_, err := os.Stat(filepath.Join(libraries, name))
		errs = append(errs, err)
	}
	for _, jar := range jars {
		_, err := os.Stat(jarPath(jar))
		errs = append(errs, err)
	}
	_, err := headers()
	if err := errors.Join(append(errs, err)...); err != nil {
		return err
	}
	have, err := exec.Command("dpkg-query", "-W", "-f", "${Version}", "android-libart").Output()
	if err != nil || !strings.HasPrefix(string(have), version) {
		return fmt.Errorf("android-libart is of version %q, not %s", have, version)
	}
	return nil
}

func jarPath(name string) string { return "/usr/share/java/" + name + ".jar" }

// headers returns the folders of jni.h.
func headers() ([]string, error) {
	found, _ := filepath.Glob("/usr/lib/jvm/*/include/jni.h")
	if len(found) == 0 {
		return nil, errors.New("no jni.h in /usr/lib/jvm")
	}
	folder := filepath.Dir(found[0])
	return []string{folder, filepath.Join(folder, "linux")}, nil
}

// digest returns a hash of the sources.
func digest() (string, error) {
	sum := sha256.New()
	fmt.Fprintln(sum, version, maxMethods, flags("x", nil))
	err := fs.WalkDir(sources, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := sources.ReadFile(path)
		fmt.Fprintf(sum, "%s %d\n%s", path, len(text), text)
		return err
	})
	return fmt.Sprintf("%x", sum.Sum(nil))[:16], err
}

// build builds the folder home, atomically.
func build(home string) error {
	if err := os.MkdirAll(filepath.Dir(home), 0o777); err != nil {
		return err
	}
	folder, err := os.MkdirTemp(filepath.Dir(home), "art11-new")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := os.CopyFS(folder, sources); err != nil {
		return err
	}
	for _, name := range []string{"system", "art", "i18n"} {
		if err := os.Mkdir(filepath.Join(folder, name), 0o777); err != nil {
			return err
		}
	}
	if err := errors.Join(compileAll(folder), writeApp(filepath.Join(folder, "app")), assemble(folder, "app"), assemble(folder, "core"), assemble(folder, "program")); err != nil {
		return err
	}
	if err := os.Rename(folder, home); err != nil {
		if _, there := os.Stat(home); there != nil { // otherwise another process was first
			return err
		}
	}
	return nil
}

// flags returns gcc's flags for the launcher.
func flags(out string, include []string) []string {
	args := []string{"-O1", "-g", "-Wall", "-fPIC", "-rdynamic", "-o", out}
	for _, folder := range include {
		args = append(args, "-I"+folder)
	}
	return args
}

// compileAll compiles the launcher of a replay and that of a program, which share the stubs.
func compileAll(folder string) error {
	source := filepath.Join(folder, "launcher")
	files, err := filepath.Glob(filepath.Join(source, "*.c"))
	if err != nil {
		return err
	}
	out := filepath.Join(folder, "launcher.out")
	program := []string{filepath.Join(folder, "program", "program.c"), filepath.Join(source, "stubs.c")}
	if err := errors.Join(compile(out, files), compile(filepath.Join(folder, "real"), program)); err != nil {
		return err
	}
	if err := os.RemoveAll(source); err != nil {
		return err
	}
	return os.Rename(out, source)
}

// compile compiles C files to a program.
func compile(out string, files []string) error {
	include, err := headers()
	if err != nil {
		return err
	}
	args := append(flags(out, include), files...)
	args = append(args, "-Wl,--no-as-needed")
	for _, name := range []string{"libsigchain", "libart", "libbacktrace", "libziparchive", "libbase"} {
		args = append(args, filepath.Join(libraries, name+".so.0"))
	}
	// Debian's libbacktrace needs p7zip's library of 7z files, which is in a folder of its own.
	args = append(args, "-l:liblz4.so.1", "-l:libz.so.1", "-Wl,-rpath,"+libraries+":/usr/lib/p7zip",
		"-Wl,--allow-shlib-undefined", "-ldl", "-lpthread")
	return run("gcc", args...)
}

// writeApp writes a class of each kind for every method that a truth can have.
func writeApp(folder string) error {
	for _, kind := range []string{"J", "N", "P"} {
		pattern := filepath.Join(folder, kind+".smali")
		text, err := os.ReadFile(pattern)
		if err != nil {
			return err
		}
		if err := os.Remove(pattern); err != nil {
			return err
		}
		for i := range maxMethods {
			own := bytes.ReplaceAll(text, []byte(kind+"0;"), fmt.Appendf(nil, "%s%d%s;", kind, i, suffix(i)))
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%s%d.smali", kind, i)), own, 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}

// Assemble assembles the smali files in a folder to the file dex.
func Assemble(folder, dex string) error {
	var classpath []string
	for _, jar := range jars {
		classpath = append(classpath, jarPath(jar))
	}
	return run("java", "-cp", strings.Join(classpath, ":"), "org.jf.smali.Main", "assemble", folder, "-o", dex, "--api", "28")
}

// assemble assembles the smali files in folder/name to name.jar.
func assemble(folder, name string) error {
	dex := filepath.Join(folder, name+".dex")
	if err := Assemble(filepath.Join(folder, name), dex); err != nil {
		return err
	}
	code, err := os.ReadFile(dex)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	// Uncompressed and aligned to four bytes: ART maps it into memory.
	const before = 30 + len("classes.dex")
	file, err := z.CreateRaw(&zip.FileHeader{
		Name: "classes.dex", Method: zip.Store, Extra: make([]byte, (4-before%4)%4), CRC32: crc32.ChecksumIEEE(code),
		CompressedSize64: uint64(len(code)), UncompressedSize64: uint64(len(code)),
	})
	if err != nil {
		return err
	}
	if _, err := file.Write(code); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(folder, name+".jar"), b.Bytes(), 0o666), os.Remove(dex), os.RemoveAll(filepath.Join(folder, name)))
}

// run runs a program. If it fails, the error contains its output.
func run(name string, args ...string) error {
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}
