package filter

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"artifice/trace"
)

// example has the constructs of R8: a class with a renamed source file, overloads, methods that are
// merged and distinguished by lines, inlined methods, a method moved from another class, and a
// changed signature.
const example = `# compiler: R8
# compiler_version: 8.2.47
# {"id":"com.android.tools.r8.mapping","version":"2.2"}
com.shop.Cart -> a.a:
# {"id":"sourceFile","fileName":"Cart.kt"}
    int total -> a
    java.util.List items -> b
    1:3:void <init>():10:12 -> <init>
    1:4:int sum(int,com.shop.Item[]):20:23 -> a
    5:9:int sum(com.shop.Item):30:34 -> a
    1:1:boolean com.shop.Item.isFree():50:50 -> b
    1:1:double price(com.shop.Item):41 -> b
    2:2:double price(com.shop.Item):42:42 -> b
    3:3:double discount(com.shop.Item):60:60 -> b
    void com.other.Base.close() -> c
    void changed(com.shop.Item) -> d
      # {"id":"com.android.tools.r8.residualsignature","signature":"(Ljava/lang/Object;)V"}
com.shop.Item -> a.b:
    java.lang.String getName() -> a
    java.lang.String getCode() -> b
com.shop.CartKt -> a.c:
    void main(java.lang.String[]) -> a
com.shop.Kept -> com.shop.Kept:
    void visible() -> a
`

func readMapping(t *testing.T, text string) *Mapping {
	t.Helper()
	m, err := ReadMapping(strings.NewReader(text), "mapping.txt")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// names formats names: class.method, file and line if known.
func names(list []Name) string {
	var out []string
	for _, n := range list {
		text := n.Class + "." + n.Method
		if n.File != "" {
			text += " " + n.File
		}
		if n.Line != 0 {
			text += ":" + string(rune('0'+n.Line/10)) + string(rune('0'+n.Line%10))
		}
		out = append(out, text)
	}
	return strings.Join(out, " > ")
}

func TestMethod(t *testing.T) {
	m := readMapping(t, example)
	for _, test := range []struct {
		class, name, signature string
		line                   int
		want                   string
	}{
		{"a.a", "<init>", "()V", 0, "com.shop.Cart.<init> Cart.kt"},
		{"a.a", "a", "(I[La/b;)I", 0, "com.shop.Cart.sum Cart.kt"}, // one overload
		{"a.a", "a", "(La/b;)I", 0, "com.shop.Cart.sum Cart.kt"},
		{"a.a", "b", "(La/b;)D", 0, "com.shop.Cart.price Cart.kt > com.shop.Cart.discount Cart.kt"}, // merged: both are returned
		{"a.a", "b", "(La/b;)D", 3, "com.shop.Cart.discount Cart.kt"},
		{"a.a", "b", "(La/b;)D", 1, "com.shop.Cart.price Cart.kt"}, // the inlined method at this line is not the method itself
		{"a.a", "c", "()V", 0, "com.other.Base.close"},
		{"a.a", "d", "(Ljava/lang/Object;)V", 0, "com.shop.Cart.changed Cart.kt"},
		{"a.a", "d", "(La/b;)V", 0, "com.shop.Cart.changed Cart.kt"},      // does not match, but no other method is called d
		{"a.a", "zz", "()V", 0, "com.shop.Cart.zz Cart.kt"},               // a kept name
		{"a.b", "a", "()Ljava/lang/String;", 0, "com.shop.Item.getName"},  // no source file
		{"a.c", "a", "([Ljava/lang/String;)V", 0, "com.shop.CartKt.main"}, //
		{"com.shop.Kept", "a", "()V", 0, "com.shop.Kept.visible"},         //
		{"java.lang.String", "a", "()V", 0, "java.lang.String.a"},         // not part of the app
	} {
		if got := names(m.method(test.class, test.name, test.signature, test.line)); got != test.want {
			t.Errorf("%s.%s%s:%d = %q, want %q", test.class, test.name, test.signature, test.line, got, test.want)
		}
	}
}

func TestFrame(t *testing.T) {
	m := readMapping(t, example)
	for _, test := range []struct {
		class, name string
		line        int
		want        string
	}{
		{"a.a", "a", 7, "com.shop.Cart.sum Cart.kt:32"},                             // the line distinguishes the overloads
		{"a.a", "b", 1, "com.shop.Cart.price Cart.kt:41 > com.shop.Item.isFree:50"}, // inlined
		{"a.a", "b", 2, "com.shop.Cart.price Cart.kt:42"},
		{"a.a", "b", 0, "com.shop.Cart.price|discount Cart.kt"}, // all candidates, in one frame
		{"a.a", "b", 99, "com.shop.Cart.price|discount Cart.kt"},
		{"a.b", "b", 5, "com.shop.Item.getCode"},
		{"java.lang.String", "a", 5, "java.lang.String.a:05"},
	} {
		if got := names(m.Frame(test.class, test.name, test.line)); got != test.want {
			t.Errorf("%s.%s:%d = %q, want %q", test.class, test.name, test.line, got, test.want)
		}
	}
}

func TestSignature(t *testing.T) {
	m := readMapping(t, example)
	for descriptor, want := range map[string]string{
		"(I[La/b;La/a;)La/c;":   "(I[Lcom/shop/Item;Lcom/shop/Cart;)Lcom/shop/CartKt;",
		"(Ljava/lang/String;)V": "(Ljava/lang/String;)V",
		"":                      "",
		"(La/b":                 "(La/b",
	} {
		if got := m.signature(descriptor); got != want {
			t.Errorf("%q = %q, want %q", descriptor, got, want)
		}
	}
}

func TestJoinAcrossClasses(t *testing.T) {
	got := join([]Name{{Class: "a.A", Method: "f", File: "A.java"}, {Class: "b.B", Method: "g"}, {Class: "a.A", Method: "h"}})
	if want := (Name{Class: "a.A", Method: "f|b.B.g|h"}); got != want {
		t.Errorf("%+v", got)
	}
}

func TestFileIn(t *testing.T) {
	for _, test := range []struct {
		name  Name
		shown string
		want  string
	}{
		{Name{Class: "a.Foo", File: "Bar.kt"}, "SourceFile", "Bar.kt"},
		{Name{Class: "a.Foo$1$b"}, "SourceFile", "Foo.java"},
		{Name{Class: "a.FooKt"}, "", "Foo.kt"},
		{Name{Class: "Foo"}, "r8-map-id-d34db33f", "Foo.java"},
		{Name{Class: "a.Foo"}, "Kept.java", "Kept.java"},
	} {
		if got := test.name.FileIn(test.shown); got != test.want {
			t.Errorf("%+v, shown %q: %q, want %q", test.name, test.shown, got, test.want)
		}
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                         "mapping.txt renames no class",
		"hello\n":                                  "mapping.txt:1: \"hello\" is not a class line",
		"a.B -> c:\n    void f() > a\n":            "mapping.txt:2: \"void f() > a\" is not a member line",
		"    void f() -> a\n":                      "mapping.txt:1: \"    void f() -> a\" is indented like a member, but no class precedes it",
		"a.B -> c:\n  1:2 void f() -> a\n":         "mapping.txt:2: \"1:2 void f() -> a\": write a range of lines before the type, as in 1:5:void",
		"a.B -> c:\n  1:x:void f() -> a\n":         "\"x\" is not a line number",
		"a.B -> c:\n  void f( -> a\n":              "a closing parenthesis is missing",
		"a.B -> c:\n  f() -> a\n":                  "expected the type and the name of a method",
		"a.B -> c:\n  void f()x -> a\n":            "unexpected \"x\" after the closing parenthesis",
		"a.B -> c:\n  void f():1:y -> a\n":         "\"y\" is not a line number",
		"a.B -> c:\n" + strings.Repeat("x", 2<<20): "mapping.txt:2: ",
	} {
		_, err := ReadMapping(strings.NewReader(text), "mapping.txt")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: error %v, want %q", text, err, want)
		}
	}
}

