package report

import (
	"testing"

	"artifice/trace"
)

// TestNames checks that a class name has as few packages as distinguish it from other classes of
// that name, and that parameters follow if overloads differ (JVMS 4.3 defines their types).
func TestNames(t *testing.T) {
	symbols := &trace.Symbols{}
	for _, m := range []trace.Method{
		{Class: "java.lang.Object", Name: "wait", Signature: "(JI)V"},
		{Class: "java.lang.Object", Name: "wait", Signature: "()V"},
		{Class: "java.lang.Object", Name: "<init>", Signature: "()V"},
		{Class: "a.util.Log", Name: "d", Signature: "(Ljava/lang/String;[[I[Ljava/util/Map$Entry;)V"},
		{Class: "b.util.Log", Name: "d", Signature: "(Z)V"},
		{Class: "b/util/Log", Name: "d", Signature: "(DFBCS)Ljava/lang/Object;"},
		{Class: "Log", Name: "w"},
		{Name: "memcpy"},
		{ID: 0x10, Unlisted: true},
		{Class: "c.Other", Name: "f", Signature: "(broken"},
		{Class: "c.Other", Name: "f", Signature: "(Lunended"},
		{Name: "io/netty/Handler:.read_[j]"},
		{Name: "io/netty/Handler:.read_[i]"}, // compiled into its caller: a different frame
		{Name: "com.acme.Counter::log"},
		{Name: "Lio/vertx/Loop;::run"},
		{Name: "std::vector<int>::push_back"},
		{Name: "tcp_v4_send_check_[k]"},
	} {
		symbols.AddMethod(m)
	}
	for style, want := range map[NameStyle][]string{
		ShortNames: {"Object.wait(long, int)", "Object.wait()", "Object.<init>", "a.util.Log.d", "b.util.Log.d", "b.util.Log.d", "Log.w", "memcpy", "unknown.method_0x10", "Other.f(broken", "Other.f(Lunended",
			"Handler.read", "Handler.read_[i]", "Counter.log", "Loop.run", "std::vector<int>::push_back", "tcp_v4_send_check_[k]"},
		FullNames: {"java.lang.Object.wait(long, int)", "java.lang.Object.wait()", "java.lang.Object.<init>", "a.util.Log.d", "b.util.Log.d", "b.util.Log.d", "Log.w", "memcpy",
			"unknown.method_0x10", "c.Other.f(broken", "c.Other.f(Lunended",
			"io.netty.Handler.read", "io.netty.Handler.read_[i]", "com.acme.Counter.log", "io.vertx.Loop.run", "std::vector<int>::push_back", "tcp_v4_send_check_[k]"},
		DescriptorNames: {"java.lang.Object.wait(JI)V", "java.lang.Object.wait()V", "java.lang.Object.<init>", "a.util.Log.d", "b.util.Log.d", "b/util/Log.d", "Log.w", "memcpy",
			"unknown.method_0x10", "c.Other.f(broken", "c.Other.f(Lunended",
			"io/netty/Handler:.read_[j]", "io/netty/Handler:.read_[i]", "com.acme.Counter::log", "Lio/vertx/Loop;::run", "std::vector<int>::push_back", "tcp_v4_send_check_[k]"},
	} {
		n := NewNamer(symbols, style, len(symbols.Methods), func(i int) trace.MethodID { return trace.MethodID(i) })
		for i := range want {
			if got := n.Method(trace.MethodID(i)); got != want[i] {
				t.Errorf("%s: method %d is %s, want %s", nameStyles[style], i, got, want[i])
			}
		}
	}
	for descriptor, want := range map[string]string{
		"(Ljava/lang/String;[[I[Ljava/util/Map$Entry;)V": "(String, int[][], Map$Entry[])", "(DFBCS)V": "(double, float, byte, char, short)", "(ZJ)V": "(boolean, long)",
	} {
		if got := javaParameters(descriptor, true); got != want {
			t.Errorf("%s is %s, want %s", descriptor, got, want)
		}
	}
	if got, want := javaParameters("([Ljava/lang/String;)V", false), "(java.lang.String[])"; got != want {
		t.Errorf("in full %s, want %s", got, want)
	}
}
