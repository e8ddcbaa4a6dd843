package trace_test

import (
	"testing"

	"artifice/trace"
)

// TestKernelName checks names that ART's SetThreadName sets: it keeps the last 15 bytes of a name
// with a dot and no @, and the first 15 bytes of other names.
func TestKernelName(t *testing.T) {
	for name, want := range map[string]string{
		"main":                          "main",
		"ReferenceQueueD":               "ReferenceQueueD",
		"FinalizerWatchdogDaemon":       "FinalizerWatchd",
		"OkHttp api.example.com":        "api.example.com",
		"android.display":               "android.display",
		"com.example.app:worker":        "mple.app:worker",
		"DefaultDispatcher@1.worker-12": "DefaultDispatch",
	} {
		if got := (trace.Thread{TID: 7, Name: name}).KernelName(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestNaming(t *testing.T) {
	method := trace.Method{Class: "a.C", Name: "f", Signature: "(I)V"}
	with := &trace.Symbols{Methods: []trace.Method{{Class: "a.C", Name: "g"}, method}}
	without, empty := &trace.Symbols{Methods: []trace.Method{{Class: "a.C", Name: "f"}}}, &trace.Symbols{}
	for _, c := range []struct {
		all    []*trace.Symbols
		want   string
		joined bool
	}{
		{[]*trace.Symbols{with, with}, "a.C.f(I)V", false},
		{[]*trace.Symbols{with, empty}, "a.C.f(I)V", false},
		{[]*trace.Symbols{with, with, without}, "a.C.f", true},
		{[]*trace.Symbols{without, with}, "a.C.f", true},
		{[]*trace.Symbols{without, without}, "a.C.f(I)V", false},
	} {
		name, joined := trace.Naming(c.all...)
		if got := name(&method); got != c.want || joined != c.joined {
			t.Errorf("%v: %s, joined %t, want %s, %t", c.all, got, joined, c.want, c.joined)
		}
	}
}

// TestDottedClass checks classes in the forms of Dalvik, of ART and of descriptors (JVM
// specification, 4.3.2).
func TestDottedClass(t *testing.T) {
	for class, want := range map[string]string{
		"java.lang.Object": "java.lang.Object", "java/lang/Object": "java.lang.Object", "Ljava/lang/Object;": "java.lang.Object",
		"LMain;": "Main", "[Lcom/foo/Bar;": "com.foo.Bar[]", "[[Lcom/foo/Bar;": "com.foo.Bar[][]", "Launcher": "Launcher", "odd;": "odd;", "": "", ";": ";",
	} {
		m := trace.Method{Class: class, Name: "m"}
		if got := m.DottedClass(); got != want {
			t.Errorf("%q: %q, want %q", class, got, want)
		}
		if got := m.Dotted().FullName(); want != "" && got != want+".m" || m.Class != class {
			t.Errorf("%q: DottedClass changes the class of %q to %q", class, got, m.Class)
		}
	}
}