// TestRecording checks a recording that adds a method while it is read, also in Dalvik's form.
func TestRecording(t *testing.T) {
	rec := &trace.Recording{
		Info: trace.Info{PID: 5},
		Symbols: &trace.Symbols{
			Threads: []trace.Thread{{TID: 1, Name: "main"}},
			Methods: []trace.Method{
				{ID: 4, Class: "a.a", Name: "a", Signature: "(I[La/b;)I", File: "SourceFile", Line: 1},
				{ID: 8, Class: "a/a", Name: "b", Signature: "(La/b;)D"},
			},
		},
	}
	rec.Events = &learning{rec: rec, learn: trace.Method{ID: 12, Class: "java.util.List", Name: "add", Signature: "(La/b;)Z", File: "List.java"}}
	r := Rename{Mapping: readMapping(t, example)}
	renamed, err := r.Apply(rec)
	if err != nil {
		t.Fatal(err)
	}
	var events trace.Buffer
	if _, err := trace.Copy(&events, renamed.Events); err != nil {
		t.Fatal(err)
	}
	want := []trace.Method{
		{ID: 4, Class: "com.shop.Cart", Name: "sum", Signature: "(I[Lcom/shop/Item;)I", File: "Cart.kt"},
		{ID: 8, Class: "com/shop/Cart", Name: "price|discount", Signature: "(Lcom/shop/Item;)D", File: "Cart.kt"},
		{ID: 12, Class: "java.util.List", Name: "add", Signature: "(Lcom/shop/Item;)Z", File: "List.java"},
	}
	if diff := cmp.Diff(want, renamed.Symbols.Methods); diff != "" {
		t.Error(diff)
	}
	if r.Methods != 3 || r.Known != 2 || r.Ambiguous != 1 || len(events.Events) != 1 || renamed.Info.PID != 5 || len(renamed.Symbols.Threads) != 1 {
		t.Errorf("%+v, %d events", r, len(events.Events))
	}
	if rec.Symbols.Methods[0].Class != "a.a" {
		t.Error("the source recording has changed")
	}
}

// learning is a reader that adds a method before its only event.
type learning struct {
	rec   *trace.Recording
	learn trace.Method
}

func (l *learning) ReadEvents(p []trace.Event) (int, error) {
	if l.learn.ID != 0 {
		id := l.rec.Symbols.AddMethod(l.learn)
		l.learn.ID = 0
		p[0] = trace.Event{Method: id}
		return 1, nil
	}
	return trace.NewSliceReader(nil).ReadEvents(p)
}

// FuzzReadMapping checks that any text is read or refused, and that a mapping that was read answers
// queries.
func FuzzReadMapping(f *testing.F) {
	f.Add(example)
	f.Add("a -> b:\n 1:1:x a.b.c(d,e[]):3 -> f\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ReadMapping(strings.NewReader(text), "mapping.txt")
		if err != nil {
			return
		}
		for _, class := range []string{"a.a", "b"} {
			for _, method := range []string{"a", "f"} {
				if len(m.method(class, method, "(I)V", 1)) == 0 || len(m.Frame(class, method, 1)) == 0 {
					t.Error("a method without a name")
				}
			}
		}
	})
}
