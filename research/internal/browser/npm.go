package browser

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// NpmInstall installs a package with its dependencies and returns the package's folder, which is
// shared with other tests. It skips the test if node or npm is missing or the registry cannot be
// reached; with CI=true it fails the test instead.
func NpmInstall(t testing.TB, name, version string) string {
	t.Helper()
	dir := fetch(t, "installed", name, version, func(dir string) error {
		cmd := exec.Command("npm", "install", "--prefix", dir, "--no-save", "--no-package-lock", "--no-audit", "--no-fund", name+"@"+version)
		return run(cmd)
	})
	return filepath.Join(dir, "node_modules", filepath.FromSlash(name))
}

// Unpack downloads the archive of a package, without dependencies, and returns a folder with the
// files selected by keep, which is shared with other tests; keep gets a file's path in the package.
// It skips and fails the test as NpmInstall does.
func Unpack(t testing.TB, name, version string, keep func(path string) bool) string {
	t.Helper()
	return fetch(t, "unpacked", name, version, func(dir string) error {
		if err := run(exec.Command("npm", "pack", "--ignore-scripts", "--pack-destination", dir, name+"@"+version)); err != nil {
			return err
		}
		archives, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
		if err == nil && len(archives) != 1 {
			err = fmt.Errorf("npm pack left %d archives", len(archives))
		}
		if err != nil {
			return err
		}
		defer os.Remove(archives[0])
		return unpack(dir, archives[0], keep)
	})
}

// Need returns the path of a program. If that is not installed, it skips the test; with CI=true it
// fails the test instead.
func Need(t testing.TB, program, how string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		Missing(t, fmt.Sprintf("%s is not installed; %s", program, how))
	}
	return path
}

// Missing skips a test because of a missing program, and fails it with CI=true.
func Missing(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// fetch returns the folder of a package in the cache. If it does not exist, fill creates it under a
// temporary name first, so that every folder in the cache is complete.
func fetch(t testing.TB, kind, name, version string, fill func(dir string) error) string {
	t.Helper()
	for _, program := range []string{"node", "npm"} {
		Need(t, program, "on Debian: apt-get install nodejs npm")
	}
	name = strings.ReplaceAll(name, "/", "+")
	var folder, unfinished string
	var err error
	for _, cache := range caches() {
		folder = filepath.Join(cache, kind, name+"@"+version)
		if _, err := os.Stat(folder); err == nil {
			return folder
		}
		if err = os.MkdirAll(filepath.Dir(folder), 0o755); err == nil {
			if unfinished, err = os.MkdirTemp(filepath.Dir(folder), "unfinished-"); err == nil {
				break
			}
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(unfinished)
	if err := fill(unfinished); err != nil {
		Missing(t, fmt.Sprintf("%s@%s: %v", name, version, err))
	}
	if err := os.Rename(unfinished, folder); err != nil && !errors.Is(err, fs.ErrExist) { // another test was faster
		t.Fatal(err)
	}
	return folder
}

// caches returns the possible folders for packages, the best first: the user's, and a temporary
// one, if HOME is not writable.
func caches() (all []string) {
	if user, err := os.UserCacheDir(); err == nil {
		all = append(all, filepath.Join(user, "artifice-tests"))
	}
	return append(all, filepath.Join(os.TempDir(), fmt.Sprintf("artifice-tests-%d", os.Getuid())))
}

// run runs npm, with its own cache in HOME if that is writable; the error contains its output.
func run(cmd *exec.Cmd) error {
	if all := caches(); len(all) == 1 || os.MkdirAll(all[0], 0o755) != nil {
		cmd.Env = append(os.Environ(), "npm_config_cache="+filepath.Join(all[len(all)-1], "npm"))
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return nil
}

// unpack writes files of a package's archive, which contains a single folder.
func unpack(dir, archive string, keep func(path string) bool) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		_, path, _ := strings.Cut(h.Name, "/")
		if h.Typeflag != tar.TypeReg || !filepath.IsLocal(path) || !keep(path) {
			continue
		}
		if err := write(filepath.Join(dir, filepath.FromSlash(path)), r); err != nil {
			return err
		}
	}
}

func write(name string, r io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Close())
}
