package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFit adapts a small library to a runtime with one native method, one intrinsic and one
// well-known member in its sources, in ART's syntax. The expected members are counted by hand.
func TestFit(t *testing.T) {
	runtime := t.TempDir()
	for name, text := range map[string]string{
		"native/a.cc": `static jint A_n(JNIEnv* env, [[maybe_unused]] jclass k, jlong x) {}
			FAST_NATIVE_METHOD(A, n, "(J)I"), REGISTER_NATIVE_METHODS("x/A")`,
		"intrinsics_list.h":     `V(AB, kVirtual, kNeedsEnvironment, kAllSideEffects, kCanThrow, "Lx/A;", "b", "(D)V")`,
		"well_known_classes.cc": `h = hs.NewHandle(FindSystemClass(class_linker, self, "Lx/W;")); f = CacheField(h.Get(), /*is_static=*/ true, "w", "I");`,
		"class_root.h":          `M(kX, "Lx/R;", mirror::R)`,
	} {
		path := filepath.Join(runtime, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	all, err := readCore("../internal/art11/core")
	if err != nil {
		t.Fatal(err)
	}
	if err := all.fit(runtime); err != nil {
		t.Fatal(err)
	}
	a := all["x/A"]
	want := []string{".method public static native n(J)I", ".annotation build Ldalvik/annotation/optimization/FastNative;", ".end annotation", ".end method"}
	if got := a.methods[1].lines; !slices.Equal(got, want) {
		t.Errorf("the native method is %q, want %q", got, want)
	}
	if got := a.methods[2].lines[:2]; !slices.Equal(got, []string{".method public b(D)V", ".registers 4"}) { // this, two for the double, one of its own
		t.Errorf("the intrinsic is %q", got)
	}
	if all["x/R"] == nil || all["x/W"].fields[0].lines[0] != ".field static w:I" {
		t.Error("a class or field that ART looks for is missing")
	}
	// String has 70 virtual methods beyond those of Object, and overrides three of the latter
	// (mirror::String::ClassSize).
	virtual, fields := 0, 0
	for _, m := range all["java/lang/String"].methods {
		if !m.is("static") && m.name != "<init>" {
			virtual++
		}
	}
	for _, f := range all["java/lang/String"].fields {
		if f.is("static") {
			fields++
		}
	}
	if virtual != 73 || fields != 7 {
		t.Errorf("java.lang.String has %d virtual methods and %d static fields, want 73 and 7", virtual, fields)
	}
	if l := all["java/lang/Class"]; len(l.fields) < 25 || slices.ContainsFunc(l.fields, func(f *member) bool { return strings.HasPrefix(f.name, "iField") }) {
		t.Error("java.lang.Class still has the fields of 11")
	}
}
