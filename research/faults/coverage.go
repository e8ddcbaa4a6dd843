package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"artifice/internal/testdata"
)

// coverage contains the lines that each unit of tests executes.
type coverage struct {
	Units []*unit
	All   lines             // that contain a statement of the product
	Keys  map[string]string // of the sources, by package of the tests

	file string
}

// unit is a selection of a package's tests that run together.
type unit struct {
	Package string
	Run     string // -test.run
	Seconds float64
	Lines   lines
}

// splitAbove is the duration above which the tests of a package are separate units.
const splitAbove = 8 * time.Second

// readCoverage reads the coverage of an earlier run, if there is one.
func readCoverage(file string) (*coverage, error) {
	c := &coverage{All: lines{}, Keys: map[string]string{}, file: file}
	data, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, c); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

// save writes the coverage to its file.
func (c *coverage) save() error {
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return os.WriteFile(c.file, data, 0o666)
}

// measure runs the tests of the packages and saves their coverage. It skips a package if neither the
// product nor the package's tests have changed since the last run.
func (c *coverage) measure(packages []*product, progress io.Writer) error {
	sources, err := sourceKey(packages)
	if err != nil {
		return err
	}
	maps.DeleteFunc(c.Keys, func(_, key string) bool { return !strings.HasPrefix(key, sources) })
	if len(c.Keys) == 0 {
		c.All = lines{}
	}
	c.Units = slices.DeleteFunc(c.Units, func(u *unit) bool { return c.Keys[u.Package] == "" })
	for _, p := range packages {
		if !p.tested() {
			continue
		}
		tests, err := testKey(p)
		if err != nil {
			return err
		}
		if c.Keys[p.ImportPath] == sources+tests {
			continue
		}
		c.Units = slices.DeleteFunc(c.Units, func(u *unit) bool { return u.Package == p.ImportPath })
		units, err := c.measurePackage(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.ImportPath, err)
		}
		for _, u := range units {
			fmt.Fprintf(progress, "coverage of %s %s: %.1f s\n", u.Package, u.Run, u.Seconds)
		}
		c.Units = append(c.Units, units...)
		c.Keys[p.ImportPath] = sources + tests
		if err := c.save(); err != nil {
			return err
		}
	}
	return nil
}

// measurePackage returns the units of a package.
func (c *coverage) measurePackage(p *product) ([]*unit, error) {
	b, err := buildTests(nil, p, "-cover", "-covermode=set", "-coverpkg=artifice/...")
	if err != nil {
		return nil, err
	}
	defer b.remove()
	if b.file == "" {
		return nil, fmt.Errorf("the tests do not compile:\n%s", b.output)
	}
	if p.ImportPath != "artifice/cmd/artifice" { // its tests take minutes
		u, err := c.measureUnit(b, ".", splitAbove)
		if err == nil || !errors.Is(err, errTimeout) {
			return []*unit{u}, err
		}
	}
	runs, err := splitTests(b)
	if err != nil {
		return nil, err
	}
	var units []*unit
	for _, run := range runs {
		u, err := c.measureUnit(b, run, time.Hour)
		if err != nil {
			return nil, err
		}
		units = append(units, u)
	}
	return units, nil
}

// errTimeout is the error of tests that exceed the limit.
var errTimeout = errors.New("timeout")

// measureUnit runs the tests that match run.
func (c *coverage) measureUnit(b *testBinary, run string, limit time.Duration) (*unit, error) {
	folder, err := os.MkdirTemp("", "coverage")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	// The profile contains the coverage of the programs that the tests start, too.
	profile := filepath.Join(folder, "profile")
	r, err := b.run(run, limit, "GOCOVERDIR="+folder, "-test.gocoverdir="+folder, "-test.coverprofile="+profile)
	if err != nil {
		return nil, err
	}
	if r.timeout {
		return nil, errTimeout
	}
	if len(r.failed) > 0 {
		return nil, fmt.Errorf("without a mutant %s fails: %v", run, r.failed)
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		return nil, err
	}
	all, executed, err := parseProfile(string(text))
	if err != nil {
		return nil, err
	}
	c.All.add(all)
	return &unit{b.pkg.ImportPath, run, r.took.Seconds(), executed}, nil
}

// executing returns the units that execute a line of a file. A line outside of functions counts as
// executed if another line of the file is; in a file without functions, if a line of the package is.
func (c *coverage) executing(file string, line int) (list []*unit) {
	executes := func(l lines) bool { return l.contains(file, line) }
	if !executes(c.All) {
		executes = func(l lines) bool { return len(l[file]) > 0 }
	}
	if !executes(c.All) {
		executes = func(l lines) bool {
			for f := range l {
				if path.Dir(f) == path.Dir(file) {
					return true
				}
			}
			return false
		}
	}
	for _, u := range c.Units {
		if executes(u.Lines) {
			list = append(list, u)
		}
	}
	return list
}

// order returns the units that execute a line, in the order in which they run: those of the line's
// own package, of the command line, and of the other packages from the fastest to the slowest.
// Units of one package are together, because they share a binary.
func (c *coverage) order(of *product, file string, line int) []*unit {
	list := c.executing(file, line)
	seconds := map[string]float64{}
	for _, u := range list {
		seconds[u.Package] += u.Seconds
	}
	place := func(u *unit) float64 {
		switch u.Package {
		case of.ImportPath:
			return -2
		case "artifice/cmd/artifice":
			return -1
		}
		return seconds[u.Package]
	}
	slices.SortStableFunc(list, func(a, b *unit) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Package, b.Package), cmp.Compare(a.Seconds, b.Seconds))
	})
	return list
}

// sourceKey returns a hash of the product's sources without tests.
func sourceKey(packages []*product) (string, error) {
	h := sha256.New()
	for _, p := range packages {
		for _, name := range p.GoFiles {
			if err := hashFile(h, filepath.Join(p.Dir, name)); err != nil {
				return "", err
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// testKey returns a hash of the tests of a package and of its testdata.
func testKey(p *product) (string, error) {
	h := sha256.New()
	for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		if err := hashFile(h, filepath.Join(p.Dir, name)); err != nil {
			return "", err
		}
	}
	err := filepath.WalkDir(filepath.Join(p.Dir, "testdata"), func(path string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		return hashFile(h, path)
	})
	return hex.EncodeToString(h.Sum(nil)[:8]), err
}

// hashFile adds the name and the content of a file to a hash.
func hashFile(h io.Writer, file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(testdata.Root(), file)
	fmt.Fprintf(h, "%s %d\n", rel, len(data))
	h.Write(data)
	return err
}

// printUnexecuted prints the lines of statements that no test executes.
func (c *coverage) printUnexecuted(w io.Writer) {
	executed := lines{}
	for _, u := range c.Units {
		executed.add(u.Lines)
	}
	for _, file := range c.All.files() {
		if isHelper("artifice/" + path.Dir(file)) {
			continue
		}
		for _, s := range c.All[file].without(executed[file]) {
			fmt.Fprintf(w, "%s:%d-%d\n", file, s.From, s.To)
		}
	}
}
